import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { packageRoot } from '../lib/package-root.ts'
import { Refusal } from '../lib/refusal.ts'
import { backUpTo } from './backup.ts'
import type { Db } from './connection.ts'
import { databaseFault } from './fault.ts'
import { sqliteOf } from './sqlite.ts'

const FOLDER = join(packageRoot, 'migrations')

/** drizzle-kit's own name for its record of what was applied. */
const RECORD = '__drizzle_migrations'

export interface SchemaState {
  applied: number
  /** Migrations that this program has and the database has not. */
  pending: MigrationMeta[]
  /** True when the database was written by a newer program. */
  newer: boolean
}

export function schemaState(db: Db, folder = FOLDER): SchemaState {
  const migrations = readMigrationFiles({ migrationsFolder: folder })
  const recorded = db.$client.prepare('select 1 from sqlite_schema where name = ?').pluck().get(RECORD)
  const hashes = recorded ? (db.$client.prepare(`select hash from ${RECORD}`).pluck().all() as string[]) : []
  const known = new Set(migrations.map((migration) => migration.hash))
  const done = new Set(hashes)
  return {
    applied: hashes.length,
    pending: migrations.filter((migration) => !done.has(migration.hash)),
    newer: hashes.some((hash) => !known.has(hash)),
  }
}

function backUp(db: Db, dataDir: string): string {
  const stamp = new Date().toISOString().replace(/[:.]/g, '-')
  // Two processes may start in the same millisecond.
  const file = join(dataDir, `paxlog-before-${stamp}-${process.pid}.db`)
  backUpTo(db, file)
  return file
}

/**
 * Applies what is pending in one transaction: all of it or nothing. Files and record are those of Drizzle, its migrator
 * is not used: it looks for what is pending before it has the lock, so that two processes that start together would
 * both apply it; it commits before references could be checked; and by the date of the last migration alone it takes
 * the database of a newer version for an up-to-date one.
 */
export function migrate(db: Db, dataDir: string, folder = FOLDER): void {
  const before = schemaState(db, folder)
  if (before.newer) {
    throw new Refusal(
      `The database in ${dataDir} was written by a newer Paxlog: start that version, or put back a backup made by this one.`,
    )
  }
  if (before.pending.length === 0) return
  const backup = before.applied > 0 ? backUp(db, dataDir) : undefined
  const client = sqliteOf(db)
  // Rebuilding a table drops it for a moment; the references are checked as a whole before the commit.
  client.pragma('foreign_keys = off')
  try {
    client
      .transaction(() => {
        client.exec(
          `create table if not exists ${RECORD} (id integer primary key, hash text not null, created_at numeric)`,
        )
        // Another process may have migrated while this one waited for the lock.
        for (const migration of schemaState(db, folder).pending) {
          for (const statement of migration.sql) client.exec(statement)
          client
            .prepare(`insert into ${RECORD} (hash, created_at) values (?, ?)`)
            .run(migration.hash, migration.folderMillis)
        }
        const dangling = client.pragma('foreign_key_check') as unknown[]
        if (dangling.length > 0)
          throw new Refusal('The migration would leave rows that point nowhere, so it was undone.')
      })
      .immediate()
  } catch (cause) {
    // The database is as it was; a copy for each attempt would fill the disk of a server that restarts by itself.
    if (backup) rmSync(backup)
    if (cause instanceof Refusal || databaseFault(cause)) throw cause
    throw new Refusal(`The migration failed and was undone, so nothing was changed: ${(cause as Error).message}.`, {
      cause,
    })
  } finally {
    client.pragma('foreign_keys = on')
  }
}
