import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { oauthClient, pkce } from '../support/oauth-client.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { root, type ServerProcess } from '../support/process.ts'
import { api, ask, serverPairs } from '../support/two-servers.ts'
import { runNow } from '../support/write-now.ts'

/** Two servers and this process share one PostgreSQL and must behave as one instance. */

const RACES = 60
const DELETED_KEYS = 100
const READS = 3_000
const FLIGHTS = 150

let server: PostgresServer
const twoServers = serverPairs(() => server)

beforeAll(async () => {
  server = await startPostgres()
})

afterAll(() => server.stop())

const token = (target: ServerProcess, form: Record<string, string>) =>
  ask(target, '/oauth/token', { method: 'POST', body: new URLSearchParams(form) })

describe('two servers on one PostgreSQL', () => {
  test('load the shipped data once at a concurrent first start', async () => {
    const { servers, app } = await twoServers({ isEmpty: true })
    const loads = servers.flatMap((each) => each.log().filter(({ msg }) => msg === 'loaded the shipped reference data'))
    expect(loads).toHaveLength(1)
    const count = (sql: string) => app.db.$client.prepare(sql).pluck().get()
    expect(count('select count(*) from airports')).toBeGreaterThan(10_000)
    const migrations = readdirSync(join(root, 'migrations/postgres'))
    expect(count('select count(*) from paxlog_migrations')).toBe(migrations.length)
  })

  test('accept a code or refresh token only once if both receive it', async () => {
    const { servers, app } = await twoServers()
    const user = app.user({ username: 'mira' })
    const client = await oauthClient(app)
    const resource = app.services.oauth.resources.urls.v1
    const clientForm = { client_id: client.id, resource }
    for (let race = 0; race < RACES; race++) {
      const { verifier, challenge } = pkce()
      const form = { ...clientForm, grant_type: 'authorization_code', code_verifier: verifier }
      const racedForm = { ...form, code: await client.code(user, challenge) }
      const codes = await Promise.all(servers.map((each) => token(each, racedForm)))
      expect(codes.map(({ status }) => status).sort()).toEqual([200, 400])
      const other = pkce()
      const validForm = { ...form, code: await client.code(user, other.challenge), code_verifier: other.verifier }
      const { body } = await token(servers[race % 2]!, validForm)
      const refresh = { ...clientForm, grant_type: 'refresh_token', refresh_token: body.refresh_token }
      const refreshed = await Promise.all(servers.map((each) => token(each, refresh)))
      expect(refreshed.map(({ status }) => status).sort()).toEqual([200, 400])
    }
  })

  test('reject a deleted key with the next request', async () => {
    const { servers, app } = await twoServers()
    const { id } = app.user()
    for (let round = 0; round < DELETED_KEYS; round++) {
      const key = app.key(id)
      const before = await Promise.all(servers.map((each) => api(each, key, 'GET', '/me')))
      runNow(app.db, 'delete from api_keys')
      const after = await Promise.all(servers.map((each) => api(each, key, 'GET', '/me')))
      expect([...before, ...after].map(({ status }) => status)).toEqual([200, 200, 401, 401])
    }
  })

  test(`return no stale data in ${READS} reads right after a write to the other server`, async () => {
    const { servers, app } = await twoServers()
    const { key } = app.user({ role: 'role-administrator' })
    const flight = { date: '2025-05-03', fromId: 1, toId: 2 }
    let [reads, stale] = [0, 0]
    async function writeAndRead(): Promise<void> {
      const { id } = (await api(servers[0], key, 'POST', '/flights', flight)).body.data
      for (let round = 0; reads < READS; round++) {
        const [writer, reader] = round % 2 === 0 ? servers : [servers[1], servers[0]]
        const note = `note ${round}`
        expect((await api(writer, key, 'PUT', `/flights/${id}`, { ...flight, note })).status).toBe(200)
        const answers = await Promise.all(Array.from({ length: 5 }, () => api(reader, key, 'GET', `/flights/${id}`)))
        reads += answers.length
        stale += answers.filter(({ body }) => body.data.note !== note).length
      }
    }
    await Promise.all([writeAndRead(), writeAndRead()])
    expect(stale).toBe(0)
  })

  test('return every change to followers while both write', async () => {
    const { servers, app } = await twoServers()
    const { key } = app.user({ role: 'role-administrator' })
    const written: number[] = []
    let isOver = false
    async function writer(target: ServerProcess): Promise<void> {
      for (let count = 0; count < FLIGHTS; count++) {
        const { status, body } = await api(target, key, 'POST', '/flights', { date: '2025-05-03', fromId: 1, toId: 2 })
        expect(status).toBe(201)
        written.push(body.data.id)
      }
    }
    async function follower(target: ServerProcess): Promise<Set<number>> {
      const seen = new Set<number>()
      for (let cursor = ''; ; ) {
        const wasOver = isOver
        const query = cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`
        const { body } = await api(target, key, 'GET', `/flights/changes${query}`)
        for (const { flight } of body.data) if (flight) seen.add(flight.id)
        cursor = body.page.nextCursor
        if (body.data.length > 0) continue
        if (wasOver) return seen
        await wait(5)
      }
    }
    const following = servers.map(follower)
    await Promise.all(servers.map(writer))
    isOver = true
    for (const seen of await Promise.all(following)) expect(written.filter((id) => !seen.has(id))).toEqual([])
  })
})
