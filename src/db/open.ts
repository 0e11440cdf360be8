import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { chmodPrivate } from '../lib/private-file.ts'
import { StartupError } from '../lib/startup-error.ts'
import type { Db } from './connection.ts'
import { databasePath, prepareDirectory } from './directory.ts'
import { migrate } from './maintenance/migrate.ts'
import { REQUEST_LIMITS } from './postgres/client.ts'
import { migratePostgres } from './postgres/migrate.ts'
import { connectPostgres, postgresOf } from './postgres/open.ts'
import { openSqlite, requiredPragmas, sqliteOf, wrapSqlite } from './sqlite/sqlite.ts'
import { setMaxWait } from './write.ts'

export type { Db }

/** Earlier releases did not set the modes of their files. */
function restrictPermissions(dataDir: string): void {
  const ours = /^paxlog(-before-.*)?\.db(-wal|-shm|\.partial)?$/
  for (const name of readdirSync(dataDir)) if (ours.test(name)) chmodPrivate(join(dataDir, name))
}

/** Another process may be migrating or loading the shipped data on a slow machine. */
export const STARTUP_TIMEOUT_MS = 120_000

/** How long a write waits for a lock. Without `ms`, the default. */
export function setBusyTimeout(db: Db, ms?: number): void {
  sqliteOf(db)?.pragma(`busy_timeout = ${ms ?? requiredPragmas.busy_timeout}`)
  setMaxWait(db, ms)
}

/** For servers, whose event loop must not be blocked. Writes wait in `write` instead of SQLite. */
export function limitStatements(db: Db): void {
  postgresOf(db)?.setLimits(REQUEST_LIMITS)
  sqliteOf(db)?.pragma('busy_timeout = 0')
}

/**
 * Opens or creates, checks and migrates the database at the URL or in the data directory. All errors are StartupErrors.
 */
export function openDatabase(dataDir: string, databaseUrl?: string, urlSource = 'DATABASE_URL'): Db {
  prepareDirectory(dataDir)
  const db = databaseUrl === undefined ? openSqlite(dataDir) : connectPostgres(databaseUrl, dataDir)
  try {
    // Only after the file is known to be ours.
    if (databaseUrl === undefined) restrictPermissions(dataDir)
    setBusyTimeout(db, STARTUP_TIMEOUT_MS)
    if (databaseUrl === undefined) migrate(db, dataDir)
    else migratePostgres(db, urlSource)
    setBusyTimeout(db)
  } catch (cause) {
    db.$client.close()
    throw cause
  }
  return db
}

export function openExisting(dataDir: string, databaseUrl?: string): Db {
  if (databaseUrl !== undefined) return connectPostgres(databaseUrl, dataDir)
  if (!existsSync(databasePath(dataDir))) throw new StartupError(`There is no database in ${dataDir}.`)
  return openSqlite(dataDir)
}

export function openInMemory(): Db {
  const db = wrapSqlite(new Database(':memory:'))
  migrate(db, '')
  return db
}

/** Checkpoints the log so that the database is a single file. */
export function closeDatabase(db: Db): void {
  // If another process uses the file, it will checkpoint the log.
  sqliteOf(db)?.pragma('busy_timeout = 0')
  sqliteOf(db)?.pragma('wal_checkpoint(truncate)')
  db.$client.close()
}
