import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupTo } from '../../src/db/maintenance/backup.ts'
import { sqliteOf } from '../../src/db/sqlite/sqlite.ts'
import { browserSession, csrfIn } from '../support/browser-session.ts'
import { isPostgres } from '../support/engine.ts'
import { oauthClient, pkce } from '../support/oauth-client.ts'
import { paxlog } from '../support/paxlog.ts'

const PASSWORD = 'correct horse battery staple'
const NEW_PASSWORD = 'another horse, other staple'

// Reads every file of the data directory and a backup.
test.skipIf(isPostgres)(
  'L1 A30 N14: no issued or submitted secret is in the log, the database, its WAL or a backup',
  async () => {
    const lines: string[] = []
    const app = await paxlog({ log: (line) => void lines.push(line) })
    const secrets: string[] = [PASSWORD, NEW_PASSWORD]
    const addSecret = <Secret extends string>(secret: Secret): Secret => {
      expect(secret).toBeTruthy()
      secrets.push(secret)
      return secret
    }

    // A user: setup, sign-in, a key, a new password.
    const browser = browserSession(app.app)
    const addCookieSecrets = () => {
      for (const value of browser.jar.values()) addSecret(value)
    }
    await browser.submit('/setup', '/setup', { username: 'mira', displayName: 'Mira', password: PASSWORD })
    addCookieSecrets()
    await browser.signIn('mira', 'a wrong password of mira')
    secrets.push('a wrong password of mira')
    const page = await browser.get('/settings/security')
    addSecret(csrfIn(page.html))
    const created = await browser.submit('/settings/security', '/settings/security/keys', {
      name: 'laptop',
      scope: ['profile.read', 'users.create', 'flight.read.own'],
    })
    const key = addSecret(/pxl_[0-9A-Za-z]{43}/.exec(created.html)![0])
    await browser.submit('/settings/security', '/settings/security/password', {
      current: PASSWORD,
      password: NEW_PASSWORD,
    })
    addCookieSecrets()

    // API clients: valid and invalid requests with the key, a new account, secrets in the wrong place.
    const caller = app.as(key)
    await caller.get('/me')
    await caller.get(`/flights?access_token=${key}`)
    await caller.post('/users', { username: 'bob', password: addSecret('the password of bob') })
    await caller.post('/users', { username: '!', password: addSecret('a refused password') })
    await app.as(addSecret('pxl_0000000000000000000000000000000000000000000')).get('/me')

    // An OAuth application: from registration to revocation.
    const client = await oauthClient(app, { token_endpoint_auth_method: 'client_secret_post' })
    addSecret(client.secret!)
    const owner = { id: app.services.users.owner()!.id, username: 'mira', key }
    const { verifier, challenge } = pkce()
    addSecret(verifier)
    const code = addSecret(await client.code(owner, challenge, { scopes: ['profile.read'] }))
    const { body: tokens } = await client.exchange(code, verifier)
    addSecret(tokens.access_token)
    addSecret(tokens.refresh_token)
    await app.as(tokens.access_token).get('/me')
    const { body: renewed } = await client.refresh(tokens.refresh_token)
    addSecret(renewed.access_token)
    addSecret(renewed.refresh_token)
    await client.refresh(tokens.refresh_token)
    await client.revoke(renewed.access_token)
    await client.exchange(code, verifier)

    backupTo(app.db, join(app.dataDir, 'copy.db'))
    const contents = new Map<string, string>([['the log', lines.join('')]])
    for (const file of readdirSync(app.dataDir)) contents.set(file, readFileSync(join(app.dataDir, file), 'latin1'))
    expect(lines.length).toBeGreaterThan(20)
    expect([...contents.keys()]).toEqual(expect.arrayContaining(['the log', 'paxlog.db', 'paxlog.db-wal', 'copy.db']))
    const found = secrets.flatMap((secret) =>
      [...contents]
        .filter(([, text]) => text.includes(secret))
        .map(([place]) => `${secret.slice(0, 8)}… is in ${place}`),
    )
    expect(found).toEqual([])
  },
)

test('N14: no error repeats a secret in a response or in the log, on any surface', async () => {
  const lines: string[] = []
  const app = await paxlog({ log: (line) => void lines.push(line), addressHeader: 'x-forwarded-for' })
  const { db, request } = app
  await app.services.users.createOwner({ username: 'mira', password: PASSWORD })
  const owner = { id: app.services.users.owner()!.id, username: 'mira', key: app.key(app.services.users.owner()!.id) }
  const browser = browserSession(app.app)
  await browser.signIn('mira', PASSWORD)
  const client = await oauthClient(app, { token_endpoint_auth_method: 'client_secret_post' })
  const tokens = await client.connect(owner, { scopes: ['profile.read', 'flight.read.own'] })
  let count = 0
  /** Returns a unique secret. */
  const canary = () => `canary-${++count}-${owner.key.slice(-8)}`
  const responses: string[] = []
  const statuses = new Set<number>()
  const JSON_TYPE = { 'content-type': 'application/json', host: 'localhost:3000' }
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

  async function call(method: 'GET' | 'POST' | 'PUT', url: string, headers: Record<string, string>, payload?: string) {
    const answer = await request({ method, url, headers, ...(payload !== undefined && { payload }) })
    statuses.add(answer.status)
    // Location can contain the requested path, for the redirect after the sign-in.
    const { location: _, 'set-cookie': __, ...headersToCheck } = answer.headers
    responses.push(answer.text, JSON.stringify(headersToCheck))
  }

  async function callEverySurface(bearer: string) {
    const headers = { ...JSON_TYPE, authorization: `Bearer ${bearer}` }
    const session = { ...FORM, cookie: [...browser.jar].map((pair) => pair.join('=')).join('; ') }
    const rpc = (params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    await call('GET', `/api/v1/flights?access_token=${canary()}`, headers)
    await call('GET', `/api/v1/flights?cursor=${canary()}&limit=${canary()}`, headers)
    await call('GET', `/api/v1/flights/${canary()}`, headers)
    await call('GET', `/api/v1/${canary()}`, headers)
    await call(
      'POST',
      '/api/v1/users',
      headers,
      JSON.stringify({ username: '!', password: canary(), roleId: canary() }),
    )
    await call('POST', '/api/v1/users', headers, `{"password":"${canary()}"`)
    await call('PUT', '/api/v1/preferences', headers, JSON.stringify({ distanceUnit: canary() }))
    await call('POST', '/api/v1/flights/import?format=backup', headers, `${canary()}`)
    await call('GET', `/api/flight/list?key=${canary()}`, headers)
    await call('GET', `/api/flight/get/${canary()}`, headers)
    await call('POST', '/api/flight/save', headers, JSON.stringify({ key: canary(), from: 5, passengers: canary() }))
    await call('POST', '/api/mcp', headers, rpc({ name: 'list_flights', arguments: { cursor: canary() } }))
    await call('POST', '/api/mcp', headers, `{"jsonrpc":"2.0","token":"${canary()}"`)
    await call('POST', '/api/mcp', headers, JSON.stringify({ jsonrpc: '1.0', password: canary() }))
    const from = { ...FORM, 'x-forwarded-for': `10.0.0.${count % 250}` }
    const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
    const identity = { client_id: client.id, client_secret: canary() }
    await call(
      'POST',
      '/oauth/token',
      from,
      form({ grant_type: 'refresh_token', refresh_token: canary(), ...identity }),
    )
    await call(
      'POST',
      '/oauth/token',
      from,
      form({
        grant_type: 'authorization_code',
        code: canary(),
        code_verifier: canary(),
        client_id: client.id,
        client_secret: client.secret!,
        resource: app.services.oauth.resources.urls.v1,
      }),
    )
    await call(
      'POST',
      '/oauth/token',
      { ...from, authorization: `Basic ${Buffer.from(`x:${canary()}`).toString('base64')}` },
      'grant_type=refresh_token',
    )
    await call('POST', '/oauth/revoke', from, form({ token: canary(), ...identity }))
    await call(
      'POST',
      '/oauth/register',
      { ...JSON_TYPE, 'x-forwarded-for': `10.0.1.${count % 250}` },
      JSON.stringify({ redirect_uris: [`http://evil/${canary()}`], software_statement: canary() }),
    )
    await call(
      'POST',
      '/login',
      { ...FORM, cookie: `paxlog=${canary()}; paxlog-csrf=${canary()}` },
      form({ username: 'mira', password: canary(), csrf: canary() }),
    )
    await call(
      'POST',
      '/settings/security/password',
      session,
      form({ current: canary(), password: canary(), csrf: canary() }),
    )
    await call('GET', '/settings/security', session)
    await call('GET', `/${canary()}`, session)
    await call('GET', `/share/${canary()}%ff`, session)
    await call('GET', `/oauth/consent?id=${canary()}`, session)
    await call('GET', `/oauth/authorize?client_id=${canary()}&state=${canary()}`, session)
  }
  for (const bearer of [owner.key, tokens.access_token, canary(), `${owner.key}x`]) await callEverySurface(bearer)
  expect([...statuses]).toEqual(expect.arrayContaining([400, 401, 403, 404, 422]))
  // Missing tables cause server errors on every surface.
  sqliteOf(db)?.pragma('foreign_keys = off')
  for (const table of [
    'flights',
    'users',
    'oauth_codes',
    'oauth_refresh_tokens',
    'oauth_clients',
    'sessions',
    'shares',
  ]) {
    db.$client.exec(`alter table ${table} rename to ${table}_gone`)
  }
  await callEverySurface(owner.key)
  await callEverySurface(tokens.access_token)
  expect(statuses).toContain(500)
  const log = lines.join('')
  expect(lines.filter((line) => JSON.parse(line).level === 50).length).toBeGreaterThan(10)
  for (const secret of ['canary-', owner.key, tokens.access_token, tokens.refresh_token, client.secret!, PASSWORD]) {
    expect([secret.slice(0, 8), log.includes(secret)]).toEqual([secret.slice(0, 8), false])
    expect([secret.slice(0, 8), responses.find((text) => text.includes(secret))]).toEqual([
      secret.slice(0, 8),
      undefined,
    ])
  }
  for (const value of browser.jar.values()) expect(log).not.toContain(value)
  expect(responses.join('')).not.toMatch(/SqliteError|no such table|at .*\.ts:\d+/)
})
