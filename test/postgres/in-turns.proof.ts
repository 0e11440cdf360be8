import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserSession as browserOf, csrfIn } from '../support/browser-session.ts'
import { fieldsIn } from '../support/form-fields.ts'
import { pkce } from '../support/oauth-client.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import type { ServerProcess } from '../support/process.ts'
import { api, ask, inTurns, type ServerPair, serverPairs } from '../support/two-servers.ts'

/**
 * Two processes on one PostgreSQL, and clients whose requests alternate between them. The tests of `test/http` do the same
 * inside one process; these use the network.
 */

const RACES = 40
const REDIRECT = 'https://board.example/cb'
const PASSWORD = 'correct horse battery'

let postgres: PostgresServer
const twoServers = serverPairs(() => postgres)

beforeAll(async () => {
  postgres = await startPostgres()
})

afterAll(() => postgres.stop())

type Browser = ReturnType<typeof browserOf>

/** Creates the owner with the setup code from one of the logs. */
async function setUp(browser: Browser, servers: ServerPair) {
  const [code] = servers.flatMap((each) => [...each.logText().matchAll(/\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/g)]).flat()
  const fields = { username: 'mira', displayName: 'Mira', password: PASSWORD, code: code! }
  const answer = await browser.submit('/setup', '/setup', fields)
  expect([answer.status, answer.location]).toEqual([303, '/'])
}

/** Opens a page and submits its form with changes. */
const sendForm = async (browser: Browser, page: string, changes: Record<string, string>) =>
  browser.post(page, { ...fieldsIn((await browser.get(page)).html, page), ...changes })

describe('a browser whose requests alternate between two servers', () => {
  test('can set up, sign in, see notices, and keeps form drafts when its session ends', async () => {
    const { servers, app } = await twoServers()
    const browser = browserOf(inTurns(servers))
    await setUp(browser, servers)
    const flight = { from: 'ZRH', to: 'LIS', date: '2025-05-03', note: 'first' }
    // One server renders the form and the other one receives it.
    for (const note of ['first', 'second', 'third']) {
      const saved = await sendForm(browser, '/flights/new', { ...flight, note })
      expect(saved.status).toBe(303)
      const after = [await browser.get('/'), await browser.get('/'), await browser.get('/')].map(({ html }) => html)
      expect(after.map((html) => /role="status"[^>]*>[^<]*\w/.test(html))).toEqual([true, false, false])
      // An odd number of requests, so that the next round starts at the other server.
      await browser.get('/settings')
    }
    const page = '/flights/new'
    const form = fieldsIn((await browser.get(page)).html, page)
    await app.services.sessions.end(browser.jar.get('paxlog')!)
    const redirect = await browser.post(page, { ...form, ...flight, note: 'typed before' })
    expect(redirect).toMatchObject({ status: 303, location: '/login?next=%2Fflights%2Fnew%3Fkept%3D1' })
    const { html } = await browser.get(redirect.location!)
    const login = { username: 'mira', password: PASSWORD, next: '/flights/new?kept=1' }
    const signedIn = await browser.post('/login', { csrf: csrfIn(html), ...login })
    expect(signedIn).toMatchObject({ status: 303, location: '/flights/new?kept=1' })
    for (let time = 0; time < 2; time++)
      expect(fieldsIn((await browser.get(signedIn.location!)).html, page)).toMatchObject({ note: 'typed before' })
    await browser.submit('/', '/logout', {})
    for (let time = 0; time < 2; time++) expect((await browser.get('/')).status).toBe(303)
  })

  test('can connect an application with each OAuth step on either server', async () => {
    const { servers } = await twoServers()
    const web = inTurns(servers)
    const browser = browserOf(web)
    await setUp(browser, servers)
    const resource = 'http://localhost:3000/api/v1'
    for (let round = 0; round < 3; round++) {
      // The first server alternates with each round.
      if (round % 2 === 1) await browser.get('/login')
      const metadata = JSON.stringify({ redirect_uris: [REDIRECT], client_name: 'Trip board' })
      const registration = { method: 'POST', headers: { 'content-type': 'application/json' }, body: metadata }
      const { client_id } = (await ask(servers[round % 2]!, '/oauth/register', registration)).body
      const { verifier, challenge } = pkce()
      const query = new URLSearchParams({
        response_type: 'code',
        client_id,
        redirect_uri: REDIRECT,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        resource,
        scope: 'flight.read.own stats.read',
        state: `round ${round}`,
      })
      const authorization = await browser.get(`/oauth/authorize?${query}`)
      expect(authorization.location).toMatch(/^\/oauth\/consent\?id=/)
      const consent = await browser.get(authorization.location!)
      const fields = fieldsIn(consent.html, '/oauth/consent')
      const decided = await browser.post('/oauth/consent', { ...fields, decision: 'approve' })
      const landed = new URL(decided.location!)
      expect([landed.origin, landed.searchParams.get('state')]).toEqual(['https://board.example', `round ${round}`])
      const token = (at: ServerProcess, form: Record<string, string>) =>
        ask(at, '/oauth/token', { method: 'POST', body: new URLSearchParams({ client_id, resource, ...form }) })
      const [one, other] = round % 2 === 0 ? servers : ([servers[1], servers[0]] as const)
      const code = landed.searchParams.get('code')!
      const exchange = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: REDIRECT }
      const first = await token(other, exchange)
      expect(first.status).toBe(200)
      for (const each of servers) expect((await api(each, first.body.access_token, 'GET', '/flights')).status).toBe(200)
      const refresh = (at: ServerProcess, refresh_token: string) =>
        token(at, { grant_type: 'refresh_token', refresh_token })
      const second = await refresh(one, first.body.refresh_token)
      expect(second.status).toBe(200)
      // Reuse of a refresh token revokes the connection on both servers.
      expect((await refresh(other, first.body.refresh_token)).status).toBe(400)
      expect((await refresh(one, second.body.refresh_token)).status).toBe(400)
      for (const each of [one, other])
        expect((await api(each, second.body.access_token, 'GET', '/flights')).status).toBe(401)
    }
  })
})

describe('two servers', () => {
  test('count requests together towards each limit', async () => {
    const { servers } = await twoServers()
    const at = (count: number) => servers[count % 2]!
    const statuses: number[] = []
    for (let count = 0; count < 31; count++) {
      const headers = { 'x-client': '192.0.2.1' }
      const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: 'x', refresh_token: 'x' })
      statuses.push((await ask(at(count), '/oauth/token', { method: 'POST', headers, body })).status)
    }
    expect(statuses.slice(0, 30)).not.toContain(429)
    expect(statuses[30]).toBe(429)
  })

  test('create one flight for requests with the same Idempotency-Key and return the same response', async () => {
    const { servers, app } = await twoServers()
    const { key } = app.user()
    const outcomes = { created: 0, replayed: 0, rejected: 0 }
    for (let race = 0; race < RACES; race++) {
      const flight = { date: '2025-05-03', fromId: 1, toId: 2, note: `race ${race}` }
      const name = { 'idempotency-key': `race ${race}` }
      const send = (each: ServerProcess) => api(each, key, 'POST', '/flights', flight, name)
      const answers = await Promise.all([...servers, ...servers].map(send))
      const done = answers.filter(({ status }) => status === 201)
      // A process that is still handling the key returns 409.
      const waits = answers.filter(({ status, headers }) => status === 409 && headers.get('retry-after') === '1')
      expect(
        answers
          .filter((each) => !done.includes(each) && !waits.includes(each))
          .map(({ status, text }) => [status, text]),
      ).toEqual([])
      expect(done.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1)
      const later = await Promise.all(servers.map(send))
      expect(later.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual(['true', 'true'])
      const [first] = done
      for (const answer of [...done, ...later]) {
        expect([answer.status, answer.text]).toEqual([201, first!.text])
        expect(answer.headers.get('location')).toBe(first!.headers.get('location'))
      }
      outcomes.created++
      outcomes.replayed += done.length - 1
      outcomes.rejected += waits.length
    }
    expect(outcomes.created).toBe(RACES)
    const count = app.db.$client.prepare('select count(*) from flights').pluck().get()
    expect([count, outcomes.replayed + outcomes.rejected]).toEqual([RACES, 3 * RACES])
  })

  test('import a file once if both receive it with the same Idempotency-Key', async () => {
    const { servers, app } = await twoServers()
    const { key } = app.user()
    const rows = Array.from({ length: 700 }, (_, row) => `2020-01-02,ZRH,LIS,LX${row},,1`)
    const file = ['date,from,to,flight_number,plane,from_oid', ...rows].join('\n')
    const name = { 'idempotency-key': 'a file' }
    const send = (each: ServerProcess) => api(each, key, 'POST', '/flights/import', file, name)
    const answers = await Promise.all(servers.map(send))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]!.text).toBe(answers[1]!.text)
    expect(app.db.$client.prepare('select count(*) from flights').pluck().get()).toBe(700)
  })

  test('return the same bytes after a write to either of them', async () => {
    const { servers, app } = await twoServers()
    const { key } = app.user({ owner: true })
    let turn = 0
    const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
      api(servers[turn++ % 2]!, key, method, path, body, headers)
    const create = async (path: string, body: object) => (await call('POST', path, body)).body.data

    /** Expects equal responses and ETags of both, and 304 for the ETag of the other. */
    async function expectEqual(paths: readonly string[]): Promise<void> {
      for (const path of paths) {
        const [one, other] = await Promise.all(servers.map((each) => api(each, key, 'GET', path)))
        expect([path, one!.status, one!.text]).toEqual([path, 200, other!.text])
        const tag = one!.headers.get('etag')
        expect([path, tag]).toEqual([path, other!.headers.get('etag')])
        if (tag) expect((await call('GET', path, undefined, { 'if-none-match': tag })).status).toBe(304)
      }
    }
    const field = await create('/custom-fields', { entityType: 'flight', key: 'pnr', label: 'PNR', fieldType: 'text' })
    const airport = await create('/airports', {
      icao: 'XQ-01',
      name: 'Zzyzx Field',
      latitude: 1,
      longitude: 2,
      timezone: 'Pacific/Apia',
      continent: 'OC',
      country: 'WS',
    })
    const paths = ['/flights', '/stats', '/custom-fields', '/airports?query=zzyzx', '/flights/export', '/me', '/roles']
    for (let round = 0; round < 6; round++) {
      const body = { date: `2025-05-0${round + 1}`, fromId: airport.id, toId: 2, customFields: { pnr: `R${round}` } }
      const { id } = await create('/flights', body)
      await expectEqual([...paths, `/flights/${id}`, '/flights?limit=2'])
      const { headers } = await call('GET', `/flights/${id}`)
      const match = { 'if-match': headers.get('etag')! }
      expect((await call('PUT', `/flights/${id}`, { ...body, note: 'changed' }, match)).status).toBe(200)
      expect((await call('PUT', `/flights/${id}`, { ...body, note: 'lost' }, match)).status).toBe(412)
      await expectEqual([...paths, `/flights/${id}`])
      if (round % 3 !== 2) continue
      expect((await call('DELETE', `/flights/${id}`)).status).toBe(204)
      for (const each of servers) expect((await api(each, key, 'GET', `/flights/${id}`)).status).toBe(404)
      // A cursor of one server is valid at the other.
      const first = (await call('GET', '/flights?limit=1')).body
      const next = (await call('GET', `/flights?limit=1&cursor=${first.page.nextCursor}`)).body
      expect(next.data[0].id).not.toBe(first.data[0].id)
    }
    expect((await call('DELETE', `/custom-fields/${field.id}`)).status).toBe(204)
    await expectEqual(paths)
  })
})
