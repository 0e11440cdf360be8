import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { operator } from '../../src/access/caller.ts'
import { createServices } from '../../src/app/services.ts'
import { version } from '../../src/app/version.ts'
import { schemaState } from '../../src/db/maintenance/migrate.ts'
import { requireSqlite } from '../../src/db/sqlite/sqlite.ts'
import { openedDatabase } from '../support/database.ts'
import { oauthClient } from '../support/oauth-client.ts'
import { openAgain, type Paxlog, paxlog } from '../support/paxlog.ts'
import { root } from '../support/process.ts'
import { RELEASES_FOLDER, released, releases } from '../support/released.ts'
import { type Furniture, fill, furnish, longTrack } from '../support/varied-log.ts'

const tablesOf = (client: Database.Database) =>
  client
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
    .pluck()
    .all() as string[]

const { entries: migrations } = JSON.parse(readFileSync(join(root, 'migrations/meta/_journal.json'), 'utf8')) as {
  entries: unknown[]
}

const literal = (value: unknown): string => {
  if (value === null) return 'null'
  if (Buffer.isBuffer(value)) return `x'${value.toString('hex')}'`
  if (typeof value !== 'string') return String(value)
  // Line breaks are written as char() calls, so that each row stays on one line.
  const plain = `'${value.replaceAll("'", "''")}'`
  return plain.replace(/[\n\r\u2028\u2029]/g, (character) => `' || char(${character.charCodeAt(0)}) || '`)
}

/** Dumps the whole database as SQL, schema first. */
function dump(client: Database.Database): string {
  const schema = client
    .prepare("select sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by rowid")
    .pluck()
    .all() as string[]
  const rows = tablesOf(client).flatMap((table) =>
    (client.prepare(`select * from "${table}"`).raw().all() as unknown[][]).map(
      (row) => `INSERT INTO "${table}" VALUES (${row.map(literal).join(', ')})`,
    ),
  )
  const settings = [`PRAGMA application_id = ${client.pragma('application_id', { simple: true })}`]
  return [...settings, ...schema, ...rows].map((statement) => `${statement};\n`).join('')
}

const counts = (client: Database.Database, tables: readonly string[]) =>
  Object.fromEntries(
    tables.map((table) => [table, client.prepare(`select count(*) from "${table}"`).pluck().get() as number]),
  )

describe.each(releases)('K7: a database of the release %s', (name) => {
  test('is migrated to this version without loss', () => {
    const dataDir = released(name)
    const before = new Database(join(dataDir, 'paxlog.db'), { readonly: true })
    const tables = tablesOf(before).filter((table) => !table.startsWith('__'))
    const expected = counts(before, tables)
    before.close()
    // Every table needs a row to prove that the migration keeps its rows.
    expect(Object.entries(expected).filter(([, rows]) => rows === 0)).toEqual([])

    const db = openedDatabase(dataDir)
    expect(schemaState(db)).toMatchObject({ pending: [], newer: false })
    expect(counts(requireSqlite(db), tables)).toEqual(expected)
    expect(requireSqlite(db).pragma('integrity_check', { simple: true })).toBe('ok')
    expect(requireSqlite(db).pragma('foreign_key_check')).toEqual([])
    const { users } = createServices({ db })
    expect(users.owner()).toMatchObject({ username: 'boss' })
  })

  test('can be used by the API and in the browser, and has a backup if its schema was older', async () => {
    const dataDir = released(name)
    const before = new Database(join(dataDir, 'paxlog.db'), { readonly: true })
    const [tables, expected] = [tablesOf(before), counts(before, tablesOf(before))]
    before.close()

    const { services, key, as, request } = await openAgain(dataDir)
    const owner = services.users.owner()!
    const client = as(key(owner.id))
    const { body: list } = await client.get('/flights?scope=all&limit=100')
    const flights = list.data as { id: number; from: { id: number }; to: { id: number } }[]
    expect([flights.length, list.page.nextCursor]).toEqual([expected.flights, null])
    for (const { id } of flights) expect((await client.get(`/flights/${id}`)).body.data).toMatchObject({ id })
    for (const path of [
      '/stats?scope=all',
      '/flights/changes?scope=all',
      '/trips',
      '/trips/suggestions',
      '/flights/deleted',
    ])
      expect([path, (await client.get(path)).status]).toEqual([path, 200])

    const { from, to } = flights[0]!
    const created = await client.post('/flights', { date: '2026-05-03', fromId: from.id, toId: to.id })
    expect(created.status).toBe(201)
    const { id } = created.body.data
    expect((await client.delete(`/flights/${id}`)).status).toBe(204)
    expect((await client.post(`/flights/deleted/${id}/restore`)).status).toBe(200)
    const cookie = `paxlog=${await services.sessions.start(owner.id)}`
    for (const url of ['/', '/map', '/trips', '/statistics', '/countries', '/settings/security', '/admin/users'])
      expect([url, (await request({ url, headers: { cookie } })).status]).toEqual([url, 200])

    const backups = readdirSync(dataDir).filter((file) => file.startsWith('paxlog-before-'))
    expect(backups).toHaveLength(expected.__drizzle_migrations! < migrations.length ? 1 : 0)
    for (const backup of backups) {
      const kept = new Database(join(dataDir, backup), { readonly: true })
      expect([tablesOf(kept), counts(kept, tables)]).toEqual([tables, expected])
      kept.close()
    }
  })
})

test('there is a dump of the schema of this version', () => {
  expect(releases.map((file) => basename(file, '.sql'))).toContain(version)
})

/** Adds rows to the tables that stay empty after `fill`. */
async function fillOtherTables(app: Paxlog, { owner, mira, made }: Furniture): Promise<void> {
  const client = await oauthClient(app)
  await client.connect(mira)
  const [own, boss] = [app.as(mira), app.as(owner)]
  const expectCreated = async (path: string, body: object, headers = {}) => {
    const { status, body: answer } = await boss.post(path, body, headers)
    expect([path, status]).toEqual([path, 201])
    return answer.data.id as number
  }
  const flight = { date: '2025-06-01', fromId: made.airports.ZRH, toId: made.airports.LIS }
  const flightIds = [await expectCreated('/flights', flight, { 'idempotency-key': 'once' })]
  await expectCreated('/trips', { name: 'Lisbon', flightIds })
  // A deleted flight with a track, whose airline was deleted later.
  const airlineId = await expectCreated('/airlines', { name: 'Gone Air' })
  const deleted = await expectCreated('/flights', { ...flight, airlineId, track: longTrack(3) })
  for (const path of [`/flights/${deleted}`, `/airlines/${airlineId}`])
    expect([path, (await boss.delete(path)).status]).toEqual([path, 204])
  await own.post('/shares', {})
  await own.put('/preferences', { distanceUnit: 'mi' })
  expect((await own.put('/visited-countries', { code: 'NO', status: 'visited' })).status).toBe(200)
  await app.services.sessions.start(mira.id)
  await app.services.calendars.make({ ...operator, userId: mira.id }, true)
  // These need an identity provider, an authenticator, a consent without a decision, and the shipped routes.
  requireSqlite(app.db).exec(`
    insert into settings values ('a', 'b');
    insert into route_blocks values ('ZZ', 1, x'');
    insert into identities values ('https://id.example', 'mira', '${mira.id}', 0, 0);
    insert into role_mappings values ('pilots', 'role-user');
    insert into used_sign_ins values (x'02', 0);
    insert into passkeys (user_id, name, credential_id, public_key, counter, rp_id, created_at)
      values ('${mira.id}', 'A key', x'03', x'04', 0, 'localhost', 0);
    insert into oauth_requests (id, client_id, redirect_uri, resource, scopes, code_challenge, browser_hash, user_id, expires_at)
      values ('q', '${client.id}', '', '', '[]', '', x'05', '${mira.id}', 0);
    update signing_keys set private_jwk = '{}'`)
}

test.runIf(process.env.PAXLOG_DUMP_RELEASE)('a dump of this version is written', async () => {
  const app = await paxlog({ unused: true })
  const world = await furnish(app)
  await fill(app, world)
  await fillOtherTables(app, world)
  const $client = requireSqlite(app.db)
  const empty = Object.entries(counts($client, tablesOf($client))).filter(([, rows]) => rows === 0)
  expect(empty).toEqual([])
  writeFileSync(join(RELEASES_FOLDER, `${version}.sql`), dump($client))
})
