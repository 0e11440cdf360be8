import { METHODS } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type OperationId, policy } from '../../src/access/policy.ts'
import { allOperations } from '../../src/app/operations.ts'
import { tags } from '../../src/contract/operation.ts'
import { methodGuard } from '../../src/http/shared/methods.ts'
import { each, pageRoutes } from '../support/page-routes.ts'
import { paxlog } from '../support/paxlog.ts'
import { table } from './authorization/table.ts'

/** All routes that are served without a credential. */
const openRoutes = [
  'GET /health',
  'GET /ready',
  'GET /api',
  'GET /api/mcp',
  'GET /api/ping',
  'GET /api/v1',
  'GET /api/v1/openapi.yaml',
]

/** Routes besides the operations that require a credential: MCP and the legacy API. */
const closedRoutes = [
  'POST /api/mcp',
  'DELETE /api/mcp',
  'GET /api/flight/list',
  'GET /api/flight/get/{id}',
  'GET /api/flight/export',
  'POST /api/flight/save',
  'POST /api/flight/delete',
  'GET /api/stats',
]

/** Routes without API credentials, which use cookies, forms and client ids. */
const pageAndOAuthRoutes = [
  ...pageRoutes,
  'POST /oauth/register',
  'POST /oauth/token',
  'POST /oauth/revoke',
  'GET /oauth/jwks',
  'GET /.well-known',
]

/**
 * All methods of Node except CONNECT, which has no path, HEAD, which follows GET, and OPTIONS, which is listed below.
 */
const methodsExcept = (exception: string) =>
  METHODS.filter((method) => !['CONNECT', 'HEAD', 'OPTIONS', exception].includes(method)).join(' ')

/** Routes that only reject wrong methods and unknown paths, before authentication. */
const rejectingRoutes = [
  // These paths are not ids.
  ...each('PUT DELETE', '/api/v1/flights/changes'),
  ...each('PUT DELETE', '/api/v1/flights/deleted'),
  ...each('PUT DELETE', '/api/v1/flights/export'),
  ...each('GET PUT DELETE', '/api/v1/flights/import'),
  ...each('GET PUT DELETE', '/api/v1/flights/read'),
  ...each('PUT DELETE', '/api/v1/trips/suggestions'),
  ...each(methodsExcept('POST'), '/oauth/register /oauth/token /oauth/revoke'),
  ...each(methodsExcept('GET'), '/oauth/jwks /.well-known'),
  ...each(`${methodsExcept('GET')} OPTIONS`, '/health /ready /api/ping'),
  ...each('GET POST PUT PATCH DELETE TRACE OPTIONS', '/api/flight /api/flight* /api/stats*'),
  ...each('POST PUT PATCH DELETE TRACE OPTIONS', '/api/stats'),
]

/** Preflights are answered before routing and authentication. */
const preflights = each(
  'OPTIONS',
  '/api* /api/mcp* /.well-known* /oauth/jwks* /oauth/register* /oauth/token* /oauth/revoke*',
)

const otherRoutes = [...pageAndOAuthRoutes, ...rejectingRoutes, ...preflights]

/** The routes of Fastify as `METHOD /path` in OpenAPI notation, without HEAD. */
function routesOf(app: Awaited<ReturnType<typeof paxlog>>['app']): string[] {
  const stack: string[] = []
  const routes = new Set<string>()
  for (const line of app.printRoutes({ commonPrefix: false, includeHooks: false }).split('\n')) {
    const found = /^(.*?)[├└]── (\S*)(?: \((.+)\))?$/.exec(line)
    if (!found) continue
    const [, indent, part, methods = ''] = found as unknown as [string, string, string, string | undefined]
    const depth = indent.length / 4
    stack.splice(depth, stack.length, part)
    const path = stack
      .join('')
      .replace(/(?<=.)\/$/, '')
      .replace(/:(\w+)/g, '{$1}')
    for (const method of methods.split(', ').filter((name) => name !== '' && name !== 'HEAD')) {
      routes.add(`${method} ${path}`)
    }
  }
  return [...routes]
}

describe('the operations', () => {
  test('match the rows of the policy one to one', async () => {
    const { services } = await paxlog()
    const written = allOperations(services).map(({ id }) => id)
    const open: OperationId[] = ['getDiscovery', 'getOpenApi']
    expect([...written, ...open].sort()).toEqual(Object.keys(policy).sort())
    expect(new Set(written).size).toBe(written.length)
  })

  test('have the method, the path and the success status of contract section 3', async () => {
    const { services } = await paxlog()
    for (const { id, route, output, created } of allOperations(services)) {
      const status = output === null ? 204 : created ? 201 : 200
      expect({ id, route, status }).toEqual({ id, route: table[id].route, status: table[id].success })
    }
  })

  test('have a summary of one line without a full stop, and a tag of the contract', async () => {
    const { services } = await paxlog()
    expect(tags).toEqual(['Discovery', 'Flights', 'Reference data', 'Personal data', 'Administration'])
    for (const { summary, tag } of allOperations(services)) {
      expect(summary).toMatch(/^[A-Z].{3,78}[^.]$/)
      expect(tags).toContain(tag)
    }
  })
})

describe('the routes', () => {
  test('are the operations and the listed open routes', async () => {
    const { app, services } = await paxlog()
    const served = allOperations(services).map(({ route }) => route.replace(' ', ' /api/v1'))
    expect(routesOf(app).sort()).toEqual([...served, ...closedRoutes, ...openRoutes, ...otherRoutes].sort())
  })

  test('that are not open reject a request without a credential', async () => {
    const { app, request } = await paxlog()
    const closed = routesOf(app).filter((route) => !openRoutes.includes(route) && !otherRoutes.includes(route))
    expect(closed.length).toBe(67 + closedRoutes.length)
    for (const route of closed) {
      const [method, path] = route.split(' ') as ['GET', string]
      expect([route, (await request({ method, url: path.replace(/\{\w+\}/, '1') })).status]).toEqual([route, 401])
    }
  })

  test('of /flights/export and /flights/import reject unsupported methods before authentication', async () => {
    const { request } = await paxlog()
    for (const route of rejectingRoutes.filter((name) => name.includes('/flights/'))) {
      const [method, url] = route.split(' ') as ['GET', string]
      expect([route, (await request({ method, url })).status]).toEqual([route, 405])
    }
  })

  test('that are open respond without a credential', async () => {
    const { request } = await paxlog()
    for (const route of openRoutes) {
      expect([route, (await request({ url: route.split(' ')[1]! })).status]).toEqual([route, 200])
    }
  })
})

describe('the method guard', () => {
  const guard = methodGuard([
    { method: 'GET', path: '/flights' },
    { method: 'POST', path: '/flights' },
    { method: 'GET', path: '/flights/{id}' },
    { method: 'PUT', path: '/flights/{id}' },
    { method: 'DELETE', path: '/flights/{id}' },
    { method: 'GET', path: '/flights/export' },
    { method: 'POST', path: '/flights/import' },
    { method: 'GET', path: '/openapi.yaml' },
  ])

  test('returns the methods of a path, with HEAD for GET and OPTIONS for all', () => {
    expect(guard.allowed('/flights')).toBe('GET, HEAD, POST, OPTIONS')
    expect(guard.allowed('/flights/7')).toBe('GET, HEAD, PUT, DELETE, OPTIONS')
    expect(guard.allowed('/flights/import')).toBe('POST, OPTIONS')
  })

  test('does not match other paths, and reads dots literally', () => {
    expect(guard.allowed('/flights/7/track')).toBeUndefined()
    expect(guard.allowed('/openapi_yaml')).toBeUndefined()
    expect(guard.allowed('/flights/..')).toBeUndefined()
    expect(guard.allowed('/flights/%2E')).toBeUndefined()
  })

  test('never treats /flights/export and /flights/import as an id', () => {
    expect(guard.shadowed()).toEqual([
      { method: 'PUT', path: '/flights/export' },
      { method: 'DELETE', path: '/flights/export' },
      { method: 'GET', path: '/flights/import' },
      { method: 'HEAD', path: '/flights/import' },
      { method: 'PUT', path: '/flights/import' },
      { method: 'DELETE', path: '/flights/import' },
    ])
  })
})
