import { readdirSync } from 'node:fs'
import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { csrfIn } from '../support/browser-session.ts'
import { cluster, tell } from '../support/cluster.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { cli, objects, serve } from '../support/process.ts'

const FLIGHT = { date: '2025-05-03', fromId: 1, toId: 2 }
const ROUNDS = 150
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

async function query(sql: string, ...values: unknown[]): Promise<unknown[][]> {
  const client = new pg.Client(postgres.url('postgres'))
  await client.connect()
  const { rows } = await client.query({ text: sql, values, rowMode: 'array' })
  await client.end()
  return rows
}

test('READERS=2 over PostgreSQL is one instance, beside another server, with members that are killed', async () => {
  const databaseUrl = postgres.url('postgres')
  const server = await cluster({ databaseUrl, env: { ADDRESS_HEADER: 'X-Forwarded-For' } })
  const { api, port, members, child, exited, dataDir, key, log } = server
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, READERS: '2' }
  expect(members()).toHaveLength(3)
  expect((await tell(port, { path: '/ready' })).body).toBe('{"status":"ready"}')
  const checks = objects(await cli(['doctor'], { env }))
  expect(checks.find(({ check }) => check === 'processes')).toMatchObject({ ok: true })
  // One connection for each process, none of them the supervisor's.
  const connections = () => query("select count(*)::int from pg_stat_activity where application_name = 'paxlog'")
  await expect.poll(connections, { timeout: 60_000 }).toEqual([[3]])

  // Somebody signs in, by a form that the writer takes and pages that readers show.
  expect(
    await cli(['user', 'create', '--username', 'mira', '--password-stdin'], { env, input: 'correct horse\n' }),
  ).toMatchObject({ code: 0, stderr: '' })
  const page = await tell(port, { path: '/login' })
  const cookie = String(page.headers['set-cookie']).split(';', 1)[0]!
  const body = new URLSearchParams({ csrf: csrfIn(page.body), username: 'mira', password: 'correct horse' }).toString()
  const signedIn = await tell(port, { method: 'POST', path: '/login', headers: { ...FORM, cookie }, body })
  expect(signedIn.status).toBe(303)
  const session = [signedIn.headers['set-cookie'] ?? []].flat().map((line) => line.split(';', 1)[0])
  expect((await tell(port, { path: '/', headers: { cookie: session.join('; ') } })).body).toContain('mira')

  // Whoever reads sees what was acknowledged, by this family or by another server.
  const other = await serve({ dataDir, env: { DATABASE_URL: databaseUrl } })
  const { id } = JSON.parse((await api('POST', '/flights', FLIGHT)).body).data
  const agents = [1, 2, 3].map(() => new Agent({ keepAlive: true }))
  onTestFinished(() => {
    for (const agent of agents) agent.destroy()
  })
  for (let round = 0; round < ROUNDS; round++) {
    const note = `note ${round}`
    const at = { method: 'PUT', path: `/api/v1/flights/${id}`, body: JSON.stringify({ ...FLIGHT, note }) }
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    expect((await tell(round % 2 === 0 ? port : other.port, { ...at, headers })).status).toBe(200)
    const reads = agents.map((agent) => api('GET', `/flights/${id}`, undefined, { agent }))
    const notes = (await Promise.all(reads)).map((answer) => JSON.parse(answer.body).data.note)
    expect(notes).toEqual([note, note, note])
  }
  const [made] = objects(await cli(['key', 'create', '--username', 'mira', '--name', 'k', '--scopes', 'read'], { env }))
  const use = () =>
    Promise.all(
      agents.map((agent) =>
        tell(port, { path: '/api/v1/me', headers: { authorization: `Bearer ${made.key}` }, agent }),
      ),
    ).then((answers) => answers.map(({ status }) => status))
  expect(await use()).toEqual([200, 200, 200])
  await query('delete from api_keys where id = $1', made.id)
  expect(await use()).toEqual([401, 401, 401])

  // The writer first, then a reader: what was acknowledged stays, and both come back.
  const acknowledged: string[] = []
  for (const place of [0, 1]) {
    const victim = members()[place]!
    process.kill(victim, 'SIGKILL')
    for (let count = 0; count < 20; count++) {
      const note = `kill ${place} flight ${count}`
      const answer = await api('POST', '/flights', { ...FLIGHT, note }).catch(() => undefined)
      if (answer?.status === 201) acknowledged.push(note)
      expect([201, 503, undefined]).toContain(answer?.status)
      await wait(50)
    }
    await expect.poll(() => members().length === 3 && !members().includes(victim), { timeout: 120_000 }).toBe(true)
    const ready = () => tell(port, { path: '/ready' }).then(({ status }) => status)
    await expect.poll(() => ready().catch(() => 0), { timeout: 120_000 }).toBe(200)
  }
  const notes = (await query("select note from flights where note like 'kill%'")).map(([note]) => note)
  expect(acknowledged.filter((note) => !notes.includes(note))).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(5)

  child.kill('SIGTERM')
  expect(await exited).toEqual({ code: 0, signal: null })
  expect(log().filter(({ level }) => level === 60)).toEqual([])
  expect(readdirSync(dataDir).filter((name) => name.endsWith('.sock'))).toEqual([])
  // The other server has one, and nobody of the family any.
  await expect.poll(connections, { timeout: 60_000 }).toEqual([[1]])
  expect((await tell(other.port, { path: '/ready' })).status).toBe(200)
})
