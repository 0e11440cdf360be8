import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/paxlog.ts'
import type { Random } from '../support/random.ts'
import { type DiskModel, type Survival, type SurvivalMode, survivors } from './disk-model.ts'
import type { Event } from './system-calls.ts'

/** A power cut before the event with this number. */
interface Cut extends Survival {
  before: number
}

export interface RestoredFiles extends Cut {
  /** Describes the cut in test failures. */
  title: string
  /** The files after the cut. Deleted before the next cut. */
  folder: string
}

/** Default number of random cuts, and of cuts during checkpoints. */
const DEFAULT_CUTS = 100

/**
 * Selects critical positions: before and after each name change, at each flush of the log, right after a response or
 * output without any unflushed data, during checkpoints, and random ones. With a number, it picks that many of each at
 * random. Without one, every flush and every response has a cut.
 */
export function chooseCuts(events: readonly Event[], file: string, random: Random, number?: number): Cut[] {
  const log = `${file}-wal`
  const positions = { names: [], log: [], answers: [], outputs: [], checkpoints: [] } as Record<string, number[]>
  for (const event of events) {
    if (event.kind === 'flush' && event.path === log) positions.log!.push(event.number)
    else if (event.kind === 'answer') positions.answers!.push(event.number)
    else if (event.kind === 'output') positions.outputs!.push(event.number)
    else if (event.kind === 'write' && event.path === file) positions.checkpoints!.push(event.number)
    else if (event.kind !== 'write' && event.kind !== 'resize') positions.names!.push(event.number)
  }
  const sample = (all: readonly number[] = [], max = number) =>
    max === undefined || all.length <= max ? all : Array.from({ length: max }, () => random.pick(all))

  const worstCut = (before: number): Cut => ({ before, contents: 'none', names: 'none' })
  const randomCut = (before: number): Cut => ({
    before,
    contents: random.pick(Object.keys(survivors) as SurvivalMode[]),
    names: random.pick(['none', 'some', 'all']),
  })
  const randomPositions = Array.from({ length: number ?? DEFAULT_CUTS }, () => random.between(0, events.length))
  return [
    ...sample(positions.names).flatMap((position) => [
      worstCut(position),
      randomCut(position),
      randomCut(position + 1),
    ]),
    ...sample(positions.log).map(randomCut),
    ...[...sample(positions.answers), ...sample(positions.outputs)].map((position) => worstCut(position + 1)),
    ...sample(positions.checkpoints, number ?? DEFAULT_CUTS).map(randomCut),
    ...randomPositions.map(randomCut),
  ].sort((a, b) => a.before - b.before)
}

/** Replays a trace up to each cut and writes the files as they are after it. */
export function* restoreAfterCuts(
  cuts: readonly Cut[],
  disk: DiskModel,
  events: readonly Event[],
  random: Random,
): Generator<RestoredFiles> {
  const folder = join(temporaryFolder(), 'found')
  let applied = 0
  for (const cut of cuts) {
    for (; applied < cut.before; applied++) disk.apply(events[applied]!)
    mkdirSync(folder)
    disk.restore(folder, random, cut)
    const unflushed = `contents ${cut.contents}, names ${cut.names}`
    yield {
      ...cut,
      folder,
      title: `before call ${cut.before} of ${events.length}, surviving unflushed data: ${unflushed}`,
    }
    rmSync(folder, { recursive: true })
  }
  for (; applied < events.length; applied++) disk.apply(events[applied]!)
}
