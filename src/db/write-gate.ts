import { setTimeout as wait } from 'node:timers/promises'
import type Database from 'better-sqlite3'
import { isBusy } from './fault.ts'
import type { Db } from './open.ts'
import { perConnection } from './per-connection.ts'
import type { PostgresEngine } from './postgres/client.ts'
import { errorOf } from './postgres/fault.ts'
import { postgresOf } from './postgres/open.ts'
import { sqliteOf } from './sqlite.ts'

/** How often somebody who waits for another program looks whether it is done. */
const LOOK_MS = 10
/** So many times as long as SQLite itself would wait: half a minute, as an import may have to wait for another one. */
const PATIENCE = 6

interface Look {
  busy: () => unknown
  longest: number
}

/** Looks whether another program writes at this moment, without waiting for it; gives what SQLite says then. */
function lookAtFile(client: Database.Database): Look {
  const usual = Number(client.pragma('busy_timeout', { simple: true }))
  const [impatient, patient, begin, end] = [
    client.prepare('pragma busy_timeout = 0'),
    client.prepare(`pragma busy_timeout = ${usual}`),
    client.prepare('begin immediate'),
    client.prepare('rollback'),
  ] as const
  function busy(): unknown {
    if (client.inTransaction) return undefined
    impatient.get()
    try {
      begin.run()
      end.run()
      return undefined
    } catch (error) {
      // A full or broken disk is told by the write itself.
      return isBusy(error) ? error : undefined
    } finally {
      patient.get()
    }
  }
  return { busy, longest: usual * PATIENCE }
}

/** The same in PostgreSQL: every write of flights has this lock, see `new_change` of its migrations. */
function lookAtServer(client: PostgresEngine): Look {
  const tryLock = client.prepare('select pg_try_advisory_xact_lock(1346459724, 1)').pluck()
  const fault = { code: '55P03', message: 'Another process has written flights for half a minute.' }
  return {
    busy: () => (client.inTransaction || tryLock.get() === 1 ? undefined : errorOf(fault)),
    longest: 30_000,
  }
}

function lookOutside(db: Db): Look {
  const server = postgresOf(db)
  return server ? lookAtServer(server) : lookAtFile(sqliteOf(db))
}

/**
 * While another thread of this process, or another program such as `paxlog import`, writes for long, writes of this
 * connection wait for it here. Without the gate they would wait inside of SQLite, and with them everybody who only reads.
 */
export const writeGate = perConnection((db) => {
  let closed: Promise<void> | undefined
  let open = () => undefined as void
  let closers = 0
  let outside: Promise<void> | undefined
  let isKnownFree = false
  let look: Look | undefined

  async function untilFree({ busy, longest }: Look): Promise<void> {
    const last = performance.now() + longest
    for (let error = busy(); error !== undefined; error = busy()) {
      if (performance.now() > last) throw error
      await wait(LOOK_MS)
    }
  }

  /** One look is enough for all who come in the same turn. */
  function outsiders(): Promise<void> | undefined {
    if (outside || isKnownFree) return outside
    look ??= lookOutside(db)
    if (look.busy() === undefined) {
      isKnownFree = true
      setImmediate(() => {
        isKnownFree = false
      })
      return undefined
    }
    outside = untilFree(look).finally(() => {
      outside = undefined
    })
    // Some only ask whether they would have to wait.
    outside.catch(() => undefined)
    return outside
  }

  return {
    /** Settles when it is open again, and fails where another program never ends; undefined while it is open. */
    closed: () => closed ?? outsiders(),
    /** Several may do so at a time: it opens with the last of them. */
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
