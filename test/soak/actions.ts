import { PASSWORD, type World } from '../bench/world.ts'
import type { Ask, Request } from './client.ts'

/** An action with its weight. No action changes the size of the log. */
export type Action = [weight: number, run: () => Promise<unknown>]

/** A track that is large enough to be compressed outside the event loop. */
const track = { coordinates: Array.from({ length: 500 }, (_, n) => [n / 10, n / 20, 10_000]), sourceFormat: 'gpx' }

export function allActions(world: World, ask: Ask): Action[] {
  const { key, keys, names, session, application, share, fromId, toId, flights, baseUrl } = world
  let turn = 0
  const next = <Item>(items: readonly Item[]) => items[turn++ % items.length]!
  /** A new address for each request, to avoid rate limits. */
  const address = () => `10.${(turn >> 16) & 255}.${(turn >> 8) & 255}.${turn++ & 255}`
  const bearer = { authorization: `Bearer ${key}` }
  const json = { ...bearer, 'content-type': 'application/json' }
  const get = (path: string, more: Partial<Request> = {}) => ask({ path, headers: bearer, ...more })
  const page = (path: string) => ask({ path, headers: { cookie: `paxlog=${session}` } })
  const someFlight = () => 1 + ((turn++ * 7919) % flights)
  const body = (more = {}) => JSON.stringify({ date: '2026-03-04', fromId, toId, flightNumber: 'LX2084', ...more })
  const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
  const formType = { 'content-type': 'application/x-www-form-urlencoded' }

  async function addAndRemove(): Promise<void> {
    const path = '/api/v1/flights'
    const { text } = await ask({ method: 'POST', path, headers: json, body: body({ track }), expect: 201 })
    const one = `${path}/${JSON.parse(text).data.id}`
    await get(`${one}/track`)
    await ask({ method: 'DELETE', path: one, headers: bearer, expect: 204 })
  }

  /** Every row is a duplicate after the first import. */
  const csv = 'date,origin,destination,ticket_class,flight_number,notes\n2001-01-01,LSZH,LPPT,,SOAK1,imported'
  const importAgain = () =>
    ask({
      method: 'POST',
      path: '/api/v1/flights/import',
      headers: { ...bearer, 'content-type': 'text/csv' },
      body: csv,
    })

  /** Refresh tokens that are not in use. Concurrent use of a token would revoke its family. */
  const idleTokens = [...application.tokens]
  async function refresh(): Promise<void> {
    const token = idleTokens.shift()
    if (token === undefined) return
    const { clientId, resource } = application
    const fields = { grant_type: 'refresh_token', client_id: clientId, refresh_token: token, resource }
    const headers = { ...formType, 'x-bench-address': address() }
    const { text } = await ask({ method: 'POST', path: '/oauth/token', headers, body: form(fields) })
    const tokens = JSON.parse(text)
    await ask({ path: '/api/v1/flights', headers: { authorization: `Bearer ${tokens.access_token}` } })
    idleTokens.push(tokens.refresh_token)
  }

  async function signIn(): Promise<void> {
    const { text, cookie = '' } = await ask({ path: '/login' })
    const csrf = /name="csrf" value="([\w-]+)"/.exec(text)![1]!
    const headers = { ...formType, cookie, origin: baseUrl, 'x-bench-address': address() }
    const fields = form({ username: next(names), password: PASSWORD, csrf })
    await ask({ method: 'POST', path: '/login', headers, body: fields, expect: 303 })
  }

  const tool = (name: string, args: unknown) =>
    ask({
      method: 'POST',
      path: '/api/mcp',
      headers: {
        ...json,
        authorization: `Bearer ${next(keys)}`,
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    })

  return [
    [60, () => get(`/api/v1/flights/${someFlight()}`)],
    [40, () => get('/api/v1/flights?limit=50')],
    [20, () => get(`/api/v1/airports?query=${next(['zur', 'lisb', 'lond', 'new'])}`)],
    [20, () => get('/api/v1/stats')],
    [30, addAndRemove],
    [20, () => ask({ method: 'PUT', path: `/api/v1/flights/${someFlight()}`, headers: json, body: body() })],
    [5, importAgain],
    [2, () => get('/api/v1/flights/export')],
    [2, () => get('/api/flight/list')],
    [10, () => get(`/api/flight/get/${someFlight()}`)],
    [30, () => tool('get_flight', { id: someFlight() })],
    [10, () => tool('list_flights', { limit: 20 })],
    [10, refresh],
    [1, signIn],
    [10, () => page('/')],
    [5, () => page('/settings/security')],
    [10, () => ask({ path: `/share/${share}` })],
    [2, () => ask({ path: '/docs' })],
    [5, () => ask({ path: '/.well-known/oauth-authorization-server' })],
    [5, () => ask({ path: '/ready' })],
    // Expected errors.
    [5, () => ask({ path: '/api/v1/me', expect: 401 })],
    [5, () => get('/api/v1/flights/999999999', { expect: 404 })],
    [5, () => ask({ method: 'POST', path: '/api/v1/flights', headers: json, body: '{"date":1}', expect: 422 })],
  ]
}
