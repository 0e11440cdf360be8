import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { createServices } from '../../src/app/services.ts'
import { version } from '../../src/app/version.ts'
import { schemaState } from '../../src/db/maintenance/migrate.ts'
import { requireSqlite } from '../../src/db/sqlite/sqlite.ts'
import { openedDatabase } from '../support/database.ts'
import { oauthClient } from '../support/oauth-client.ts'
import { paxlog, temporaryFolder } from '../support/paxlog.ts'
import { fill, furnish } from '../support/varied-log.ts'

const FOLDER = join(import.meta.dirname, 'releases')
const releases = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'))

const tablesOf = (client: Database.Database) =>
  client
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
    .pluck()
    .all() as string[]

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

/** Creates a database from the dump of a release. */
function released(name: string): string {
  const dataDir = join(temporaryFolder(), 'data')
  mkdirSync(dataDir)
  const client = new Database(join(dataDir, 'paxlog.db'))
  // Tables are sorted by name, so some rows reference rows of later tables.
  client.pragma('foreign_keys = off')
  client.exec(`begin; ${readFileSync(join(FOLDER, name), 'utf8')} commit`)
  client.pragma('journal_mode = wal')
  client.close()
  return dataDir
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
})

test('there is a dump of the schema of this version', () => {
  expect(releases.map((file) => basename(file, '.sql'))).toContain(version)
})

test.runIf(process.env.PAXLOG_DUMP_RELEASE)('a dump of this version is written', async () => {
  const app = await paxlog()
  const world = await furnish(app)
  await fill(app, world)
  const { mira } = world
  const client = await oauthClient(app)
  await client.connect(mira)
  await app.as(mira).post('/shares', {})
  const $client = requireSqlite(app.db)
  $client.exec(`
    insert into sessions values (x'01', '${mira.id}', 0, 0);
    insert into settings values ('a', 'b');
    insert into preferences values ('${mira.id}', '', '', '', '', '', '', '', '');
    insert into visited_countries (user_id, code, status) values ('${mira.id}', 'NO', 'visited');
    insert into oauth_requests (id, client_id, redirect_uri, resource, scopes, code_challenge, browser_hash, user_id, expires_at)
      values ('q', '${client.id}', '', '', '[]', '', x'05', '${mira.id}', 0);
    update signing_keys set private_jwk = '{}'`)
  const empty = Object.entries(counts($client, tablesOf($client))).filter(([, rows]) => rows === 0)
  expect(empty).toEqual([])
  writeFileSync(join(FOLDER, `${version}.sql`), dump($client))
})
