import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { closeDatabase, type Db, openDatabase } from '../../src/db/open.ts'
import { temporaryFolder } from './paxlog.ts'

/** A data directory of its own, and in it a migrated database that was closed in good order. */
export function closedDatabase(fill: (db: Db) => void = () => undefined): { dataDir: string; file: string } {
  const dataDir = join(temporaryFolder(), 'data')
  mkdirSync(dataDir)
  const db = openDatabase(dataDir)
  fill(db)
  closeDatabase(db)
  return { dataDir, file: join(dataDir, 'paxlog.db') }
}

/** An open database that is closed with the test. */
export function openedDatabase(dataDir: string): Db {
  const db = openDatabase(dataDir)
  onTestFinished(() => closeDatabase(db))
  return db
}

/** Every file of a folder by name, with a digest of its contents. */
export function contentsOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      // Shared memory and an empty log belong to the connections, not to the data.
      .filter((name) => !name.endsWith('-shm') && !(name.endsWith('-wal') && statSync(join(folder, name)).size === 0))
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]),
  )
}

/** The message of whatever is thrown; fails when nothing is. */
export function refusalOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    const { name, message } = error as Error
    if (name !== 'StartupError') throw error
    return message
  }
  throw new Error('Nothing was refused.')
}
