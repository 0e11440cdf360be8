import { connect } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listening } from './support.ts'

const info = { name: 'test', version: '1.0.0' }
const withKey = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } })

async function started() {
  const app = await listening()
  const mira = app.user({ owner: true, username: 'mira' })
  return { ...app, mira }
}

/** What every client can do with a key, whichever version it speaks. */
async function judge(client: Pick<Client, 'listTools' | 'callTool' | 'listResources' | 'readResource'>) {
  const { tools } = await client.listTools()
  expect(tools).toHaveLength(47)
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
  ] as const)('M38: connects with a key and speaks %s when it negotiates by %j', async (version, mode) => {
    const { url, mira } = await started()
    const client = new Client(info, { versionNegotiation: { mode } })
    onTestFinished(() => client.close())
    await client.connect(new StreamableHTTPClientTransport(url, withKey(mira.key)))
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    expect(client.getServerVersion()).toMatchObject({ name: 'paxlog', title: 'Paxlog' })
    await judge(client)
  })

  test('M38: of the older line connects with a key, speaks 2025-11-25 and can ping', async () => {
    const { url, mira } = await started()
    const client = new OlderClient(info)
    onTestFinished(() => client.close())
    await client.connect(new OlderTransport(url, withKey(mira.key)))
    expect(await client.ping()).toEqual({})
    await judge(client as never)
  })

  test('M13: learns from the refusal which scopes it lacks', async () => {
    const { url, mira, key } = await started()
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

  test('M11: without a key is refused', async () => {
    const { url } = await started()
    const client = new Client(info)
    await expect(client.connect(new StreamableHTTPClientTransport(url))).rejects.toThrow()
  })
})

describe('a client that hangs up', () => {
  test('M35: in the middle of a call leaves a whole write or none', async () => {
    const { port, mira, as } = await started()
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
