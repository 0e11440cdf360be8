import { closeSync, openSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from './connection.ts'
import { isBusy } from './fault.ts'
import { fileOf, sqliteOf } from './sqlite.ts'

const PATIENCE_MS = 2_000
const PAUSE_MS = 50

/** Rejects when the database cannot be used. */
export const databaseProbe = (db: Db): (() => Promise<void>) => (fileOf(db) ? fileProbe(db) : serverProbe(db))

/** Reads, then begins a transaction like one that writes, which a server that only reads refuses. */
function serverProbe({ $client }: Db): () => Promise<void> {
  const read = $client.prepare('select count(*) from settings').pluck()
  const begin = $client.transaction(() => read.get())
  return async () => void begin.immediate()
}

/** For a connection without a busy timeout: reads, opens the log, then takes and releases the write lock, all without writing; rejects when one of them fails. */
function fileProbe(db: Db): () => Promise<void> {
  const client = sqliteOf(db)
  const read = client.prepare('select count(*) from settings').pluck()
  const lock = client.prepare('begin immediate')
  const release = client.prepare('rollback')

  function takeLock(): void {
    lock.run()
    release.run()
  }

  /**
   * A file system can turn read-only under a running server, and a lock does not notice; opening for writing does.
   * It must not be the database itself: closing any handle to that ends the locks that SQLite has on it.
   */
  const openForWriting = () => closeSync(openSync(`${client.name}-wal`, 'r+'))

  async function probe(): Promise<void> {
    read.get()
    openForWriting()
    const end = performance.now() + PATIENCE_MS
    for (;;) {
      try {
        return takeLock()
      } catch (error) {
        if (!isBusy(error) || performance.now() > end) throw error
      }
      await wait(PAUSE_MS)
    }
  }

  // Many may ask at once; they share one answer.
  let running: Promise<void> | undefined
  return () => {
    running ??= probe().finally(() => {
      running = undefined
    })
    return running
  }
}
