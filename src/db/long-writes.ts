import { type Clock, systemClock } from '../lib/clock.ts'
import { dataVersion } from './data-version.ts'
import type { Db } from './open.ts'
import { writeGate } from './write-gate.ts'

/** A write by its name and what it is about, since a function cannot be sent to a thread. */
export interface LongJob {
  name: string
  about: unknown
}

/** Does such a write in a thread and on a connection of its own, as of this moment. */
export type Elsewhere = (job: LongJob, now: number) => Promise<unknown>

interface LongWrite<About, Result> {
  name: string
  /** One transaction. */
  here: (about: About) => Result
  /** Whether it writes so many rows that others would have to wait for it. */
  isLong: (about: About) => boolean
}

interface Dependencies {
  db: Db
  clock?: Clock
  /** Where long ones are done; here when absent. */
  elsewhere?: Elsewhere | undefined
}

/** So many rows are written in a few milliseconds. */
export const FEW_ROWS = 100

export type LongWrites = ReturnType<typeof longWrites>

/**
 * Writes of as many flights as something has. Where these are many the work is done elsewhere, one at a time: who reads
 * sees the state before, and who writes waits at the gate as for an import.
 */
export function longWrites({ db, clock = systemClock, elsewhere }: Dependencies) {
  const gate = writeGate(db)
  const versions = dataVersion(db)
  const declared = new Map<string, (about: never) => unknown>()
  let last: Promise<unknown> = Promise.resolve()

  async function alone(work: Elsewhere, job: LongJob): Promise<unknown> {
    gate.close()
    try {
      return await work(job, clock())
    } finally {
      versions.pollNow()
      gate.open()
    }
  }

  function declare<About, Result>({ name, here, isLong }: LongWrite<About, Result>) {
    declared.set(name, here)
    return (about: About): Result | Promise<Result> => {
      if (!elsewhere || !isLong(about)) return here(about)
      const done = last.then(() => alone(elsewhere, { name, about })) as Promise<Result>
      last = done.catch(() => undefined)
      return done
    }
  }

  return {
    declare,
    /** For the thread that does it. */
    here: ({ name, about }: LongJob): unknown => declared.get(name)!(about as never),
  }
}
