import type { Caller } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { writeGate } from '../../db/write-gate.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Actor } from '../activity/service.ts'
import type { User, UserChange } from './contract.ts'

/** An account that goes: by whom, and what must still be so when it does. */
export type Removal = { id: string } & (
  | { way: 'administration'; caller: Caller }
  | { way: 'password'; by: Actor; passwordHash: string | undefined }
  | { way: 'provider'; by: Actor }
)

export interface Change {
  id: string
  caller: Caller
  body: Omit<UserChange, 'password'>
  passwordHash: string | undefined
}

/** Writes that are of every flight of an account, and so take as long as its log is. */
export interface AccountWrites {
  remove: (removal: Removal) => void
  change: (change: Change) => User
}

export type AccountJob = { name: 'remove'; about: Removal } | { name: 'change'; about: Change }

/** Does such a write in a thread and on a connection of its own, as of this moment. */
export type AccountWork = (job: AccountJob, now: number) => Promise<unknown>

/** The places of so many flights are written in a few milliseconds; a track alone may take longer. */
const FEW_PLACES = 100

interface Dependencies {
  db: Db
  clock: Clock
  here: AccountWrites
  elsewhere: AccountWork | undefined
  hasShortLog: (id: string, places: number) => boolean
}

/**
 * Where the log is long the work is done elsewhere, one at a time: who reads sees the state before, and who writes waits at
 * the gate as for an import.
 */
export function accountWork({ db, clock, here, elsewhere, hasShortLog }: Dependencies) {
  const gate = writeGate(db)
  let last: Promise<unknown> = Promise.resolve()

  async function alone(work: AccountWork, job: AccountJob): Promise<unknown> {
    gate.close()
    try {
      return await work(job, clock())
    } finally {
      gate.open()
    }
  }

  function isLong({ name, about }: AccountJob): boolean {
    // Names alone are part of flights.
    if (name === 'change' && about.body.username === undefined && about.body.displayName === undefined) return false
    return !hasShortLog(about.id, FEW_PLACES)
  }

  function perform(job: AccountJob): unknown {
    if (!elsewhere || !isLong(job)) return job.name === 'remove' ? here.remove(job.about) : here.change(job.about)
    const done = last.then(() => alone(elsewhere, job))
    last = done.catch(() => undefined)
    return done
  }

  return {
    remove: (about: Removal) => perform({ name: 'remove', about }) as void | Promise<void>,
    change: (about: Change) => perform({ name: 'change', about }) as User | Promise<User>,
  }
}
