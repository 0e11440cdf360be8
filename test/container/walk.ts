import { hash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { OpenAPIV3_1 } from 'openapi-types'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { passText } from '../support/boarding-pass.ts'
import { csrfIn, encoded } from '../support/browser-session.ts'
import { responseValidator } from '../support/document.ts'
import { longTrack } from '../support/varied-log.ts'

interface TestResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests check the content
  json: any
}

interface SendOptions {
  body?: unknown
  type?: string
  headers?: Record<string, string>
}

const FORM = 'application/x-www-form-urlencoded'
const REDIRECT = 'https://board.example/cb'

/** Sends requests to a local port, or through a socket file into another network namespace. */
export function sender(portOrSocket: number | string, baseUrl: string) {
  const { host } = new URL(baseUrl)
  const target =
    typeof portOrSocket === 'number' ? { host: '127.0.0.1', port: portOrSocket } : { socketPath: portOrSocket }
  let count = 0
  const send = (method: string, path: string, { body, type, headers }: SendOptions = {}): Promise<TestResponse> =>
    new Promise((resolve, reject) => {
      count++
      const bytes = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
      const contentType = bytes === undefined ? {} : { 'content-type': type ?? 'application/json' }
      const sent = request({ ...target, method, path, headers: { host, ...contentType, ...headers } }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json')
          const json = isJson && text !== '' ? JSON.parse(text) : undefined
          resolve({ status: response.statusCode!, headers: response.headers, text, json })
        })
      })
      sent.on('error', reject)
      sent.end(bytes)
    })
  return { send, sent: () => count }
}

export type Send = ReturnType<typeof sender>['send']

/** Calls every operation of v1 and validates each response against the OpenAPI document of the server. */
export async function walkOperations(send: Send, key: string): Promise<void> {
  const document = parse((await send('GET', '/api/v1/openapi.yaml')).text) as OpenAPIV3_1.Document
  const validate = responseValidator(document)
  const missing = new Set(
    Object.entries(document.paths!).flatMap(([path, item]) =>
      (['get', 'post', 'put', 'delete'] as const)
        .filter((method) => item?.[method])
        .map((method) => `${method.toUpperCase()} ${path}`),
    ),
  )
  missing.delete('GET /api/v1/openapi.yaml')
  const operations = missing.size
  expect(operations).toBeGreaterThan(50)

  /** The operation has the path of the OpenAPI document; `more` holds the id, query and body. */
  async function call(status: number, operation: string, more: SendOptions & { id?: unknown; query?: string } = {}) {
    const [method, template] = operation.split(' ') as [string, string]
    const path = `/api/v1${template}`.replace(/\{\w+\}/, String(more.id)) + (more.query ? `?${more.query}` : '')
    const answer = await send(method, path, { ...more, headers: { authorization: `Bearer ${key}`, ...more.headers } })
    expect([operation, answer.status, answer.text.slice(0, 300)]).toEqual([
      operation,
      status,
      answer.text.slice(0, 300),
    ])
    const contentType = String(answer.headers['content-type'] ?? '')
    expect(validate({ method, url: path, status, contentType, body: answer.json })).toBe(undefined)
    missing.delete(`${method} /api/v1${template}`)
    return answer.json?.data
  }

  await call(200, 'GET ')
  const me = await call(200, 'GET /me')
  await call(200, 'GET /preferences')
  await call(200, 'PUT /preferences', { body: { distanceUnit: 'mi' } })
  const [from] = await call(200, 'GET /airports', { query: 'query=LSZH' })
  const [to] = await call(200, 'GET /airports', { query: 'query=LPPT' })
  const [airline] = await call(200, 'GET /airlines', { query: 'query=Lufthansa' })
  const [aircraft] = await call(200, 'GET /aircraft', { query: 'query=A320' })
  const rows: [kind: string, id: number, body: object][] = [
    [
      'airports',
      from.id,
      {
        ...{ icao: 'XQ-1', name: 'Meadow', latitude: 47, longitude: 8 },
        ...{ timezone: 'Europe/Zurich', continent: 'EU', country: 'CH' },
      },
    ],
    ['airlines', airline.id, { name: 'Meadow Air' }],
    ['aircraft', aircraft.id, { name: 'Kite' }],
  ]
  for (const [kind, id, body] of rows) {
    await call(200, `GET /${kind}/{id}`, { id })
    const created = await call(201, `POST /${kind}`, { body })
    await call(200, `PUT /${kind}/{id}`, { id: created.id, body: { ...body, name: 'Renamed' } })
    await call(204, `DELETE /${kind}/{id}`, { id: created.id })
  }
  const definition = { entityType: 'flight', key: 'mood', label: 'Mood', fieldType: 'text' }
  const field = await call(201, 'POST /custom-fields', { body: definition })
  await call(200, 'GET /custom-fields')
  await call(200, 'GET /custom-fields/{id}', { id: field.id })
  await call(200, 'PUT /custom-fields/{id}', { id: field.id, body: { label: 'Humour' } })

  const body = { date: '2025-05-03', fromId: from.id, toId: to.id, airlineId: airline.id, aircraftId: aircraft.id }
  const flight = await call(201, 'POST /flights', { body: { ...body, customFields: { mood: 'good' } } })
  const { id } = flight
  const passengers = [{ userId: me.id, seat: 'aisle' }, { guestName: 'Noor' }]
  await call(200, 'PUT /flights/{id}', { id, body: { ...body, passengers } })
  await call(200, 'PUT /flights/{id}/track', { id, body: longTrack(5_000) })
  await call(200, 'GET /flights/{id}/track', { id })
  await call(200, 'GET /flights/{id}', { id })
  await call(200, 'GET /flights', { query: 'limit=100' })
  await call(200, 'GET /stats', { query: 'scope=all' })
  await call(200, 'GET /stats/breakdown', { query: 'scope=all&by=airport' })
  await call(200, 'GET /stats/records', { query: 'scope=all&completed=true' })
  await call(200, 'GET /stats/punctuality', { query: 'scope=all&completed=true' })
  await call(200, 'GET /flights/changes', { query: 'scope=all' })
  const exported = await send('GET', '/api/v1/flights/export', { headers: { authorization: `Bearer ${key}` } })
  await call(200, 'GET /flights/export', { query: 'format=yaml' })
  await call(200, 'POST /flights/import', { body: exported.text, query: 'mode=restore' })
  await call(204, 'DELETE /flights/{id}/track', { id })
  const pass = passText({ name: 'HOLM/MIRA', legs: [{ route: 'ZRHLISLX', number: '2084', day: '123' }] })
  await call(200, 'POST /flights/read', { body: pass, type: 'text/plain', query: 'date=2025-05-03' })
  await call(200, 'GET /flight-numbers/{flightNumber}', { id: 'LX2084', query: 'date=2025-05-03' })
  await call(200, 'PUT /visited-countries', { body: { code: 'NO', status: 'visited' } })
  await call(200, 'GET /visited-countries')
  await call(200, 'GET /countries')
  await call(204, 'DELETE /visited-countries', { query: 'code=NO' })
  const share = await call(201, 'POST /shares', { body: { showStats: true, showFlightList: true } })
  await call(200, 'GET /shares')
  await call(200, 'GET /shares/{id}', { id: share.id })
  await call(200, 'PUT /shares/{id}', { id: share.id, body: { showStats: true } })
  expect((await send('GET', `/share/${share.slug}`)).status).toBe(200)
  await call(204, 'DELETE /shares/{id}', { id: share.id })
  const trip = await call(201, 'POST /trips', { body: { name: 'Lisbon', flightIds: [id] } })
  await call(200, 'GET /trips')
  await call(200, 'GET /trips/suggestions')
  await call(200, 'GET /trips/{id}', { id: trip.id })
  await call(200, 'PUT /trips/{id}', { id: trip.id, body: { name: 'Porto' } })
  await call(204, 'DELETE /trips/{id}', { id: trip.id })
  await call(204, 'DELETE /flights/{id}', { id })
  await call(200, 'GET /flights/deleted')
  await call(200, 'POST /flights/deleted/{id}/restore', { id })
  await call(204, 'DELETE /flights/{id}', { id })
  await call(204, 'DELETE /custom-fields/{id}', { id: field.id })

  const role = await call(201, 'POST /roles', { body: { name: 'Crew', permissions: ['flight.read.own'] } })
  await call(200, 'GET /roles')
  await call(200, 'GET /roles/{id}', { id: role.id })
  const user = await call(201, 'POST /users', {
    body: { username: 'bob', password: 'correct horse 2', roleId: role.id },
  })
  await call(200, 'GET /users')
  await call(200, 'GET /users/{id}', { id: user.id })
  await call(200, 'PUT /users/{id}', { id: user.id, body: { displayName: 'Bob' } })
  await call(204, 'DELETE /users/{id}', { id: user.id })
  await call(200, 'PUT /roles/{id}', { id: role.id, body: { name: 'Crew', permissions: [] } })
  await call(204, 'DELETE /roles/{id}', { id: role.id })
  expect([...missing]).toEqual([])
}

/** Calls the legacy API with codes and local times. */
export async function walkLegacy(send: Send, key: string, userId: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  const flight = { from: 'LSZH', to: 'LPPT', departure: '2024-02-03', passengers: [{ userId }] }
  const saved = await send('POST', '/api/flight/save', { headers, body: flight })
  expect(saved.json).toEqual({ success: true, id: expect.any(Number) })
  for (const path of [`/flight/get/${saved.json.id}`, '/flight/list', '/flight/export', '/stats']) {
    expect([path, (await send('GET', `/api${path}`, { headers })).status]).toEqual([path, 200])
  }
  const deleted = await send('POST', '/api/flight/delete', { headers, body: { id: saved.json.id } })
  expect(deleted.json).toEqual({ success: true })
}

/** Initializes an MCP session, lists the tools and calls one. */
export async function walkMcp(send: Send, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json, text/event-stream' }
  const ask = async (method: string, params: object) => {
    const { status, json } = await send('POST', '/api/mcp', {
      headers,
      body: { jsonrpc: '2.0', id: 1, method, params },
    })
    expect([method, status]).toEqual([method, 200])
    return json.result
  }
  const clientInfo = { name: 'walker', version: '1' }
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  expect((await ask('tools/list', {})).tools).toHaveLength(57)
  const called = await ask('tools/call', { name: 'search_airports', arguments: { query: 'Zurich' } })
  expect(called.structuredContent.data[0].icao).toBe('LSZH')
  expect((await send('GET', '/api/mcp')).status).toBe(200)
}

/** A browser that stores cookies and does not follow redirects. */
function browser(send: Send) {
  const cookies = new Map<string, string>()
  async function visit(
    method: string,
    path: string,
    fields?: Record<string, string | string[]>,
  ): Promise<TestResponse> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await send(method, path, {
      headers: cookies.size > 0 ? { cookie } : {},
      ...(fields && { body: encoded(fields), type: FORM }),
    })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      cookies.set(name!, value!)
    }
    return answer
  }
  const submit = async (page: string, action: string, fields: Record<string, string | string[]>) =>
    visit('POST', action, { csrf: csrfIn((await visit('GET', page)).text), ...fields })
  return { visit, submit }
}

/** Creates the owner, opens pages, and creates a key with the given scopes. */
export async function walkPages(send: Send, scopes: string[], code = '') {
  const person = browser(send)
  const setUp = { username: 'ada', displayName: 'Ada', password: 'correct horse', code }
  expect((await person.submit('/setup', '/setup', setUp)).status).toBe(303)
  const { text } = await person.visit('GET', '/')
  const loaded = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!)
  expect(loaded.length).toBeGreaterThan(1)
  for (const path of ['/', '/settings/security', ...loaded]) {
    expect([path, (await person.visit('GET', path)).status]).toEqual([path, 200])
  }
  const created = await person.submit('/settings/security', '/settings/security/keys', {
    name: 'walker',
    scope: scopes,
  })
  expect(created.status).toBe(200)
  const [key] = /pxl_[0-9A-Za-z]{43}/.exec(created.text)!
  return { person, key }
}

/** Connects an OAuth client, refreshes its token and revokes it. */
export async function walkOAuth(send: Send, { visit }: ReturnType<typeof browser>, baseUrl: string): Promise<void> {
  for (const path of ['oauth-protected-resource/api/v1', 'oauth-authorization-server']) {
    expect((await send('GET', `/.well-known/${path}`)).status).toBe(200)
  }
  expect((await send('GET', '/oauth/jwks')).status).toBe(200)
  const registration = { redirect_uris: [REDIRECT], client_name: 'Walker' }
  const { client_id } = (await send('POST', '/oauth/register', { body: registration })).json
  const verifier = randomBytes(32).toString('base64url')
  const resource = `${baseUrl}/api/v1`
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id, redirect_uri: REDIRECT, scope: 'flight.read.own', resource, state: 's' },
    ...{ code_challenge: hash('sha256', verifier, 'base64url'), code_challenge_method: 'S256' },
  })
  const authorization = await visit('GET', `/oauth/authorize?${query}`)
  const page = await visit('GET', String(authorization.headers.location).replace(baseUrl, ''))
  const field = (name: string) =>
    new RegExp(`name="${name}" value="([^"]+)"`).exec(page.text.split('/oauth/consent')[1]!)![1]!
  const approved = await visit('POST', '/oauth/consent', {
    ...{ id: field('id'), csrf: field('csrf'), decision: 'approve', scope: ['flight.read.own'] },
  })
  const code = new URL(String(approved.headers.location)).searchParams.get('code')!
  const token = (form: Record<string, string>) =>
    send('POST', '/oauth/token', { type: FORM, body: encoded({ client_id, resource, ...form }) })
  const first = await token({ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: REDIRECT })
  expect(first.status).toBe(200)
  const second = await token({ grant_type: 'refresh_token', refresh_token: first.json.refresh_token })
  expect(second.status).toBe(200)
  const { access_token, refresh_token } = second.json
  const me = () => send('GET', '/api/v1/me', { headers: { authorization: `Bearer ${access_token}` } })
  expect((await me()).status).toBe(200)
  const revoked = await send('POST', '/oauth/revoke', {
    type: FORM,
    body: encoded({ client_id, token: refresh_token }),
  })
  expect(revoked.status).toBe(200)
  expect((await me()).status).toBe(401)
}
