import type { Request } from 'autocannon'
import { encodePosition } from '../../src/domain/changes/service.ts'
import { readShippedAirports } from '../../src/domain/reference/shipped.ts'
import { ask, type Loop, type Step } from './load.ts'
import { PASSWORD, type World } from './world.ts'

export const PAGE = '/api/v1/flights?limit=50'

export const get = ({ key }: Pick<World, 'key'>, path: string): Request => ({
  method: 'GET',
  path,
  headers: { authorization: `Bearer ${key}` },
})

export const send = ({ key }: Pick<World, 'key'>, method: string, path: string, body: unknown): Request => ({
  method,
  path,
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export const flightBody = ({ fromId, toId }: Pick<World, 'fromId' | 'toId'>) => ({
  date: '2026-03-04',
  fromId,
  toId,
  departure: '2026-03-04T10:20:00Z',
  arrival: '2026-03-04T13:15:00Z',
  flightNumber: 'LX2084',
  aircraftReg: 'HB-JCA',
  note: 'Over the Alps',
})

let address = 0
/** A new client address, to avoid rate limits. */
const newAddress = () => `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address++ & 255}`

export function refreshLoops({ baseUrl, application }: World): Loop[] {
  const { clientId, resource, tokens } = application
  return tokens.map((first, loop) => {
    let token = first
    const step: Step = async () => {
      const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: token, resource }
      const answer = await fetch(`${baseUrl}/oauth/token`, {
        method: 'POST',
        headers: { 'x-bench-address': newAddress() },
        body: new URLSearchParams(form),
      })
      const body = (await answer.json()) as { refresh_token?: string }
      if (body.refresh_token === undefined) throw new Error(`The refresh of loop ${loop} failed: ${answer.status}`)
      token = body.refresh_token
      // The next round continues with this token.
      tokens[loop] = token
    }
    return { step }
  })
}

export function signInLoops({ baseUrl, names }: World): Loop[] {
  let turn = 0
  const step: Step = async () => {
    const login = `${baseUrl}/login`
    const form = await fetch(login)
    const csrf = /name="csrf" value="([\w-]+)"/.exec(await form.text())![1]!
    const cookie = form.headers.getSetCookie()[0]!.split(';')[0]!
    // Each name is limited to five sign-ins per minute.
    const username = names[turn++ % names.length]!
    const answer = await fetch(login, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: baseUrl, 'x-bench-address': newAddress() },
      body: new URLSearchParams({ username, password: PASSWORD, csrf }),
    })
    if (answer.status !== 303) throw new Error(`A sign-in returned ${answer.status}.`)
  }
  return [{ step }, { step }]
}

/** Statistics are cached until the next write, so each read follows a write. */
export function statsLoops(world: World): Loop[] {
  const run = async ({ method, path, headers, body }: Request) => {
    const answer = await fetch(world.baseUrl + path, { method, headers, ...(body !== undefined && { body }) })
    if (!answer.ok) throw new Error(`${path} returned ${answer.status}.`)
    await answer.arrayBuffer()
  }
  return [
    {
      prepare: () => run(send(world, 'PUT', `/api/v1/flights/${world.someFlight}`, flightBody(world))),
      step: () => run(get(world, '/api/v1/stats')),
    },
  ]
}

/** Filters that match many, few and no flights. The last ones scan the whole log. */
export const filters = ({ fromId, toId }: World) => [
  'dateFrom=2020-01-01&dateTo=2020-12-31',
  `airportId=${fromId}`,
  `fromId=${fromId}&toId=${toId}`,
  'airportId=1',
  'airlineId=1,2,3',
  'aircraftId=1',
  'flightNumber=ZZ9999',
  'aircraftReg=ZZ-ZZZ',
]
export const userFilters = [
  'country=PT',
  'country=NP',
  'seat=jumpseat',
  'hasTrack=true',
  'completed=false',
  'companion=nobody',
]
/** Unique prefixes of names and cities, because repeated queries are cached. */
export function searchPrefixes(): string[] {
  const found = new Set<string>()
  let position = 0
  for (const { name, municipality } of readShippedAirports()) {
    position++
    const text = position % 2 === 0 && municipality !== null ? municipality : name
    if (position % 3 === 0) found.add(encodeURIComponent(text.slice(0, 1 + (position % 9))))
  }
  return [...found]
}

export const words = ['zurich', 'lx 20', 'alps', 'nothing like it', 'zur lis swiss']

export const toolCall = (name: string, args: unknown, key: string): Request => ({
  method: 'POST',
  path: '/api/mcp',
  headers: {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
})

/** Pages of the change feed from random positions. */
export const feedPages = (world: World): Request[] =>
  repeat(2000, () => {
    const after = Math.floor(Math.random() * world.feedEnd.seq)
    const cursor = encodePosition({ after, beganAt: world.feedEnd.seq, seen: world.feedEnd })
    return get(world, `/api/v1/flights/changes?limit=100&scope=all&cursor=${cursor}`)
  })

export const repeat = <Made>(count: number, make: () => Made): Made[] => Array.from({ length: count }, make)

/** The same requests with the ETags of their responses. */
export const withEtags = (requests: (world: World) => Request[]) => (world: World) =>
  Promise.all(
    requests(world).map(async (request) => {
      const answer = await ask(world.baseUrl, request)
      await answer.arrayBuffer()
      return { ...request, headers: { ...request.headers, 'if-none-match': answer.headers.get('etag')! } }
    }),
  )
