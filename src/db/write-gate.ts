import { setTimeout as wait } from 'node:timers/promises'
import type Database from 'better-sqlite3'
import { DatabaseLocked, isBusy } from './fault.ts'
import type { Db } from './open.ts'
import { perConnection } from './per-connection.ts'
import type { PostgresEngine } from './postgres/client.ts'
import { postgresOf } from './postgres/open.ts'
import { sqliteOf } from './sqlite.ts'

/** How often a waiting write checks whether another program still holds the lock. */
const POLL_MS = 10
/** Requests are answered within 10 s (contract 17.11), so a write gives up before that. */
const MAX_WAIT_MS = 8_000

/** Whether another connection holds the write lock at this moment. Never waits. */
type IsLocked = () => boolean

/** A server's connection has no busy timeout, so `begin immediate` fails at once while another program writes. */
function fileLock(client: Database.Database): IsLocked {
  const [begin, end] = [client.prepare('begin immediate'), client.prepare('rollback')] as const
  return () => {
    if (client.inTransaction) return false
    try {
      begin.run()
      end.run()
      return false
    } catch (error) {
      // The write itself reports a full or broken disk.
      return isBusy(error)
    }
  }
}

/** Every write of flights takes this lock in PostgreSQL, see `new_change` in its migrations. */
function serverLock(client: PostgresEngine): IsLocked {
  const tryLock = client.prepare('select pg_try_advisory_xact_lock(1346459724, 1)').pluck()
  let isKnownFree = false
  return () => {
    if (isKnownFree || client.inTransaction) return false
    if (tryLock.get() !== 1) return true
    // One query serves all writes of the same turn of the event loop.
    isKnownFree = true
    setImmediate(() => {
      isKnownFree = false
    })
    return false
  }
}

function lockOf(db: Db): IsLocked {
  const server = postgresOf(db)
  return server ? serverLock(server) : fileLock(sqliteOf(db))
}

/** Rejects after this time; the work is not cancelled. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const stop = new AbortController()
  const timeout = wait(ms, true, { signal: stop.signal, ref: false }).catch(() => false)
  try {
    if (await Promise.race([work.then(() => false), timeout])) throw new DatabaseLocked()
  } finally {
    stop.abort()
  }
}

/**
 * Writes wait here, without blocking the event loop, while an import or a long write of this process or another program
 * such as `paxlog import` holds the write lock. Reads go on.
 */
export const writeGate = perConnection((db) => {
  let closed: Promise<void> | undefined
  let open = () => undefined as void
  let closers = 0
  let isLocked: IsLocked | undefined
  let opening: Promise<void> | undefined

  function isLockedElsewhere(): boolean {
    isLocked ??= lockOf(db)
    return isLocked()
  }

  async function untilOpen(): Promise<void> {
    while (closed || isLockedElsewhere()) await (closed ?? wait(POLL_MS, undefined, { ref: false }))
  }

  return {
    /** Undefined while it is open; otherwise settles when it opens, and rejects after `MAX_WAIT_MS`. */
    closed(): Promise<void> | undefined {
      if (!opening && !closed && !isLockedElsewhere()) return undefined
      opening ??= untilOpen().finally(() => {
        opening = undefined
      })
      const opened = within(MAX_WAIT_MS, opening)
      // Some callers only check whether they would have to wait.
      opened.catch(() => undefined)
      return opened
    },
    /** May be called several times; the gate opens with the last `open`. */
    close(): void {
      closers++
      closed ??= new Promise((resolve) => {
        open = () => {
          closed = undefined
          resolve()
        }
      })
    },
    open(): void {
      if (--closers === 0) open()
    },
  }
})
