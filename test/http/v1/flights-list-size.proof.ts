import { describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { largeFlights } from '../../support/large-flights.ts'
import { insertRow } from '../../support/other-connection.ts'
import { paxlog } from '../../support/paxlog.ts'
import { places } from '../../support/travel.ts'

const MEBIBYTE = 2 ** 20
const FLIGHT_COUNT = 60

async function largeLog(guests = 499) {
  const app = await paxlog()
  const mira = app.user()
  const { ZRH, LIS } = places(app.db).airports
  largeFlights(app.db, { fromId: ZRH, toId: LIS, userId: mira.id, flights: FLIGHT_COUNT, guests })
  const ids = app.db.$client.prepare('select id from flights order by date desc').pluck().all() as number[]
  return { app, mira, ids, ...app.as(mira) }
}

describe('a page of large flights', () => {
  test('ends early at 4 MiB, with a cursor for the next flight', async () => {
    const { get, ids, app, mira } = await largeLog()
    const seen: number[] = []
    let cursor: string | null = ''
    let pages = 0
    while (cursor !== null) {
      const { body, text, headers }: Awaited<ReturnType<typeof get>> = await get(
        `/flights?limit=100${cursor && `&cursor=${cursor}`}`,
      )
      expect(Buffer.byteLength(text)).toBeLessThan(4 * MEBIBYTE + 1000)
      expect(Number(headers['content-length'])).toBe(Buffer.byteLength(text))
      seen.push(...body.data.map(({ id }: { id: number }) => id))
      cursor = body.page.nextCursor
      pages++
    }
    expect(seen).toEqual(ids)
    expect(pages).toBeGreaterThan(1)
    // Again, with part of the page cached.
    const again = await get('/flights?limit=100')
    expect(again.body.data.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, again.body.data.length))
    // The MCP tool returns the same page.
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_flights', arguments: { limit: 100 } },
    }
    const called = await app.request({
      method: 'POST',
      url: '/api/mcp',
      headers: { authorization: `Bearer ${mira.key}`, 'content-type': 'application/json' },
      payload: message,
    })
    expect(called.body.result.structuredContent).toEqual(again.body)
  })

  test('yields to other tasks while a page or the full list is read', async () => {
    const { app, mira } = await largeLog()
    const { flights } = app.services
    const caller = { ...operator, userId: mira.id }

    /** Counts how often the event loop runs other tasks during the read. */
    async function countYields(read: () => unknown): Promise<number> {
      let yields = -1
      let isRead = false
      const onYield = () => {
        yields++
        if (!isRead) setImmediate(onYield)
      }
      onYield()
      await read()
      isRead = true
      return yields
    }

    const page = () => flights.list(caller, { scope: 'mine', limit: 100 })
    expect(await countYields(page)).toBeGreaterThanOrEqual(4)
    const form = { name: 'v1', write: JSON.stringify }
    async function readFullList() {
      for await (const chunk of flights.unpaged(caller, { scope: 'mine' }, form)) {
        const bytes = chunk.reduce((sum, { length }) => sum + length, 0)
        expect(bytes).toBeLessThanOrEqual(MEBIBYTE)
      }
    }
    expect(await countYields(readFullList)).toBeGreaterThanOrEqual(5)
  })

  test('contains all requested flights if they are small', async () => {
    const { get } = await largeLog(3)
    const { body } = await get('/flights?limit=60')
    expect([body.data.length, body.page.nextCursor]).toEqual([60, null])
    const short = (await get('/flights?limit=59')).body
    expect([short.data.length, typeof short.page.nextCursor]).toEqual([59, 'string'])
  })

  test('contains a single flight of any size, with long custom values', async () => {
    const { app, get, ids } = await largeLog()
    const { $client } = app.db
    const field = insertRow($client, 'custom_fields', {
      entity_type: 'flight_passenger',
      key: 'k',
      label: 'K',
      field_type: 'textarea',
      active: 1,
    })
    $client
      .prepare(
        `insert into passenger_values (passenger_id, field_id, value)
         select id, ?, ? from passengers where flight_id in (?, ?)`,
      )
      .run(field, JSON.stringify('x'.repeat(9_000)), ids[0], ids[1])
    const first = (await get('/flights?limit=100')).body
    expect(first.data.map(({ id }: { id: number }) => id)).toEqual([ids[0]])
    const second = (await get(`/flights?limit=100&cursor=${first.page.nextCursor}`)).body
    expect(second.data.map(({ id }: { id: number }) => id)).toEqual([ids[1]])
    expect((await get(`/flights/${ids[0]}`)).body.data).toEqual(first.data[0])
  })

  test('does not limit the full list of the legacy API, which is streamed', async () => {
    const { app, mira, ids } = await largeLog()
    const headers = { authorization: `Bearer ${mira.key}` }
    const { body } = await app.request({ url: '/api/flight/list', headers })
    expect(body.flights.map(({ id }: { id: number }) => id)).toEqual([...ids].sort((a, b) => a - b))
  })
})
