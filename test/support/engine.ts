import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import type { Db } from '../../src/db/open.ts'
import { type PostgresEngine, postgresClient } from '../../src/db/postgres/client.ts'
import { sqliteOf } from '../../src/db/sqlite/sqlite.ts'

/**
 * Runs tests on SQLite or PostgreSQL. With TEST_ENGINE=postgres each data directory has a database on a PostgreSQL server
 * of the test run. Otherwise the databases are files, and these functions do nothing.
 */

export const isPostgres = process.env.TEST_ENGINE === 'postgres'

/** With PostgreSQL, requests alternate between two apps on the same database. */
export const requests = { alternate: true }

/** Sends all requests of the current test to one app, for tests of what one process caches, counts or queues. */
export function useOneProcess(): void {
  requests.alternate = false
  onTestFinished(() => {
    requests.alternate = true
  })
}

/** Created by `build.ts`: one without rows and one with the shipped reference data. */
const [TEMPLATE, LOADED] = ['paxlog_template', 'paxlog_loaded']

let administration: PostgresEngine | undefined
const databaseNames = new Map<string, string>()

/** The URL of the server of this worker. */
const server = () => inject('postgres')[Number(process.env.VITEST_POOL_ID) - 1]

function administrate(sql: string): void {
  administration ??= postgresClient(`${server()}/postgres`, { name: '' })
  administration.exec(sql)
}

/** The URL of the database of a data directory, which is created if needed; undefined for SQLite. */
export function databaseUrl(dataDir: string, template = TEMPLATE): string | undefined {
  if (!server()) return undefined
  const known = databaseNames.get(dataDir)
  if (known) return `${server()}/${known}`
  const name = `test_${createHash('sha256').update(dataDir).digest('hex').slice(0, 32)}`
  administrate(`create database ${name} template ${template}`)
  databaseNames.set(dataDir, name)
  return `${server()}/${name}`
}

/** Like `databaseUrl`, with the shipped reference data. */
export const loadedDatabaseUrl = (dataDir: string) => databaseUrl(dataDir, LOADED)

/** The URL of an existing database of a data directory; undefined if there is none. */
export const knownDatabaseUrl = (dataDir: string) => (databaseNames.has(dataDir) ? databaseUrl(dataDir) : undefined)

/** Drops the databases of the data directories in a folder. */
export function dropDatabases(folder: string): void {
  for (const [dataDir, name] of databaseNames) {
    if (dataDir !== folder && !dataDir.startsWith(join(folder, '/'))) continue
    databaseNames.delete(dataDir)
    administrate(`drop database if exists ${name} with (force)`)
  }
}

/** Advances the id sequence of a table. */
export function skipIds(db: Db, table: string, count: number): void {
  const file = sqliteOf(db)
  if (!file) {
    db.$client.prepare("select nextval(pg_get_serial_sequence(?, 'id')) from generate_series(1, ?)").all(table, count)
    return
  }
  const { changes } = file.prepare('update sqlite_sequence set seq = seq + ? where name = ?').run(count, table)
  if (changes === 0) file.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(table, count)
}

/** Makes inserts of matching rows fail until the returned function is called. */
export function refuseInserts({ $client }: Db, table: string, condition = 'true'): () => void {
  const isFile = sqliteOf({ $client }) !== undefined
  if (isFile)
    $client.exec(
      `create trigger refused before insert on ${table} when ${condition} begin select raise(abort, 'provoked'); end`,
    )
  else
    $client.exec(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'provoked'; end $$;
      create trigger refused before insert on ${table} for each row when (${condition}) execute function refuse()`)
  return () => void $client.exec(isFile ? 'drop trigger refused' : 'drop function refuse cascade')
}
