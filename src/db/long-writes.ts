import { type Clock, systemClock } from '../lib/clock.ts'
import type { Db } from './connection.ts'
import { writeInWorker } from './write.ts'

/** Name and input, since a function cannot be sent to a worker. */
export interface LongJob {
  name: string
  input: unknown
}

export type RunInWorker = (job: LongJob, now: number) => Promise<unknown>

interface LongWrite<Input, Result> {
  name: string
  run: (input: Input) => Promise<Result>
  isLong: (input: Input) => boolean
}

interface Dependencies {
  db: Db
  clock?: Clock
  runInWorker?: RunInWorker | undefined
}

export const INLINE_ROW_LIMIT = 100

export type LongWrites = ReturnType<typeof longWrites>

/**
 * For writes that may change many flights, such as those of a user, an airport or a custom field. Long ones run in a
 * worker.
 */
export function longWrites({ db, clock = systemClock, runInWorker }: Dependencies) {
  const declared = new Map<string, (input: never) => Promise<unknown>>()

  function declare<Input, Result>({ name, run, isLong }: LongWrite<Input, Result>) {
    declared.set(name, run)
    return (input: Input): Promise<Result> =>
      runInWorker && isLong(input)
        ? (writeInWorker(db, () => runInWorker({ name, input }, clock())) as Promise<Result>)
        : run(input)
  }

  return {
    declare,
    run: ({ name, input }: LongJob): Promise<unknown> => declared.get(name)!(input as never),
  }
}
