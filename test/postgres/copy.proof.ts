import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../src/access/caller.ts'
import { createServices } from '../../src/app/services.ts'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { digest } from '../../src/lib/secret.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { cli, loadedFolder, objects, serve } from '../support/process.ts'
import { released, releases } from '../support/released.ts'

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

async function query(database: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client(postgres.url(database))
  await client.connect()
  for (const sql of statements) await client.query(sql)
  await client.end()
}

const owner = (env: Record<string, string>) =>
  cli(['user', 'create', '--owner', '--username', 'ada', '--password-stdin'], { env, input: 'a long pass phrase\n' })

/** Digests of all tables, including sqlite_sequence, and the schema. */
function contentOf(dataDir: string): Record<string, string> {
  const client = new Database(join(dataDir, 'paxlog.db'), { readonly: true })
  const names = client.prepare("select name from sqlite_master where type = 'table' order by name").pluck().all()
  const rows = (names as string[])
    .filter((name) => name !== 'sqlite_stat1')
    .map((name) => {
      const list = client.prepare(`select * from "${name}"`).raw().all() as unknown[][]
      const texts = list.map((row) =>
        JSON.stringify(row.map((value) => (Buffer.isBuffer(value) ? value.toString('hex') : value))),
      )
      return [name, digest(texts.sort().join('\n')).toString('hex')]
    })
  const schema = client.prepare('select sql from sqlite_master order by name, type').pluck().all().join('\n')
  client.close()
  return { ...Object.fromEntries(rows), schema }
}

/** Returns the id of the flight. */
async function deleteFlightWithTrack(dataDir: string): Promise<number> {
  const db = openDatabase(dataDir)
  const { flights, users } = createServices({ db })
  const id = db.$client.prepare('select min(flight_id) from flight_tracks').pluck().get() as number
  await flights.remove({ ...operator, userId: users.owner()!.id }, id)
  closeDatabase(db)
  return id
}

describe('paxlog copy', () => {
  test.each(releases)('copies an instance of the release %s to PostgreSQL and back, after an upgrade', async (name) => {
    const dataDir = released(name)
    closeDatabase(openDatabase(dataDir))
    const database = `released_${name.replaceAll(/\W/g, '_')}`
    await query('postgres', `create database ${database}`)
    const copied = await cli(['copy', '--to', postgres.url(database), '--data-dir', dataDir])
    expect([copied.code, copied.stderr]).toEqual([0, ''])
    expect(objects(copied).at(-1)).toMatchObject({ checked: true })
    const back = join(temporaryFolder(), 'back')
    const returned = await cli(['copy', '--from', postgres.url(database), '--data-dir', back])
    expect(objects(returned)).toEqual(objects(copied))
    expect(contentOf(back)).toEqual(contentOf(dataDir))
  })

  test('copies an instance to PostgreSQL and back, and both remain usable', async () => {
    const dataDir = loadedFolder()
    await owner({ DATA_DIR: dataDir })
    expect((await cli(['demo', '--data-dir', dataDir])).code).toBe(0)
    // Ids of deleted rows must never be reused, even after a copy.
    const file = new Database(join(dataDir, 'paxlog.db'))
    const last = file.prepare('select max(id) from flights').pluck().get() as number
    file.prepare('delete from flights where id = ?').run(last)
    file.close()
    const tracked = await deleteFlightWithTrack(dataDir)
    await query('postgres', 'create database moved')
    const url = postgres.url('moved')

    const copied = await cli(['copy', '--to', url, '--data-dir', dataDir])
    expect(copied).toMatchObject({ code: 0 })
    const tables = objects(copied)
    expect(tables.at(-1)).toMatchObject({ checked: true })
    const rowsOf = (name: string) => tables.find(({ table }) => table === name).rows
    expect(rowsOf('flights')).toBeGreaterThan(100)
    expect(rowsOf('trips')).toBeGreaterThan(2)
    expect([rowsOf('deleted_flights'), rowsOf('deleted_flight_tracks')]).toEqual([1, 1])

    const twice = await cli(['copy', '--to', url, '--data-dir', dataDir])
    expect(twice).toMatchObject({ code: 1, stdout: '' })
    expect(twice.stderr).toMatch(/^The database to copy to is not empty \(.*flights.*\)\. Use a new database\.\n$/)

    const back = join(temporaryFolder(), 'back')
    expect(objects(await cli(['copy', '--from', url, '--data-dir', back]))).toEqual(tables)
    expect(contentOf(back)).toEqual(contentOf(dataDir))
    const again = await cli(['copy', '--from', url, '--data-dir', back])
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringMatching(/paxlog\.db already exists\. Use another directory/),
    ])

    const env = { DATABASE_URL: url, DATA_DIR: temporaryFolder() }
    const [{ key }] = objects(
      await cli(['key', 'create', '--username', 'ada', '--name', 'after', '--scopes', 'all'], { env }),
    )
    const { origin } = await serve({ dataDir: env.DATA_DIR, env })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const { data } = (await (await fetch(`${origin}/api/v1/flights?limit=1`, { headers })).json()) as {
      data: { from: { id: number }; to: { id: number } }[]
    }
    const body = JSON.stringify({ fromId: data[0]!.from.id, toId: data[0]!.to.id, date: '2024-05-01' })
    const created = await fetch(`${origin}/api/v1/flights`, { method: 'POST', headers, body })
    expect(created.status).toBe(201)
    expect(((await created.json()) as { data: { id: number } }).data.id).toBe(last + 1)
    const restored = await fetch(`${origin}/api/v1/flights/deleted/${tracked}/restore`, { method: 'POST', headers })
    expect([restored.status, (await restored.json()).data.id]).toEqual([200, tracked])
    expect((await (await fetch(`${origin}/api/v1/flights/${tracked}/track`, { headers })).json()).data).not.toBe(null)
    // The change feed works after the copy.
    const changes = await fetch(`${origin}/api/v1/flights/changes`, { headers })
    expect(changes.status).toBe(200)
  })

  test('copies nothing if a row differs after the copy', async () => {
    const dataDir = loadedFolder()
    await owner({ DATA_DIR: dataDir })
    await query('postgres', 'create database bent')
    const url = postgres.url('bent')
    // Creates the schema.
    await cli(['user', 'list'], { env: { DATABASE_URL: url, DATA_DIR: temporaryFolder() } })
    await query(
      'bent',
      'truncate roles cascade',
      'truncate settings',
      `create rule bent as on insert to users do also update users set display_name = 'Bent' where id = new.id`,
    )
    const finished = await cli(['copy', '--to', url, '--data-dir', dataDir])
    expect([finished.code, finished.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^(airports: .*\n)*The table users differs after the copy: 1 rows were sent, 1 were found\. Nothing was copied\.\n$/,
      ),
    ])
    await query('bent', 'drop rule bent on users')
    const again = await cli(['copy', '--to', url, '--data-dir', dataDir])
    expect(again.code).toBe(0)
  })

  test('reports invalid options and unreachable databases without the password', async () => {
    const dataDir = temporaryFolder()
    for (const args of [[], ['--to', 'postgres://a/b', '--from', 'postgres://a/b']]) {
      const finished = await cli(['copy', ...args, '--data-dir', dataDir])
      expect([finished.code, finished.stderr]).toEqual([2, expect.stringMatching(/^Give either --to or --from\./)])
    }
    const unreachable = await cli([
      'copy',
      '--from',
      'postgres://paxlog:geheim@127.0.0.1:1/paxlog',
      '--data-dir',
      join(dataDir, 'new'),
    ])
    expect([unreachable.code, unreachable.stderr.includes('geheim')]).toEqual([1, false])
    expect(existsSync(join(dataDir, 'new/paxlog.db'))).toBe(false)
    await query('postgres', 'create database unused')
    const empty = await cli(['copy', '--from', postgres.url('unused'), '--data-dir', join(dataDir, 'new')])
    expect([empty.code, empty.stderr]).toEqual([
      1,
      expect.stringMatching(/^The database to copy is \d+ migration\(s\) behind\. /),
    ])
    expect(existsSync(join(dataDir, 'new/paxlog.db'))).toBe(false)
  })
})

describe('with DATABASE_URL', () => {
  test('paxlog backup fails with a message that mentions pg_dump', async () => {
    const env = { DATABASE_URL: postgres.url('postgres'), DATA_DIR: temporaryFolder() }
    const finished = await cli(['backup', join(temporaryFolder(), 'copy.db')], { env })
    expect([finished.code, finished.stderr]).toEqual([
      1,
      expect.stringMatching(/^The data is in PostgreSQL\. .*pg_dump/),
    ])
  })

  test('paxlog doctor checks the server and gives advice', async () => {
    await query(
      'postgres',
      'create database latin1 encoding LATIN1 locale "C" template template0',
      'create database checked',
    )
    const doctor = async (url: string) => {
      const finished = await cli(['doctor'], { env: { DATABASE_URL: url, DATA_DIR: temporaryFolder() } })
      const lines = objects(finished)
      const failed = lines.filter(({ ok }) => !ok).map(({ check, message }) => `${check}: ${message}`)
      return { code: finished.code, checks: lines.map(({ check }) => check), failed }
    }
    const env = { DATABASE_URL: postgres.url('checked'), DATA_DIR: temporaryFolder() }
    await owner(env)
    const found = await doctor(env.DATABASE_URL)
    const serverChecks = [
      'settings',
      'directory',
      'database',
      'version',
      'encoding',
      'session',
      'isolation',
      'writing server',
      'role',
      'rights',
    ]
    expect(found.checks).toEqual([
      ...serverChecks,
      'durability',
      'schema',
      'reference data',
      'owner',
      'passkeys',
      'deleted flights',
    ])
    // The test server has one role and runs without fsync, and the shipped data is not loaded.
    expect(found.failed).toEqual([
      expect.stringMatching(/^role: paxlog is the initial superuser/),
      expect.stringMatching(/^durability: Turn on fsync and full_page_writes and synchronous_commit/),
      expect.stringMatching(/^reference data: /),
    ])
    expect((await doctor(postgres.url('latin1'))).failed[0]).toMatch(/^encoding: .*LATIN1.*createdb --encoding=UTF8/)
    await query('checked', 'create role guest login', 'revoke create on schema public from public')
    const guest = await doctor(env.DATABASE_URL.replace('paxlog@', 'guest@'))
    expect(guest.failed.filter((line) => line.startsWith('rights'))).toEqual([
      expect.stringContaining('grant create on schema public to guest'),
    ])
    // The database is empty, and this server has no TLS.
    await query('postgres', 'create database fresh')
    const fresh = await doctor(`${postgres.url('fresh')}?sslmode=prefer`)
    expect(fresh.failed.slice(2)).toEqual(['schema: The database is empty. "paxlog serve" creates its tables.'])
    const required = await doctor(`${postgres.url('fresh')}?sslmode=require`)
    expect(required.failed).toEqual([expect.stringMatching(/^database: .*no TLS.*sslmode=disable/)])
    const unreachable = await doctor('postgres://paxlog:geheim@127.0.0.1:1/paxlog')
    expect(unreachable).toMatchObject({
      code: 1,
      failed: [expect.stringMatching(/^database: PostgreSQL cannot be reached.*ECONNREFUSED/)],
    })
    expect(JSON.stringify(unreachable)).not.toContain('geheim')
  })
})
