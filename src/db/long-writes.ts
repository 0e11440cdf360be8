import { type Clock, systemClock } from '../lib/clock.ts'
import type { Db } from './connection.ts'
import { writeInWorker } from './write.ts'

/** A write by its name and its argument, since a function cannot be sent to a worker. */
export interface LongJob {
  name: string
  about: unknown
}

/** Runs a job in a worker, on a connection of its own and with this time as now. */
export type RunInWorker = (job: LongJob, now: number) => Promise<unknown>

interface LongWrite<About, Result> {
  name: string
  /** One transaction. */
  run: (about: About) => Promise<Result>
  /** Whether it writes so many rows that others would notice. */
  isLong: (about: About) => boolean
}

interface Dependencies {
  db: Db
  clock?: Clock
  /** Without it every job runs on this connection. */
  runInWorker?: RunInWorker | undefined
}

/** This many rows are written in a few milliseconds. */
export const FEW_ROWS = 100

export type LongWrites = ReturnType<typeof longWrites>

/** Writes that change every flight of a user, an airport or a custom field. If these are many, a worker does it. */
export function longWrites({ db, clock = systemClock, runInWorker }: Dependencies) {
  const declared = new Map<string, (about: never) => Promise<unknown>>()

  function declare<About, Result>({ name, run, isLong }: LongWrite<About, Result>) {
    declared.set(name, run)
    return (about: About): Promise<Result> =>
      runInWorker && isLong(about)
        ? (writeInWorker(db, () => runInWorker({ name, about }, clock())) as Promise<Result>)
        : run(about)
  }

  return {
    declare,
    /** For the worker. */
    run: ({ name, about }: LongJob): Promise<unknown> => declared.get(name)!(about as never),
  }
}
