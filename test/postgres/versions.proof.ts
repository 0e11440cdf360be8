import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServices } from '../../src/app/services.ts'
import { closeDatabase, type Db, openDatabase } from '../../src/db/open.ts'
import { type PostgresEngine, postgresClient } from '../../src/db/postgres/client.ts'
import { purgeWriters } from '../../src/db/postgres/writers.ts'
import { type DataPart, dataVersion } from '../../src/db/version.ts'
import { write } from '../../src/db/write.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'

const PARTS: DataPart[] = ['flights', 'flightRecords', 'accounts', 'credentials', 'reference']
const ALL_BUT_REFERENCE = ['flights', 'flightRecords', 'accounts', 'credentials']

const FLIGHT = `insert into flights (date, date_precision, from_id, to_id, completed_from, created_at, updated_at)
  values ('2024-05-01', 'day', 1, 1, 0, '', '')`
const USER = `insert into users (id, username, display_name, password_hash, role_id, created_at, updated_at)
  values ('ada', 'ada', 'Ada', '', 'role-user', 0, 0)`
const KEY = "insert into api_keys (user_id, name, hash, scopes, created_at) values ('ada', 'cli', '\\x00', '[]', 0)"
const AIRPORT = `insert into airports (icao, name, latitude, longitude, timezone, type, continent, country)
  values ('XXXX', 'Field', 1, 2, 'UTC', 'small_airport', 'EU', 'CH')`

let postgres: PostgresServer
let db: Db
let other: Db
let administrator: PostgresEngine
const folder = mkdtempSync(join(tmpdir(), 'paxlog-test-'))

beforeAll(async () => {
  postgres = await startPostgres()
  const url = postgres.url('postgres')
  db = openDatabase(folder, url)
  other = openDatabase(folder, url)
  administrator = postgresClient(url, { name: '' })
  await createServices({ db }).roles.installBuiltIn()
  administrator.exec(AIRPORT)
  administrator.exec(USER)
})
afterAll(async () => {
  for (const each of [db, other]) closeDatabase(each)
  administrator.close()
  await postgres.stop()
  rmSync(folder, { recursive: true })
})

/** The parts whose version on one connection changes while others work. */
async function changed(work: () => unknown): Promise<DataPart[]> {
  const { of } = dataVersion(db)
  const before = PARTS.map(of)
  await work()
  // The version is read once per turn.
  await nextTurn()
  const after = PARTS.map(of)
  return PARTS.filter((_part, index) => after[index] !== before[index])
}

const byOtherServer = (part: 'flights' | 'accounts' | 'credentials', sql: string) =>
  changed(() => write(other, part, () => other.$client.prepare(sql).run()))
const byAdministrator = (sql: string) => changed(() => administrator.exec(sql))

describe('caches of a server', () => {
  test('stay valid without writes', async () => {
    await changed(() => undefined)
    expect(await byAdministrator('select * from flights')).toEqual([])
  })

  test('are invalidated by the part that another server wrote', async () => {
    expect(await byOtherServer('flights', FLIGHT)).toEqual(['flights', 'flightRecords'])
    expect(await byOtherServer('flights', "update flights set note = 'window'")).toEqual(['flights', 'flightRecords'])
    expect(await byOtherServer('accounts', "update users set display_name = 'Ada L.'")).toEqual(ALL_BUT_REFERENCE)
    await byOtherServer('credentials', KEY)
    expect(await byOtherServer('credentials', 'delete from api_keys')).toEqual(['credentials'])
  })

  test('are invalidated by statements of an administrator', async () => {
    expect(await byAdministrator(FLIGHT)).toEqual(['flights', 'flightRecords'])
    expect(await byAdministrator("update roles set name = name || '!' where id = 'role-user'")).toEqual(
      ALL_BUT_REFERENCE,
    )
    expect(await byAdministrator(AIRPORT.replace('XXXX', 'YYYY'))).toEqual([...ALL_BUT_REFERENCE, 'reference'])
  })

  test('stay valid after writes that no cache contains, rolled back writes, and writes to another database', async () => {
    expect(await byAdministrator("insert into settings values ('note', 'x')")).toEqual([])
    expect(await byAdministrator('update api_keys set last_used_at = 1')).toEqual([])
    administrator.exec('begin')
    administrator.exec(FLIGHT)
    expect(await byAdministrator('rollback')).toEqual([])
    expect(await byAdministrator('create database another')).toEqual([])
  })

  test('are invalidated when the writer commits, not when it writes', async () => {
    const { of } = dataVersion(db)
    administrator.exec('begin')
    expect(await byAdministrator(FLIGHT)).toEqual([])
    expect(await byAdministrator('commit')).toEqual(['flights', 'flightRecords'])
    expect(of('flights')).toBe(of('flights'))
  })

  test('are all invalidated after a lost connection', async () => {
    const end =
      "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'paxlog' and pid <> pg_backend_pid()"
    const lose = async () => {
      administrator.exec(end)
      await expect.poll(() => db.$client.prepare('select 1').pluck().get()).toBe(1)
    }
    expect(await changed(lose)).toEqual(ALL_BUT_REFERENCE)
  })

  test('are invalidated by a writer whose row was purged', async () => {
    administrator.exec(FLIGHT)
    await changed(() => undefined)
    administrator.exec('update writers set at = 0')
    purgeWriters(administrator)
    expect(administrator.prepare('select count(*) from writers').pluck().get()).toBe(0)
    expect(await byAdministrator(FLIGHT)).toContain('flights')
  })
})
