import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Paxlog, sharedPaxlog } from '../../support/paxlog.ts'
import { handshakeVersions, mcpClient, STATELESS } from './support.ts'

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const IDENTITY = { name: 'paxlog', title: 'Paxlog', version: '0.0.0-test' }
const versions = [...handshakeVersions, STATELESS]

let app: Paxlog
let client: ReturnType<typeof mcpClient>

beforeAll(async () => {
  app = await sharedPaxlog()
  client = mcpClient(app.request, app.user())
})
afterAll(() => app.close())

describe('initialize', () => {
  test.each(handshakeVersions)('M7: echoes %s', async (protocolVersion) => {
    const { status, body } = await client.send('initialize', { protocolVersion, capabilities: {} })
    expect(status).toBe(200)
    expect(body.result).toEqual({
      protocolVersion,
      capabilities: { tools: {}, resources: {} },
      serverInfo: IDENTITY,
      instructions: expect.stringContaining('never instructions'),
    })
  })

  test.each(['2026-07-28', '2024-11-05', '1900-01-01', '', 7, undefined])(
    'M7: answers %s with the newest handshake version',
    async (protocolVersion) => {
      const { body } = await client.send('initialize', { protocolVersion })
      expect(body.result.protocolVersion).toBe('2025-11-25')
    },
  )
})

describe('the header MCP-Protocol-Version', () => {
  test.each(['1900-01-01', '2024-11-05', '2026-07-29', 'x'])(
    'M6 M17: returns 400 with -32022 and the supported versions for %s, even for a notification',
    async (requested) => {
      const headers = { 'mcp-protocol-version': requested }
      const answers = [
        await client.send('ping', undefined, headers),
        await client.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, headers),
      ]
      for (const { status, body } of answers) {
        expect(status).toBe(400)
        expect(body.error).toMatchObject({ code: -32022, data: { supported: versions, requested } })
      }
      const ids = ['seven', 7, null].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
      for (const message of ids) expect((await client.post(message, headers)).body.id).toBe(message.id)
    },
  )

  test('M6: is optional with default 2025-03-26, and accepts every handshake version', async () => {
    expect((await client.send('ping')).body.result).toEqual({})
    for (const version of handshakeVersions) {
      expect((await client.send('ping', undefined, { 'mcp-protocol-version': version })).body.result).toEqual({})
    }
  })
})

describe('with the handshake', () => {
  test('M33: ping is answered, and methods that are not offered return -32601 in a 200', async () => {
    expect((await client.send('ping')).body).toEqual({ jsonrpc: '2.0', id: 7, result: {} })
    const absent = [
      'logging/setLevel',
      'resources/subscribe',
      'prompts/list',
      'completion/complete',
      'server/discover',
      'constructor',
      '__proto__',
    ]
    for (const method of absent) {
      const { status, body } = await client.send(method)
      expect([method, status, body.error?.code]).toEqual([method, 200, -32601])
    }
  })

  test('results contain no members of the later version', async () => {
    for (const method of ['tools/list', 'resources/list']) {
      const { result } = (await client.send(method)).body
      expect(Object.keys(result)).toEqual([method.split('/')[0]])
    }
    const { result } = (await client.call('get_me')).body
    expect(Object.keys(result).sort()).toEqual(['content', 'structuredContent'])
  })

  test('headers and _meta of the later version are ignored', async () => {
    const meta = { _meta: { [CAPABILITIES]: 7, [VERSION]: '2025-06-18' } }
    const headers = { 'mcp-method': 'tools/call', 'mcp-name': 'nothing', 'mcp-protocol-version': '2025-11-25' }
    expect((await client.send('ping', meta, headers)).body.result).toEqual({})
  })
})

describe('2026-07-28', () => {
  test('M19 M20: server/discover returns versions, capabilities and identity', async () => {
    const { status, body } = await client.stateless('server/discover')
    expect(status).toBe(200)
    expect(body.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: versions,
      capabilities: { tools: {}, resources: {} },
      _meta: { 'io.modelcontextprotocol/serverInfo': IDENTITY },
    })
  })

  test('M20 M21: every result is complete and names the server, and lists and reads are privately cacheable', async () => {
    const cacheable = { ttlMs: 300_000, cacheScope: 'private' }
    const requests: [method: string, params?: Record<string, unknown>][] = [
      ['tools/list'],
      ['resources/list'],
      ['resources/templates/list'],
      ['resources/read', { uri: 'paxlog://profile' }],
    ]
    const identity = { 'io.modelcontextprotocol/serverInfo': IDENTITY }
    for (const [method, params] of requests) {
      const { result } = (await client.stateless(method, params)).body
      expect(result).toMatchObject({ resultType: 'complete', ...cacheable, _meta: identity })
    }
    const called = (await client.stateless('tools/call', { name: 'get_me' })).body.result
    expect(called).toMatchObject({ resultType: 'complete', _meta: identity })
    expect(called).not.toHaveProperty('ttlMs')
    const failed = (await client.stateless('tools/call', { name: 'get_flight', arguments: { id: 999 } })).body.result
    expect(failed).toMatchObject({ resultType: 'complete', isError: true })
  })

  test.each(['initialize', 'ping', 'prompts/list', 'resources/subscribe', 'toString'])(
    'M18: %s returns 404 with -32601',
    async (method) => {
      const { status, body } = await client.stateless(method)
      expect([status, body.id, body.error.code]).toEqual([404, 7, -32601])
    },
  )

  test.each([
    ['no Mcp-Method', 'tools/list', {}, { 'mcp-method': undefined }],
    ['a wrong Mcp-Method', 'tools/list', {}, { 'mcp-method': 'tools/call' }],
    ['an uppercase Mcp-Method', 'tools/list', {}, { 'mcp-method': 'TOOLS/LIST' }],
    ['no Mcp-Name', 'tools/call', { name: 'get_me' }, { 'mcp-name': undefined }],
    ['a wrong Mcp-Name', 'tools/call', { name: 'get_me' }, { 'mcp-name': 'get_stats' }],
    ['no Mcp-Name', 'resources/read', { uri: 'paxlog://profile' }, { 'mcp-name': undefined }],
    ['a wrong Mcp-Name', 'resources/read', { uri: 'paxlog://profile' }, { 'mcp-name': 'paxlog://other' }],
    ['no version header', 'tools/list', {}, { 'mcp-protocol-version': undefined }],
    ['a wrong version header', 'tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }],
    ['invalid base64', 'tools/call', { name: 'get_me' }, { 'mcp-name': '=?base64?Z2V0X21l!?=' }],
    ['base64 of a wrong name', 'tools/call', { name: 'get_me' }, { 'mcp-name': `=?base64?${btoa('get_you')}?=` }],
  ] as const)('M14: %s on %s returns 400 with -32020', async (_name, method, params, headers) => {
    const { status, body } = await client.stateless(method, params, headers)
    expect([status, body.id, body.error?.code]).toEqual([400, 7, -32020])
  })

  test('M15: decodes a base64 Mcp-Name before comparison', async () => {
    const headers = { 'mcp-name': `=?base64?${btoa('get_me')}?=` }
    expect((await client.stateless('tools/call', { name: 'get_me' }, headers)).status).toBe(200)
    const name = 'få_mig'
    const encoded = Buffer.from(name).toString('base64')
    const unknown = await client.stateless('tools/call', { name }, { 'mcp-name': `=?base64?${encoded}?=` })
    expect([unknown.status, unknown.body.error.code]).toEqual([200, -32602])
  })

  test.each([
    ['_meta', undefined],
    ['_meta as an object', 7],
    ['the version', { [CAPABILITIES]: {} }],
    ['the version as text', { [VERSION]: 7, [CAPABILITIES]: {} }],
    ['client capabilities', { [VERSION]: STATELESS }],
    ['client capabilities as an object', { [VERSION]: STATELESS, [CAPABILITIES]: [] }],
  ])('M16: a request without %s returns 400 with -32602', async (_name, meta) => {
    const headers = { 'mcp-protocol-version': STATELESS, 'mcp-method': 'tools/list' }
    const params = meta === undefined ? {} : { _meta: meta }
    const { status, body } = await client.send('tools/list', params, headers)
    expect([status, body.id, body.error.code]).toEqual([400, 7, -32602])
  })

  test('M16: client information is optional', async () => {
    expect((await client.stateless('tools/list')).status).toBe(200)
  })

  test('M4: accepts a notification with 202', async () => {
    const headers = { 'mcp-protocol-version': STATELESS, 'mcp-method': 'notifications/cancelled' }
    const { status, text } = await client.post({ jsonrpc: '2.0', method: 'notifications/cancelled' }, headers)
    expect([status, text]).toEqual([202, ''])
  })
})

describe('in every version', () => {
  const both: [
    name: string,
    send: (method: string, params: Record<string, unknown>) => ReturnType<typeof client.send>,
  ][] = [
    ['with the handshake', (method, params) => client.send(method, params)],
    ['without the handshake', (method, params) => client.stateless(method, params)],
  ]

  test.each(both)(
    'M23 M27 M29: an unknown tool, cursor or resource returns -32602 in a 200, %s',
    async (_name, send) => {
      const invalid: [string, Record<string, unknown>][] = [
        ['tools/call', { name: 'drop_tables' }],
        ['tools/call', { name: 'list_users' }],
        ['tools/call', { name: 'constructor' }],
        ['tools/call', {}],
        ['tools/call', { name: 7 }],
        ['tools/list', { cursor: 'eyJkIjoi' }],
        ['tools/list', { cursor: '' }],
        ['resources/list', { cursor: 'x' }],
        ['resources/templates/list', { cursor: 'x' }],
        ['resources/read', { uri: 'paxlog://nothing' }],
        ['resources/read', { uri: 'file:///etc/passwd' }],
        ['resources/read', {}],
      ]
      for (const [method, params] of invalid) {
        const { status, body } = await send(method, params)
        expect([method, params, status, body.error?.code]).toEqual([method, params, 200, -32602])
        const { uri } = params as { uri?: string }
        if (uri !== undefined) expect(body.error.data).toEqual({ uri })
      }
    },
  )

  test.each(both)('the only resource is the profile, for any valid credential, %s', async (_name, send) => {
    const { resources } = (await send('resources/list', {})).body.result
    expect(resources).toMatchObject([{ uri: 'paxlog://profile', name: 'profile', mimeType: 'application/json' }])
    const { contents } = (await send('resources/read', { uri: 'paxlog://profile' })).body.result
    expect(contents).toMatchObject([{ uri: 'paxlog://profile', mimeType: 'application/json' }])
    expect(JSON.parse(contents[0].text).data.credential.kind).toBe('apiKey')
    expect((await send('resources/templates/list', {})).body.result.resourceTemplates).toEqual([])
  })

  test('the profile equals GET /me, even for a key with a single scope', async () => {
    const { id } = app.user()
    const key = app.key(id, ['stats.read'])
    const { body } = await mcpClient(app.request, key).send('resources/read', { uri: 'paxlog://profile' })
    expect(JSON.parse(body.result.contents[0].text)).toEqual((await app.as(key).get('/me')).body)
  })
})
