import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import type { Db } from '../../src/db/open.ts'
import { type PostgresEngine, postgresClient } from '../../src/db/postgres/client.ts'
import { sqliteOf } from '../../src/db/sqlite/sqlite.ts'

/**
 * Tests of behaviour run on either engine. With TEST_ENGINE=postgres the databases of apps that tests make are in a
 * PostgreSQL that the run has started, one for each data directory; else they are files, and nothing here does anything.
 */

export const isPostgres = process.env.TEST_ENGINE === 'postgres'

/** With PostgreSQL, requests alternate between two apps on the same database. */
export const requests = { goInTurns: true }

/** Sends all requests of the current test to one app, for tests of what one process caches, counts or queues. */
export function useOneProcess(): void {
  requests.goInTurns = false
  onTestFinished(() => {
    requests.goInTurns = true
  })
}

/** As `build.ts` has made them: without rows, and with the shipped reference data. */
const [TEMPLATE, LOADED] = ['paxlog_template', 'paxlog_loaded']

let administration: PostgresEngine | undefined
const made = new Map<string, string>()

/** Of this worker. */
const server = () => inject('postgres')[Number(process.env.VITEST_POOL_ID) - 1]

function administrate(sql: string): void {
  administration ??= postgresClient(`${server()}/postgres`, { name: '' })
  administration.exec(sql)
}

/** Of the database that belongs to a data directory; undefined where that is a file. */
export function databaseUrl(dataDir: string, template = TEMPLATE): string | undefined {
  if (!server()) return undefined
  const known = made.get(dataDir)
  if (known) return `${server()}/${known}`
  const name = `test_${createHash('sha256').update(dataDir).digest('hex').slice(0, 32)}`
  administrate(`create database ${name} template ${template}`)
  made.set(dataDir, name)
  return `${server()}/${name}`
}

/** The same with the shipped reference data in it. */
export const loadedDatabaseUrl = (dataDir: string) => databaseUrl(dataDir, LOADED)

/** The same, where one was made for it already; a process that is started on another directory has a file. */
export const knownDatabaseUrl = (dataDir: string) => (made.has(dataDir) ? databaseUrl(dataDir) : undefined)

/** Those of the data directories that go with a folder. */
export function dropDatabases(folder: string): void {
  for (const [dataDir, name] of made) {
    if (dataDir !== folder && !dataDir.startsWith(join(folder, '/'))) continue
    made.delete(dataDir)
    administrate(`drop database if exists ${name} with (force)`)
  }
}

/** So many ids are never given. */
export function skipIds(db: Db, table: string, count: number): void {
  const file = sqliteOf(db)
  if (!file) {
    db.$client.prepare("select nextval(pg_get_serial_sequence(?, 'id')) from generate_series(1, ?)").all(table, count)
    return
  }
  const { changes } = file.prepare('update sqlite_sequence set seq = seq + ? where name = ?').run(count, table)
  if (changes === 0) file.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(table, count)
}

/** Until it is called off, the database itself fails where such a row is inserted. */
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
