import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { packageRoot } from '../../lib/package-root.ts'
import { StartupError } from '../../lib/startup-error.ts'
import type { Db } from '../connection.ts'
import { describeDatabaseError } from '../errors.ts'
import { requireSqlite } from '../sqlite/sqlite.ts'
import { backupTo } from './backup.ts'

const FOLDER = join(packageRoot, 'migrations')

const MIGRATIONS_TABLE = '__drizzle_migrations'

export function compareMigrations<Migration extends { hash: string }>(known: Migration[], applied: string[]) {
  const hashes = known.map(({ hash }) => hash)
  return {
    applied: applied.length,
    pending: known.filter(({ hash }) => !applied.includes(hash)),
    newer: applied.some((hash) => !hashes.includes(hash)),
  }
}

export function schemaState(db: Db, folder = FOLDER) {
  const migrations = readMigrationFiles({ migrationsFolder: folder })
  const recorded = db.$client.prepare('select 1 from sqlite_schema where name = ?').pluck().get(MIGRATIONS_TABLE)
  const hashes = recorded ? (db.$client.prepare(`select hash from ${MIGRATIONS_TABLE}`).pluck().all() as string[]) : []
  return compareMigrations(migrations, hashes)
}

function backUp(db: Db, dataDir: string): string {
  const stamp = new Date().toISOString().replace(/[:.]/g, '-')
  const file = join(dataDir, `paxlog-before-${stamp}-${process.pid}.db`)
  backupTo(db, file)
  return file
}

/**
 * Applies pending migrations in one transaction. Drizzle's migrator is not used: it reads what is pending before it has
 * the lock, so that two processes could apply it twice; it commits before foreign keys are checked; and it does not
 * detect a newer database.
 */
export function migrate(db: Db, dataDir: string, folder = FOLDER): void {
  const before = schemaState(db, folder)
  if (before.newer) {
    throw new StartupError(
      `The database in ${dataDir} was written by a newer version of Paxlog. Start that version, or restore a backup of this one.`,
    )
  }
  if (before.pending.length === 0) return
  const backup = before.applied > 0 ? backUp(db, dataDir) : undefined
  const client = requireSqlite(db)
  // Rebuilding a table drops it temporarily; foreign keys are checked before the commit.
  client.pragma('foreign_keys = off')
  try {
    client
      .transaction(() => {
        client.exec(
          `create table if not exists ${MIGRATIONS_TABLE} (id integer primary key, hash text not null, created_at numeric)`,
        )
        // Another process may have migrated meanwhile.
        for (const migration of schemaState(db, folder).pending) {
          for (const statement of migration.sql) client.exec(statement)
          client
            .prepare(`insert into ${MIGRATIONS_TABLE} (hash, created_at) values (?, ?)`)
            .run(migration.hash, migration.folderMillis)
        }
        const dangling = client.pragma('foreign_key_check') as unknown[]
        if (dangling.length > 0)
          throw new StartupError('The migration would leave dangling references, so it was rolled back.')
      })
      .immediate()
  } catch (cause) {
    // Nothing changed; a backup for each attempt would fill the disk.
    if (backup) rmSync(backup)
    if (cause instanceof StartupError || describeDatabaseError(cause)) throw cause
    throw new StartupError(`The migration failed and was rolled back: ${(cause as Error).message}.`, { cause })
  } finally {
    client.pragma('foreign_keys = on')
  }
}
