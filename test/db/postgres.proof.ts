import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgresSchema } from '../../src/build/postgres-schema.ts'
import type { Engine } from '../../src/db/engine.ts'
import { databaseProbe } from '../../src/db/maintenance/probe.ts'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { type PostgresEngine, postgresClient } from '../../src/db/postgres/client.ts'
import { write, writeAsOne } from '../../src/db/write.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'

let server: PostgresServer
let administration: PostgresEngine

beforeAll(async () => {
  server = await startPostgres()
  administration = postgresClient(server.url('postgres'), { name: '' })
})

afterAll(async () => {
  administration.close()
  await server.stop()
})

function newDatabase(name: string): string {
  administration.exec(`create database ${name}`)
  return server.url(name)
}

/** Tables that only PostgreSQL needs and `src/db/tables` does not declare. */
const POSTGRES_ONLY_TABLES = "('paxlog_migrations', 'limits', 'remembered', 'writers', 'write_turn')"
const POSTGRES_ONLY_INDEXES = "('flights_words', 'passengers_words', 'flights_by_completion')"

/** Columns, constraints and indexes as PostgreSQL describes them. */
function schemaOf(client: Engine): unknown[] {
  const read = (sql: string) => client.prepare(sql).raw().all()
  return [
    read(`select table_name, column_name, data_type, collation_name, is_nullable, column_default, is_identity
          from information_schema.columns where table_schema = 'public' and table_name not in ${POSTGRES_ONLY_TABLES}
          order by table_name, column_name`),
    read(`select conrelid::regclass::text, contype::text, pg_get_constraintdef(oid) from pg_constraint
          where connamespace = 'public'::regnamespace and conrelid <> 0
            and conrelid::regclass::text not in ${POSTGRES_ONLY_TABLES} order by 1, 2, 3`),
    read(`select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
          and tablename not in ${POSTGRES_ONLY_TABLES} and indexname not in ${POSTGRES_ONLY_INDEXES} order by 1, 2`),
  ]
}

describe('the readiness probe', () => {
  test('fails while the database is read-only', async () => {
    const db = openDatabase(temporaryFolder(), newDatabase('probed'))
    const probe = databaseProbe(db)
    await probe()
    db.$client.exec('set default_transaction_read_only = on')
    await expect(probe()).rejects.toThrow('read-only')
    db.$client.exec('set default_transaction_read_only = off')
    await probe()
    closeDatabase(db)
  })
})

describe('the schema in PostgreSQL', () => {
  test('matches the declared tables', () => {
    const db = openDatabase(temporaryFolder(), newDatabase('migrated'))
    const client = postgresClient(newDatabase('generated'), { name: '' })
    // A check constraint uses this function, which the schema does not declare.
    client.exec("create function json_valid(given text) returns boolean language sql immutable as 'select true'")
    client.exec(postgresSchema())
    expect(schemaOf(db.$client)).toEqual(schemaOf(client))
    closeDatabase(db)
    client.close()
  })
})

describe('a transaction', () => {
  test('is retried after a serialization failure', async () => {
    const url = newDatabase('conflicts')
    const [one, other] = [openDatabase(temporaryFolder(), url), openDatabase(temporaryFolder(), url)]
    const count = (db: typeof one) => db.$client.prepare('select count(*) from settings').pluck().get() as number
    const add = (db: typeof one, key: string, beforeInsert = () => undefined as void) => {
      const before = count(db)
      beforeInsert()
      db.$client.prepare('insert into settings (key, value) values (?, ?)').run(key, String(before))
    }
    let times = 0
    await write(one, 'uncached', () =>
      add(one, 'a', () => {
        if (++times === 1) other.$client.transaction(() => add(other, 'b')).immediate()
      }),
    )
    expect(times).toBe(2)
    expect(one.$client.prepare('select key, value from settings order by value').raw().all()).toEqual([
      ['b', '0'],
      ['a', '1'],
    ])
    closeDatabase(one)
    closeDatabase(other)
  })

  test('waits for another process without blocking the event loop', async () => {
    const url = newDatabase('waiting')
    const [one, other] = [openDatabase(temporaryFolder(), url), openDatabase(temporaryFolder(), url)]
    const add = (db: typeof one, key: string) =>
      db.$client.prepare('insert into settings (key, value) values (?, ?)').run(key, 'x')
    let isDone = false
    let waiting: Promise<unknown> = Promise.resolve()
    await writeAsOne(other, async () => {
      await write(other, 'uncached', () => add(other, 'first'))
      waiting = write(one, 'uncached', () => add(one, 'second')).finally(() => {
        isDone = true
      })
      await wait(100)
      expect(isDone).toBe(false)
    })
    await waiting
    expect(one.$client.prepare('select key from settings order by key').pluck().all()).toEqual(['first', 'second'])
    closeDatabase(one)
    closeDatabase(other)
  })

  test('that cannot begin leaves the connection usable', async () => {
    const db = openDatabase(temporaryFolder(), newDatabase('not_begun'))
    const { $client: client } = db
    client.exec('alter table write_turn rename to moved')
    await expect(write(db, 'uncached', () => undefined)).rejects.toThrow('write_turn')
    expect(client.prepare('select count(*) from settings').pluck().get()).toBe(0)
    client.exec('alter table moved rename to write_turn')
    await write(db, 'uncached', () => client.exec("insert into settings (key, value) values ('a', 'x')"))
    expect(client.prepare('select count(*) from settings').pluck().get()).toBe(1)
    closeDatabase(db)
  })

  test('does not continue on another connection', () => {
    const db = openDatabase(temporaryFolder(), newDatabase('broken'))
    const insert = db.$client.prepare('insert into settings (key, value) values (?, ?)')
    const work = db.$client.transaction(() => {
      insert.run('a', 'x')
      const pid = db.$client.prepare('select pg_backend_pid()').pluck().get()
      administration.exec(`select pg_terminate_backend(${pid})`)
      insert.run('b', 'x')
    })
    expect(() => work.immediate()).toThrow()
    expect(db.$client.prepare('select count(*) from settings').pluck().get()).toBe(0)
    closeDatabase(db)
  })
})

test('a prepared statement is prepared again when another process changes the type of a column', async () => {
  const db = openDatabase(temporaryFolder(), newDatabase('retyped'))
  const { $client: client } = db
  const other = postgresClient(server.url('retyped'), { name: '' })
  client.exec('create table things (size integer)')
  client.exec('insert into things values (7)')
  const read = client.prepare('select size from things').pluck()
  const readAll = () => Array.from({ length: 3 }, () => read.get())
  expect(readAll()).toEqual([7, 7, 7])
  other.exec('alter table things alter size type text')
  expect(readAll()).toEqual(['7', '7', '7'])
  other.exec('alter table things alter size type integer using size::integer')
  expect(await write(db, 'uncached', readAll)).toEqual([7, 7, 7])
  other.close()
  closeDatabase(db)
})
