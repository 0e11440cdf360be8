import { closeSync, openSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from '../connection.ts'
import { isBusy } from '../errors.ts'
import { requireSqlite, sqliteOf } from '../sqlite/sqlite.ts'

const LOCK_TIMEOUT_MS = 2_000
const RETRY_MS = 50

export const databaseProbe = (db: Db): (() => Promise<void>) => (sqliteOf(db) ? fileProbe(db) : serverProbe(db))

/** A standby rejects the transaction. A primary may be configured to be read-only. */
function serverProbe({ $client }: Db): () => Promise<void> {
  const read = $client.prepare("select current_setting('transaction_read_only'), count(*) from settings").pluck()
  const begin = $client.transaction(() => {
    if (read.get() === 'on') throw new Error('The database is read-only.')
  })
  return async () => void begin.immediate()
}

/**
 * For a connection without a busy timeout: reads, opens the log for writing, then takes and releases the write lock.
 */
function fileProbe(db: Db): () => Promise<void> {
  const client = requireSqlite(db)
  const read = client.prepare('select count(*) from settings').pluck()
  const lock = client.prepare('begin immediate')
  const release = client.prepare('rollback')

  function takeLock(): void {
    lock.run()
    release.run()
  }

  /**
   * A file system can become read-only under a running server, which locks do not reveal. Not the database file itself:
   * closing any handle to it would release the locks of SQLite.
   */
  const openForWriting = () => closeSync(openSync(`${client.name}-wal`, 'r+'))

  async function probe(): Promise<void> {
    read.get()
    openForWriting()
    const end = performance.now() + LOCK_TIMEOUT_MS
    for (;;) {
      try {
        return takeLock()
      } catch (error) {
        if (!isBusy(error) || performance.now() > end) throw error
      }
      await wait(RETRY_MS)
    }
  }

  let running: Promise<void> | undefined
  return () => {
    running ??= probe().finally(() => {
      running = undefined
    })
    return running
  }
}
