import type { OpenAPIV3_1 } from 'openapi-types'
import { scopeNames } from '../../../src/access/scopes.ts'
import { mutated } from '../../support/mutate.ts'
import { operationsOf } from './api-requests.ts'
import { credentialPicker } from './credentials.ts'
import type { FuzzRequest } from './exchange.ts'
import { bodyOf, parameters, type Random, type Schema, valueMaker } from './values.ts'
import type { World } from './world.ts'

type Headers = (readonly [string, string])[]

const FORM = 'application/x-www-form-urlencoded'
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH']
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'
const snakeCase = (id: string) => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A random address for nearly every request, to avoid rate limits. */
const randomAddress = ({ below }: Random): Headers => [
  ['X-Forwarded-For', `10.${below(250)}.${below(250)}.${below(250)}`],
]

const legacySave = (ids: World['ids'], { pick, below }: Random) => ({
  id: pick([null, 1 + below(450)]),
  from: pick(['ZRH', 'LSZH', 'lis']),
  to: pick(['LIS', 'JFK', 'HNL']),
  departure: pick(['2025-05-03', '2025-05-03T10:00:00Z']),
  departureTime: pick(['12:20', '2:15 pm', '0900', null]),
  arrival: null,
  datePrecision: pick(['day', 'month', 'year']),
  airline: pick(['SWR', 'LX', null]),
  aircraft: pick(['BCS3', null]),
  flightNumber: 'LX2084',
  customFields: {},
  passengers: [
    { userId: pick(['<USER_ID>', ...ids.travellers]), seat: 'window' },
    { userId: null, guestName: 'Noor' },
  ],
})

/** Requests for surfaces outside of the document: legacy, OAuth, MCP, metadata and pages. */
export function otherRequests(document: OpenAPIV3_1.Document, world: World, random: Random) {
  const { pick, next, below } = random
  const { ids, tokens, clientId, session, forms, host } = world
  const credential = credentialPicker(world, random)
  const sample = valueMaker((document.components?.schemas ?? {}) as Record<string, Schema>, ids, random)
  const operations = operationsOf(document)
  const method = (usual: string) => (next() < 0.93 ? usual : pick(METHODS))
  const query = (...pairs: [string, unknown][]) =>
    `?${parameters(
      pairs.filter(() => next() < 0.7),
      random,
    )}`
  const form = (pairs: [string, unknown][]) =>
    Buffer.from(
      parameters(
        pairs.filter(() => next() < 0.92),
        random,
      ),
      'latin1',
    )
  const formType = (): Headers => [
    ['Content-Type', next() < 0.95 ? FORM : pick(['application/json', 'text/plain', ''])],
  ]

  function legacy(): FuzzRequest {
    const headers = credential('legacy')
    const scope = () =>
      query(
        ['scope', pick(['mine', 'user', 'all'])],
        ['userId', pick(ids.travellers)],
        ['format', pick(['json', 'yaml'])],
      )
    const id = pick([1 + below(450), 'x', '0', '%ff', '9'.repeat(20), '-1'])
    const reads = [
      `/flight/list${scope()}`,
      `/flight/get/${id}`,
      `/flight/export${scope()}`,
      `/stats${scope()}`,
      '/flight',
      `/flight/${id}/x`,
      '/stats/x',
    ]
    if (next() < 0.5) return { method: method('GET'), target: `/api${pick(reads)}`, headers }
    const [path, good] = next() < 0.85 ? ['save', legacySave(ids, random)] : ['delete', { id: 1 + below(600) }]
    return { method: method('POST'), target: `/api/flight/${path}`, headers, body: bodyOf(good, random) }
  }

  function tokenForm(): [string, unknown][] {
    const resource = `http://${host}/api/${pick(['v1', 'mcp'])}`
    const common: [string, unknown][] = [
      ['client_id', clientId],
      ['resource', resource],
    ]
    if (next() < 0.5)
      return [
        ['grant_type', 'refresh_token'],
        ['refresh_token', pick([tokens.dead.refresh_token, 'pxr_x', 'x'.repeat(300)])],
        ['scope', 'profile.read'],
        ...common,
      ]
    return [
      ['grant_type', 'authorization_code'],
      ['code', `pxc_${'a'.repeat(43)}`],
      ['code_verifier', 'v'.repeat(43)],
      ['redirect_uri', 'https://board.example/cb'],
      ...common,
    ]
  }

  function oauth(): FuzzRequest {
    const address = randomAddress(random)
    const basic: Headers =
      next() < 0.1
        ? [['Authorization', `Basic ${pick(['', '!!!', 'OjpB', Buffer.from('a%ff:%zz').toString('base64')])}`]]
        : []
    switch (below(3)) {
      case 0: {
        const good = {
          redirect_uris: [pick(['https://a.example/cb', 'http://localhost:1/x', 'http://[::1]/'])],
          client_name: pick(['Board', '\u202eevil', 'ü'.repeat(300)]),
          token_endpoint_auth_method: pick(['none', 'client_secret_basic']),
          grant_types: ['authorization_code'],
          response_types: ['code'],
        }
        return {
          method: method('POST'),
          target: '/oauth/register',
          headers: [...address, ['Content-Type', next() < 0.95 ? 'application/json' : pick([FORM, 'x'])]],
          body: bodyOf(good, random),
        }
      }
      case 1:
        return {
          method: method('POST'),
          target: `/oauth/token${pick(['', '', '?a=b', '/'])}`,
          headers: [...address, ...basic, ...formType()],
          body: form(tokenForm()),
        }
      default:
        return {
          method: method('POST'),
          target: '/oauth/revoke',
          headers: [...address, ...basic, ...formType()],
          body: form([
            ['client_id', clientId],
            ['token', pick([tokens.dead.access_token, tokens.dead.refresh_token, 'x', ''])],
            ['token_type_hint', 'x'],
          ]),
        }
    }
  }

  function toolCall(): Record<string, unknown> {
    const { id, parameters: declared, body } = pick(operations)
    const members = Object.fromEntries(
      declared
        .filter(({ required }) => required || next() < 0.4)
        .map(({ name, schema }) => [name, name === 'id' ? 1 + below(450) : sample(schema, name)]),
    )
    const given = body && next() < 0.95 ? (sample(body) as object) : {}
    const good = { ...members, ...(typeof given === 'object' ? given : {}) }
    return {
      name: next() < 0.95 ? snakeCase(id) : pick(['nothing', '__proto__', '', 5, { a: 1 }]),
      arguments: next() < 0.5 ? good : JSON.parse(mutated(good, random)),
    }
  }

  function mcp(): FuzzRequest {
    const name = pick([
      'tools/call',
      'tools/call',
      'tools/call',
      'tools/list',
      'initialize',
      'ping',
      'resources/read',
      'resources/list',
      'server/discover',
      'nothing',
    ])
    const stateless = next() < 0.3
    const methodParams: Record<string, unknown> =
      name === 'tools/call' ? toolCall() : name === 'resources/read' ? { uri: 'paxlog://profile' } : {}
    const params = stateless
      ? { ...methodParams, _meta: { [VERSION_KEY]: '2026-07-28', [CAPABILITIES_KEY]: {} } }
      : methodParams
    const message = { jsonrpc: '2.0', id: pick<unknown>([1, 'a', 1]), method: name, params }
    const mcpName = typeof methodParams.name === 'string' ? methodParams.name : methodParams.uri
    const versionHeaders: Headers = stateless
      ? [
          ['MCP-Protocol-Version', '2026-07-28'],
          ['Mcp-Method', name],
          ...(typeof mcpName === 'string'
            ? [['Mcp-Name', next() < 0.9 ? mcpName : pick(['=?base64?!?=', 'x'])] as const]
            : []),
        ]
      : next() < 0.1
        ? [['MCP-Protocol-Version', pick(['2025-06-18', '1900-01-01', '\xff', ''])]]
        : []
    const headers: Headers = [
      ...credential('mcp'),
      ['Content-Type', next() < 0.97 ? 'application/json' : pick(['text/plain', ''])],
      [
        'Accept',
        next() < 0.95 ? 'application/json, text/event-stream' : pick(['text/html', '*/*', 'application/json;q=0', '']),
      ],
      ...versionHeaders,
    ]
    const target =
      next() < 0.96 ? '/api/mcp' : pick(['/api/mcp/', '/api/mcp/x', '/api//mcp', '/api/mcp?x=%ff', '/api/mcp%2f'])
    const httpMethod = method('POST')
    if (httpMethod === 'GET' && next() < 0.5) return { method: httpMethod, target, headers }
    return {
      method: httpMethod,
      target,
      headers: next() < 0.98 ? headers : [...headers, ['Host', 'evil.example']],
      body: next() < 0.6 ? Buffer.from(JSON.stringify(message)) : bodyOf(message, random),
    }
  }

  function wellKnown(): FuzzRequest {
    const paths = [
      '/oauth-authorization-server',
      '/oauth-protected-resource/api/v1',
      '/oauth-protected-resource/api/mcp',
      '/oauth-protected-resource',
      '/openid-configuration',
      '',
      '/',
      '/%2e%2e/login',
      '/x?y=%ff',
      '/%ff',
    ]
    return { method: method('GET'), target: next() < 0.85 ? `/.well-known${pick(paths)}` : '/oauth/jwks', headers: [] }
  }

  function page(): FuzzRequest {
    const signed: Headers =
      next() < 0.8
        ? [['Cookie', `paxlog=${session}; paxlog-oauth=${world.browser}`]]
        : [
            [
              'Cookie',
              pick([
                'paxlog=x',
                'paxlog=\xff; =; ;;',
                'paxlog-oauth=a; paxlog-oauth=b',
                `${'c=d; '.repeat(200)}`,
                '__proto__=1',
              ]),
            ],
          ]
    const headers = [...signed, ...randomAddress(random)]
    const authorize = query(
      ['response_type', 'code'],
      ['client_id', clientId],
      ['redirect_uri', 'https://board.example/cb'],
      ['code_challenge', 'a'.repeat(43)],
      ['code_challenge_method', 'S256'],
      ['resource', `http://${host}/api/v1`],
      ['scope', pick([scopeNames.join(' '), 'x', 'profile.read'])],
      ['state', 's'],
    )
    const reads = [
      '/',
      `/login${query(['next', pick(['/settings/security', '//evil.example', '/\\evil'])])}`,
      '/settings/security?preset=all',
      '/setup',
      `/share/${pick(['slug-1', 'x', '%ff', '%00', 'a'.repeat(300), '..%2f'])}`,
      `/oauth/authorize${authorize}`,
      `/oauth/authorize${authorize}`,
      `/oauth/consent?id=${pick([...world.pending, 'x', '%ff'])}`,
      '/nothing',
      '/assets/x',
      '/health',
      '/ready',
      '/%',
      '/oauth/',
      '/favicon.ico',
    ]
    if (next() < 0.6) return { method: method('GET'), target: pick(reads), headers }
    const csrf: [string, unknown] = ['csrf', next() < 0.9 ? forms.session : 'x']
    const posts: [string, [string, unknown][], Headers?][] = [
      ['/settings/security/keys', [csrf, ['name', 'Laptop'], ['scope', pick([...scopeNames, 'nothing'])]]],
      [`/settings/security/keys/${pick([1, below(500), 'x', '%ff'])}/delete`, [csrf]],
      [`/settings/security/apps/${pick([1, below(50), 'x'])}/revoke`, [csrf]],
      ['/settings/security/password', [csrf, ['current', ''], ['password', 'x']]],
      [
        '/oauth/consent',
        [
          csrf,
          ['id', pick([...world.pending, 'x'])],
          ['decision', pick(['approve', 'deny'])],
          ['scope', 'profile.read'],
        ],
      ],
      ['/setup', [csrf, ['username', 'x'], ['password', 'x']]],
      [
        '/logout',
        [
          ['csrf', 'x'],
          ['next', '/'],
        ],
      ],
      ['/nothing', [csrf]],
    ]
    // Each attempt computes a hash.
    if (next() < 0.02)
      posts.push([
        '/login',
        [
          ['csrf', forms.signIn],
          ['username', 'owner'],
          ['password', 'x'],
        ],
        [['Cookie', forms.signInCookie]],
      ])
    const [target, fields, other] = pick(posts)
    const odd: Headers =
      next() < 0.1
        ? [
            pick([
              ['Origin', 'https://evil.example'],
              ['Sec-Fetch-Site', 'cross-site'],
              ['Origin', 'null'],
              ['Origin', '\xff'],
            ] as const),
          ]
        : []
    return {
      method: method('POST'),
      target,
      headers: [...(other ?? headers), ...formType(), ...odd],
      body: form(fields),
    }
  }

  return { legacy, oauth, mcp, wellKnown, page }
}
