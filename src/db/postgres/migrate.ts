import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../lib/package-root.ts'
import { StartupError } from '../../lib/startup-error.ts'
import type { Db } from '../connection.ts'
import { compareMigrations } from '../maintenance/migrate.ts'
import { describeReason } from './errors.ts'

const FOLDER = join(packageRoot, 'migrations/postgres')
const MIGRATIONS_TABLE = 'paxlog_migrations'

const LOCK = 0x5041584c

export const MIN_POSTGRES_VERSION = 150_000

function migrationsIn(folder: string) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name) => {
    const sql = readFileSync(join(folder, name), 'utf8')
    return { name, sql, hash: createHash('sha256').update(sql).digest('hex') }
  })
}

export function postgresSchemaState({ $client }: Db, folder = FOLDER) {
  const isRecorded = $client.prepare('select to_regclass(?) is not null').pluck().get(MIGRATIONS_TABLE) === 1
  const hashes = isRecorded ? ($client.prepare(`select hash from ${MIGRATIONS_TABLE}`).pluck().all() as string[]) : []
  return compareMigrations(migrationsIn(folder), hashes)
}

function requireUsable({ $client }: Db): void {
  const [version, encoding] = $client
    .prepare("select current_setting('server_version_num')::bigint, current_setting('server_encoding')")
    .raw()
    .get() as [number, string]
  if (version < MIN_POSTGRES_VERSION)
    throw new StartupError(`PostgreSQL ${Math.floor(version / 10_000)} is too old. Use 15 or newer.`)
  if (encoding !== 'UTF8')
    throw new StartupError(`The database has the encoding ${encoding}. Create one with the encoding UTF8.`)
}

/**
 * Applies pending migrations in one transaction. Concurrent starts wait for each other. `urlSource` is the setting or
 * option of the URL.
 */
export function migratePostgres(db: Db, urlSource: string): void {
  const client = db.$client
  try {
    requireUsable(db)
    const { pending, newer } = postgresSchemaState(db)
    if (newer) throw new StartupError('The database was written by a newer version of Paxlog. Start that version.')
    if (pending.length === 0) return
    // A session lock, because the snapshot of the transaction must begin after the lock is taken.
    client.prepare('select pg_advisory_lock(?)').get(LOCK)
    try {
      client
        .transaction(() => {
          client.exec(`create table if not exists ${MIGRATIONS_TABLE} (hash text primary key, name text not null)`)
          for (const { sql, hash, name } of postgresSchemaState(db).pending) {
            client.exec(sql)
            client.prepare(`insert into ${MIGRATIONS_TABLE} (hash, name) values (?, ?)`).run(hash, name)
          }
        })
        .immediate()
    } finally {
      client.prepare('select pg_advisory_unlock(?)').get(LOCK)
    }
  } catch (cause) {
    const reason = describeReason(cause)
    if (reason === undefined) throw cause
    throw new StartupError(`The database of ${urlSource} cannot be used: ${reason}.`, { cause })
  }
}
