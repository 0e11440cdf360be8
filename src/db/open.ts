import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { makeOwn } from '../lib/own-file.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Db } from './connection.ts'
import { databasePath, prepareDirectory } from './directory.ts'
import { migrate } from './migrate.ts'
import { POSTGRES_STATEMENT_MS } from './postgres/client.ts'
import { migratePostgres } from './postgres/migrate.ts'
import { connectPostgres, postgresOf } from './postgres/open.ts'
import { connectFile, fileOf, overFile, requiredPragmas } from './sqlite.ts'
import { setMaxWait } from './write.ts'

export type { Db }

/** An earlier release left the modes of what it made to the umask. */
function closeToOthers(dataDir: string): void {
  const ours = /^paxlog(-before-.*)?\.db(-wal|-shm|\.partial)?$/
  for (const name of readdirSync(dataDir)) if (ours.test(name)) makeOwn(join(dataDir, name))
}

/** As long as another process may take to migrate and to load the shipped data, on a slow machine. */
export const START_PATIENCE_MS = 120_000

/** How long a write waits for one of another process. At a start nobody is served yet, and several starts wait for each other. */
export function setPatience(db: Db, ms?: number): void {
  postgresOf(db)?.setPatience(ms ?? POSTGRES_STATEMENT_MS)
  fileOf(db)?.pragma(`busy_timeout = ${ms ?? requiredPragmas.busy_timeout}`)
  setMaxWait(db, ms)
}

/** For a server: its writes wait in `write`, since SQLite's own wait would block the event loop. */
export const disableBusyTimeout = (db: Db): void => void fileOf(db)?.pragma('busy_timeout = 0')

/** For work that nobody else waits for: one statement of it may take as long as a start. Locks are waited for as ever. */
export const allowLongStatements = (db: Db): void => postgresOf(db)?.setPatience(START_PATIENCE_MS)

/**
 * Opens, checks and migrates the database, or makes a new one; every fault is a Refusal, and nothing is overwritten. It is
 * the file in the data directory, or where a URL is given the database there.
 */
export function openDatabase(dataDir: string, databaseUrl?: string, given = 'DATABASE_URL'): Db {
  prepareDirectory(dataDir)
  const db = databaseUrl === undefined ? connectFile(dataDir) : connectPostgres(databaseUrl, dataDir)
  try {
    // Not before the file was seen to be ours.
    if (databaseUrl === undefined) closeToOthers(dataDir)
    setPatience(db, START_PATIENCE_MS)
    if (databaseUrl === undefined) migrate(db, dataDir)
    else migratePostgres(db, given)
    setPatience(db)
  } catch (cause) {
    db.$client.close()
    throw cause
  }
  return db
}

/** Opens a database that must be there, as it is: nothing is made and nothing is migrated. */
export function openExisting(dataDir: string, databaseUrl?: string): Db {
  if (databaseUrl !== undefined) return connectPostgres(databaseUrl, dataDir)
  if (!existsSync(databasePath(dataDir))) throw new Refusal(`There is no database in ${dataDir}.`)
  return connectFile(dataDir)
}

/** A database without a file, for documents that need the services but no data. */
export function openInMemory(): Db {
  const db = overFile(new Database(':memory:'))
  migrate(db, '')
  return db
}

/** Leaves no write-ahead log behind, so that the one file is the whole database. */
export function closeDatabase(db: Db): void {
  // While somebody else still works on the file, the log is theirs to tidy.
  fileOf(db)?.pragma('busy_timeout = 0')
  fileOf(db)?.pragma('wal_checkpoint(truncate)')
  db.$client.close()
}
