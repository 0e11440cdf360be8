import { connect } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listening } from './support.ts'

const info = { name: 'test', version: '1.0.0' }
const withKey = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } })

async function startApp() {
  const app = await listening()
  const mira = app.user({ owner: true, username: 'mira' })
  return { ...app, mira }
}

/** Checks the calls that a client with a key can make in every protocol version. */
async function checkCalls(client: Pick<Client, 'listTools' | 'callTool' | 'listResources' | 'readResource'>) {
  const { tools } = await client.listTools()
  expect(tools).toHaveLength(57)
  const me = await client.callTool({ name: 'get_me', arguments: {} })
  expect(me.structuredContent).toMatchObject({ data: { username: 'mira' } })
  const failed = await client.callTool({ name: 'get_flight', arguments: { id: 999 } })
  expect(failed.isError).toBe(true)
  await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toThrow(/no tool/)
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual(['paxlog://profile'])
  const { contents } = await client.readResource({ uri: 'paxlog://profile' })
  expect(JSON.parse((contents[0] as { text: string }).text).data.username).toBe('mira')
}

describe('the official client', () => {
  test.each([
    ['2025-11-25', 'legacy'],
    ['2026-07-28', 'auto'],
    ['2026-07-28', { pin: '2026-07-28' }],
  ] as const)('M38: connects with a key and uses %s with negotiation %j', async (version, mode) => {
    const { url, mira } = await startApp()
    const client = new Client(info, { versionNegotiation: { mode } })
    onTestFinished(() => client.close())
    await client.connect(new StreamableHTTPClientTransport(url, withKey(mira.key)))
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    expect(client.getServerVersion()).toMatchObject({ name: 'paxlog', title: 'Paxlog' })
    await checkCalls(client)
  })

  test('M38: connects in its older version with a key, uses 2025-11-25 and pings', async () => {
    const { url, mira } = await startApp()
    const client = new OlderClient(info)
    onTestFinished(() => client.close())
    await client.connect(new OlderTransport(url, withKey(mira.key)))
    expect(await client.ping()).toEqual({})
    await checkCalls(client as never)
  })

  test('M13: receives the missing scopes with a 403', async () => {
    const { url, mira, key } = await startApp()
    const challenges: (string | null)[] = []
    const watch: typeof fetch = async (...request) => {
      const response = await fetch(...request)
      if (response.status === 403) challenges.push(response.headers.get('www-authenticate'))
      return response
    }
    const client = new Client(info)
    onTestFinished(() => client.close())
    const options = { ...withKey(key(mira.id, ['profile.read'])), fetch: watch }
    await client.connect(new StreamableHTTPClientTransport(url, options))
    await expect(client.callTool({ name: 'list_flights', arguments: {} })).rejects.toThrow()
    expect(challenges[0]).toContain('scope="flight.read.own", error="insufficient_scope"')
  })

  test('M11: is rejected without a key', async () => {
    const { url } = await startApp()
    const client = new Client(info)
    await expect(client.connect(new StreamableHTTPClientTransport(url))).rejects.toThrow()
  })
})

describe('a client that disconnects', () => {
  test('M35: leaves a complete write or none when it disconnects during a call', async () => {
    const { port, mira, as } = await startApp()
    const { get, post } = as(mira)
    const place = { latitude: 1, longitude: 2, timezone: 'UTC', continent: 'EU', country: 'CH' }
    const { id } = (await post('/airports', { ...place, icao: 'XAAA', name: 'Test' })).body.data
    const passengers = [{ userId: mira.id }, { guestName: 'Noor' }]
    const track = { coordinates: Array.from({ length: 2000 }, () => [1, 2]), sourceFormat: 'gpx' }
    const args = { date: '2025-05-03', fromId: id, toId: id, passengers, track }
    const params = { name: 'create_flight', arguments: args }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const head = `POST /api/mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${mira.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    for (let tries = 0; tries < 30; tries++) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      await new Promise<void>((resolve) => socket.write(head + body, () => resolve()))
      await new Promise((resolve) => setTimeout(resolve, tries % 6))
      socket.destroy()
    }
    await new Promise((resolve) => setTimeout(resolve, 300))
    const flights = (await get('/flights?limit=100')).body.data
    expect(flights.length).toBeGreaterThan(0)
    for (const flight of flights) {
      expect([flight.passengers.length, flight.track?.pointCount]).toEqual([2, 2000])
    }
  })
})
