import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { closeDatabase, type Db, openDatabase } from '../../src/db/open.ts'
import { temporaryFolder } from './paxlog.ts'

/** Creates a data directory with a migrated, closed database. */
export function closedDatabase(fill: (db: Db) => void = () => undefined): { dataDir: string; file: string } {
  const dataDir = join(temporaryFolder(), 'data')
  mkdirSync(dataDir)
  const db = openDatabase(dataDir)
  fill(db)
  closeDatabase(db)
  return { dataDir, file: join(dataDir, 'paxlog.db') }
}

/** Opens a database that is closed after the test. */
export function openedDatabase(dataDir: string): Db {
  const db = openDatabase(dataDir)
  onTestFinished(() => closeDatabase(db))
  return db
}

/** Digests of all files in a folder by name. */
export function contentsOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      // Shared memory and an empty log are not part of the data.
      .filter((name) => !name.endsWith('-shm') && !(name.endsWith('-wal') && statSync(join(folder, name)).size === 0))
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]),
  )
}

/** Returns the message of the thrown error, and fails if there is none. */
export function errorMessageOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    const { name, message } = error as Error
    if (name !== 'StartupError') throw error
    return message
  }
  throw new Error('No error was thrown.')
}
