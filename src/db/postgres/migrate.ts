import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../lib/package-root.ts'
import { StartupError } from '../../lib/startup-error.ts'
import type { Db } from '../connection.ts'
import { compareMigrations } from '../maintenance/migrate.ts'
import { LONG_LIMITS, MIGRATION_LIMITS } from './client.ts'
import { describeReason, isConflict, PostgresError } from './errors.ts'
import { postgresOf } from './open.ts'

const FOLDER = join(packageRoot, 'migrations/postgres')
const MIGRATIONS_TABLE = 'paxlog_migrations'

/**
 * The locks of `write`, of this and of the earlier release, in the order of `write`: servers keep answering while their
 * writes wait, and concurrent starts wait for each other.
 */
const WRITE_LOCKS = `
  do $$ begin if to_regclass('write_turn') is not null then lock table write_turn in exclusive mode; end if; end $$;
  select pg_advisory_xact_lock(1346459724, 1)`
/** Reads that need a table wait behind a migration that waits for it, so it waits for less than their `lock_timeout`. */
const LOCK_TIMEOUT_MS = 250
/** A long read of another program, such as pg_dump, can hold a table for minutes. */
const RETRY_FOR_MS = 90_000
const RETRY_PAUSE_MS = 1_000

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

const idle = new Int32Array(new SharedArrayBuffer(4))

const isLockTimeout = (error: unknown) =>
  [error, error instanceof Error && error.cause].some((each) => each instanceof PostgresError && each.code === '55P03')

function pendingMigrations(db: Db, folder?: string) {
  const { pending, newer } = postgresSchemaState(db, folder)
  if (newer) throw new StartupError('The database was written by a newer version of Paxlog. Start that version.')
  return pending
}

function applyPending(db: Db, folder?: string): void {
  const client = db.$client
  const apply = client.transaction(() => {
    // A serializable transaction would not see what another start applied while this one waited for the lock.
    client.exec('set transaction isolation level read committed')
    client.exec(WRITE_LOCKS)
    client.exec(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    client.exec(`create table if not exists ${MIGRATIONS_TABLE} (hash text primary key, name text not null)`)
    for (const { sql, hash, name } of pendingMigrations(db, folder)) {
      client.exec(sql)
      client.prepare(`insert into ${MIGRATIONS_TABLE} (hash, name) values (?, ?)`).run(hash, name)
    }
  }).immediate
  for (const end = performance.now() + RETRY_FOR_MS; ; ) {
    try {
      apply()
      return
    } catch (error) {
      if (!(isLockTimeout(error) || isConflict(error)) || performance.now() > end) throw error
    }
    Atomics.wait(idle, 0, 0, (1 + Math.random()) * RETRY_PAUSE_MS)
  }
}

/**
 * Applies pending migrations in one transaction, while other servers read and write. `urlSource` is the setting or option
 * of the URL.
 */
export function migratePostgres(db: Db, urlSource: string, folder?: string): void {
  try {
    requireUsable(db)
    if (pendingMigrations(db, folder).length === 0) return
    const postgres = postgresOf(db)!
    postgres.setLimits(MIGRATION_LIMITS)
    applyPending(db, folder)
    postgres.setLimits(LONG_LIMITS)
  } catch (cause) {
    const reason = describeReason(cause)
    if (reason === undefined) throw cause
    throw new StartupError(`The database of ${urlSource} cannot be used: ${reason}.`, { cause })
  }
}
