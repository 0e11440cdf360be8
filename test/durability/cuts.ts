import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/paxlog.ts'
import type { Random } from '../support/random.ts'
import { type DiskModel, type Fate, type Fates, fates } from './disk-model.ts'
import type { Event } from './system-calls.ts'

/** The power goes before the event of this number. */
interface Cut extends Fates {
  before: number
}

export interface Found extends Cut {
  /** Says which cut it was. */
  title: string
  /** The files as they are found afterwards; gone with the next cut. */
  folder: string
}

/** How many cuts are made where something happens that happens often, when not everywhere. */
const ANYWHERE = 100

/**
 * The power goes where it hurts: before and after each flush and each change of a name; right after an answer or a
 * report, with nothing kept that was not flushed; while the log is copied into the file; and anywhere. With a number, so
 * many of each are picked at random; without one, every flush and every answer has its cut.
 */
export function chooseCuts(events: readonly Event[], file: string, random: Random, number?: number): Cut[] {
  const log = `${file}-wal`
  const places = { names: [], log: [], answers: [], outputs: [], copying: [] } as Record<string, number[]>
  for (const event of events) {
    if (event.kind === 'flush' && event.path === log) places.log!.push(event.number)
    else if (event.kind === 'answer') places.answers!.push(event.number)
    else if (event.kind === 'output') places.outputs!.push(event.number)
    else if (event.kind === 'write' && event.path === file) places.copying!.push(event.number)
    else if (event.kind !== 'write' && event.kind !== 'resize') places.names!.push(event.number)
  }
  const some = (all: readonly number[] = [], most = number) =>
    most === undefined || all.length <= most ? all : Array.from({ length: most }, () => random.pick(all))

  const worst = (before: number): Cut => ({ before, contents: 'none', names: 'none' })
  const any = (before: number): Cut => ({
    before,
    contents: random.pick(Object.keys(fates) as Fate[]),
    names: random.pick(['none', 'some', 'all']),
  })
  const anywhere = Array.from({ length: number ?? ANYWHERE }, () => random.between(0, events.length))
  return [
    ...some(places.names).flatMap((place) => [worst(place), any(place), any(place + 1)]),
    ...some(places.log).map(any),
    ...[...some(places.answers), ...some(places.outputs)].map((place) => worst(place + 1)),
    ...some(places.copying, number ?? ANYWHERE).map(any),
    ...anywhere.map(any),
  ].sort((a, b) => a.before - b.before)
}

/** Plays a trace up to each cut, and makes the files as they are found when the power is back. */
export function* foundAfter(
  cuts: readonly Cut[],
  disk: DiskModel,
  events: readonly Event[],
  random: Random,
): Generator<Found> {
  const folder = join(temporaryFolder(), 'found')
  let played = 0
  for (const cut of cuts) {
    for (; played < cut.before; played++) disk.apply(events[played]!)
    mkdirSync(folder)
    disk.restore(folder, random, cut)
    const kept = `contents ${cut.contents}, names ${cut.names}`
    yield { ...cut, folder, title: `before call ${cut.before} of ${events.length}, unflushed that is kept: ${kept}` }
    rmSync(folder, { recursive: true })
  }
  for (; played < events.length; played++) disk.apply(events[played]!)
}
