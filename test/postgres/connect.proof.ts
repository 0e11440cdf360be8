import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { selfSignedCertificate } from '../support/certificate.ts'
import { createDocumentedDatabase, documentedBlock } from '../support/hosting-guide.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { cli, objects, root, serve } from '../support/process.ts'
import { fillDatabase } from '../support/small-instance.ts'
import { api } from '../support/two-servers.ts'

const { cert, key: privateKey } = selfSignedCertificate('localhost')

/** Paxlog needs TLS, the superuser does not. */
const HBA = `
hostssl all paxlog 127.0.0.1/32 trust
host all postgres 127.0.0.1/32 trust
`

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres({
    superuser: 'postgres',
    settings: { ssl: 'on' },
    files: { 'server.crt': cert, 'server.key': privateKey, 'pg_hba.conf': HBA },
  })
  await createDocumentedDatabase(postgres)
})
afterAll(() => postgres.stop())

const url = (query: string, host = 'localhost') => `postgres://paxlog@${host}:${postgres.port}/paxlog?${query}`

function certificateFile(content: string): string {
  const file = join(temporaryFolder(), 'ca.pem')
  writeFileSync(file, content)
  return file
}

async function administrate(sql: string): Promise<unknown[]> {
  const client = new pg.Client(`postgres://postgres@127.0.0.1:${postgres.port}/paxlog`)
  await client.connect()
  const { rows } = await client.query({ text: sql, rowMode: 'array' })
  await client.end()
  return rows
}

/** The messages of failed checks. */
async function failedChecks(databaseUrl: string, checks: readonly string[]): Promise<Record<string, string>> {
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: temporaryFolder() }
  const failed = objects(await cli(['doctor'], { env })).filter(({ check, ok }) => !ok && checks.includes(check))
  return Object.fromEntries(failed.map(({ check, message }) => [check, message]))
}

describe('the documented role', () => {
  test('can migrate, read and write, and owns nothing else', async () => {
    const databaseUrl = url('sslmode=require')
    const { key, flight } = await fillDatabase(databaseUrl)
    const server = await serve({ dataDir: temporaryFolder(), env: { DATABASE_URL: databaseUrl } })
    const created = await api(server, key, 'POST', '/flights', flight)
    expect(created.status).toBe(201)
    expect((await api(server, key, 'GET', `/flights/${created.body.data.id}`)).status).toBe(200)
    expect(await failedChecks(databaseUrl, ['session', 'isolation', 'role', 'rights', 'schema'])).toEqual({})
    const others = `select datname from pg_database where datdba = 'paxlog'::regrole
      union all select nspname from pg_namespace where nspowner = 'paxlog'::regrole`
    expect(await administrate(others)).toEqual([['paxlog']])
    // Other roles cannot connect.
    await administrate('create role guest login')
    const [[mayConnect]] = (await administrate("select has_database_privilege('guest', 'paxlog', 'connect')")) as [
      [boolean],
    ]
    expect(mayConnect).toBe(false)
  })

  test.each([
    ['superuser', /^paxlog is a superuser, /],
    ['createdb createrole replication bypassrls', /: CREATEDB, CREATEROLE, REPLICATION, BYPASSRLS\. /],
  ])('fails the checks of the doctor as %s, until its advice is followed', async (attributes, expected) => {
    await administrate(`alter role paxlog ${attributes}`)
    const { role = '' } = await failedChecks(url('sslmode=require'), ['role'])
    expect(role).toMatch(expected)
    await administrate(/Run "(.*)"/.exec(role)![1]!)
    expect(await failedChecks(url('sslmode=require'), ['role'])).toEqual({})
  })

  test('fails the checks of the doctor as the initial superuser', async () => {
    const { role } = await failedChecks(`postgres://postgres@127.0.0.1:${postgres.port}/paxlog`, ['role'])
    expect(role).toMatch(/^postgres is the initial superuser .*"Database and role"/)
  })
})

test('compose.scale.yaml creates the documented role, and a superuser without a password', async () => {
  const server = await startPostgres({ superuser: 'postgres' })
  onTestFinished(() => server.stop())
  const { content } = parse(readFileSync(join(root, 'compose.scale.yaml'), 'utf8'), { merge: true }).configs.role
  const env = { PATH: process.env.PATH, PGHOST: '127.0.0.1', PGPORT: String(server.port), POSTGRES_PASSWORD: "it's" }
  execFileSync('bash', ['-ec', content.replaceAll('$$', '$')], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  // The statements differ in the password only.
  for (const statement of documentedBlock('Database and role', 'sql').trimEnd().split('\n').slice(1))
    expect(content).toContain(statement)
  const client = new pg.Client(`postgres://postgres@127.0.0.1:${server.port}/postgres`)
  await client.connect()
  const { rows } = await client.query(
    'select rolname, rolpassword is null as without_password from pg_authid where rolcanlogin order by 1',
  )
  await client.end()
  expect(rows).toEqual([
    { rolname: 'paxlog', without_password: false },
    { rolname: 'postgres', without_password: true },
  ])
  expect(await failedChecks(server.url('paxlog'), ['role', 'rights'])).toEqual({})
})

describe('TLS', () => {
  const reached = (databaseUrl: string) => failedChecks(databaseUrl, ['database'])

  test('is verified with a private certificate authority', async () => {
    const [own, other] = [certificateFile(cert), certificateFile(selfSignedCertificate('localhost').cert)]
    for (const mode of ['verify-full', 'verify-ca', 'require'])
      expect([mode, await reached(url(`sslmode=${mode}&sslrootcert=${own}`))]).toEqual([mode, {}])
    // Like psql, `require` verifies the certificate if there is an authority.
    for (const mode of ['verify-full', 'verify-ca', 'require'])
      expect([mode, await reached(url(`sslmode=${mode}&sslrootcert=${other}`))]).toEqual([
        mode,
        { database: expect.stringMatching(/certificate; set sslrootcert=FILE/) },
      ])
    expect(await reached(url('sslmode=verify-full'))).toEqual({ database: expect.stringContaining('sslrootcert=FILE') })
  })

  test('verifies the name of the server only with verify-full', async () => {
    const own = certificateFile(cert)
    expect(await reached(url(`sslmode=verify-ca&sslrootcert=${own}`, '127.0.0.1'))).toEqual({})
    expect(await reached(url(`sslmode=verify-full&sslrootcert=${own}`, '127.0.0.1'))).toEqual({
      database: expect.stringMatching(/does not match certificate/),
    })
  })

  test('is required but not verified with sslmode=require', async () => {
    expect(await reached(url('sslmode=require'))).toEqual({})
    expect(await reached(url('sslmode=disable'))).toEqual({ database: expect.stringContaining('sslmode=require') })
  })
})
