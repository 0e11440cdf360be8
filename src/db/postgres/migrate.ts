import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../lib/package-root.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Db } from '../connection.ts'
import { databaseReason } from './fault.ts'

const FOLDER = join(packageRoot, 'migrations/postgres')
const RECORD = 'paxlog_migrations'

/** "PAXL": nobody else in this database uses the number. */
const LOCK = 0x5041584c

export const oldestPostgres = 150_000

interface Migration {
  name: string
  sql: string
  hash: string
}

function migrationsIn(folder: string): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name) => {
    const sql = readFileSync(join(folder, name), 'utf8')
    return { name, sql, hash: createHash('sha256').update(sql).digest('hex') }
  })
}

/** Which of the migrations the database has had, and whether it had others. */
export function postgresSchemaState({ $client }: Db, folder = FOLDER) {
  const migrations = migrationsIn(folder)
  const isRecorded = $client.prepare('select to_regclass(?) is not null').pluck().get(RECORD) === 1
  const hashes = isRecorded ? ($client.prepare(`select hash from ${RECORD}`).pluck().all() as string[]) : []
  const known = new Set(migrations.map(({ hash }) => hash))
  return {
    applied: hashes.length,
    pending: migrations.filter(({ hash }) => !hashes.includes(hash)),
    newer: hashes.some((hash) => !known.has(hash)),
  }
}

function requireUsable({ $client }: Db): void {
  const [version, encoding] = $client
    .prepare("select current_setting('server_version_num')::bigint, current_setting('server_encoding')")
    .raw()
    .get() as [number, string]
  if (version < oldestPostgres)
    throw new Refusal(`PostgreSQL ${Math.floor(version / 10_000)} is too old: 15 or newer is needed.`)
  if (encoding !== 'UTF8')
    throw new Refusal(`The database has the encoding ${encoding}: create one with the encoding UTF8.`)
}

/**
 * Applies what is pending in one transaction: all of it or nothing. Several starts wait for each other. A fault names the
 * setting or option that gave the address.
 */
export function migratePostgres(db: Db, given: string): void {
  const client = db.$client
  try {
    requireUsable(db)
    const { pending, newer } = postgresSchemaState(db)
    if (newer) throw new Refusal('The database was written by a newer Paxlog: start that version.')
    if (pending.length === 0) return
    // Held by the session and not by the transaction, which must begin to read when the others are done.
    const lock = client.prepare('select pg_advisory_lock(?)')
    const unlock = client.prepare('select pg_advisory_unlock(?)')
    lock.get(LOCK)
    try {
      client
        .transaction(() => {
          client.exec(`create table if not exists ${RECORD} (hash text primary key, name text not null)`)
          for (const { sql, hash, name } of postgresSchemaState(db).pending) {
            client.exec(sql)
            client.prepare(`insert into ${RECORD} (hash, name) values (?, ?)`).run(hash, name)
          }
        })
        .immediate()
    } finally {
      unlock.get(LOCK)
    }
  } catch (cause) {
    const reason = databaseReason(cause)
    if (reason === undefined) throw cause
    throw new Refusal(`The database of ${given} cannot be used: ${reason}.`, { cause })
  }
}
