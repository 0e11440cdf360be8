import { setImmediate as nextTurn } from 'node:timers/promises'
import { flightChanges } from '../../db/flight-changes.ts'
import type { Db } from '../../db/open.ts'
import type { Position } from '../../lib/cursor.ts'
import { lru } from '../../lib/lru.ts'
import { logParts, type Parts } from './parts.ts'
import { type Selection, statsStore } from './store.ts'

/** Of all logs together; some ten megabytes. */
const MOST_FLIGHTS = 200_000
/** Blocks read again in one turn; where more were written, a pass over the log takes less. */
const MOST_BLOCKS = 8

/** A log as it was at some moment. */
export interface Passed {
  mark: number
  parts: Parts
}

/**
 * Logs are kept in parts: after a write only the blocks of the flights concerned are read again. The first pass over a
 * log leaves room for others between its slices, and what was written meanwhile is read again at its end.
 */
export function logReader(db: Db) {
  const store = statsStore(db)
  const changes = flightChanges(db)
  const kept = lru<Passed>(MOST_FLIGHTS, ({ parts }) => 1 + parts.flights())
  const passes = new Map<string, Promise<Passed>>()

  /** Stops after every slice but the last one. */
  function* slices(selection: Selection, now: number): Generator<undefined, Passed> {
    const passed = { mark: changes.mark(), parts: logParts() }
    let after: Position | undefined
    for (;;) {
      const { rows, end } = store.slice(selection, after)
      passed.parts.add(rows, now)
      if (!end) return passed
      after = end
      yield
    }
  }

  function atOnce(selection: Selection, now: number): Passed {
    const work = slices(selection, now)
    for (;;) {
      const { done, value } = work.next()
      if (done) return value
    }
  }

  async function inTurns(selection: Selection, now: number): Promise<Passed> {
    const work = slices(selection, now)
    for (;;) {
      const { done, value } = work.next()
      if (done) return value
      await nextTurn()
    }
  }

  /** Goes through a log while others are served; whoever asks for the same one waits for the same pass. */
  function pass(name: string, selection: Selection, now: number): Promise<Passed> {
    const running = passes.get(name) ?? inTurns(selection, now).finally(() => passes.delete(name))
    passes.set(name, running)
    return running
  }

  function renew({ parts }: Passed, selection: Selection, blocks: ReadonlySet<number>, now: number): Passed {
    const mark = changes.mark()
    // Everything is read before anything is replaced: a disk that fails half way leaves all as it was.
    const read = [...blocks].map((block) => [block, store.block(selection, block)] as const)
    for (const [block, rows] of read) parts.replace(block, rows, now)
    return { mark, parts }
  }

  /** What was passed, brought to this moment; undefined where that would take longer than another pass. */
  function renewed(passed: Passed, selection: Selection, now: number): Passed | undefined {
    const written = changes.since(passed.mark)
    if (!written) return undefined
    const blocks = new Set([...written, ...passed.parts.outdated(now)])
    return blocks.size > MOST_BLOCKS ? undefined : renew(passed, selection, blocks, now)
  }

  /**
   * Gives the log of this moment to a function, all of it in one state; undefined where it has to be gone through
   * first, unless that is to be done here and now.
   */
  function read<Result>(
    name: string,
    selection: Selection,
    { now, passed = kept.get(name), hurry, use }: Reading<Result>,
  ): Result | undefined {
    return changes.snapshot(() => {
      const current = (passed && renewed(passed, selection, now)) ?? (hurry ? atOnce(selection, now) : undefined)
      if (!current) return undefined
      kept.set(name, current)
      return use(current.parts)
    })
  }

  return { pass, read }
}

interface Reading<Result> {
  now: number
  passed: Passed | undefined
  hurry: boolean
  use: (parts: Parts) => Result
}
