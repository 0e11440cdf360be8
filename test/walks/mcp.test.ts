import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listening } from '../http/mcp/support.ts'

type Tool = Awaited<ReturnType<Client['listTools']>>['tools'][number]

/** An assistant that knows what it wants and, of this server, only the list of tools. */
async function assistant(url: URL, key: string) {
  const client = new Client({ name: 'walk', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  onTestFinished(() => client.close())
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  const { tools } = await client.listTools()

  /** The only tool whose description has all these words. */
  function toolFor(...words: string[]): Tool {
    const fitting = tools.filter(({ description = '' }) => words.every((word) => description.includes(word)))
    expect(fitting.map(({ name }) => name)).toHaveLength(1)
    return fitting[0]!
  }

  const members = ({ inputSchema }: Tool) =>
    Object.entries((inputSchema.properties ?? {}) as Record<string, { description?: string }>)

  /** The name of the argument that its own description explains with these words. */
  function memberFor(tool: Tool, words: string): string {
    return members(tool).find(([, { description = '' }]) => description.includes(words))![0]
  }

  async function use(tool: Tool, args: Record<string, unknown>) {
    const { isError, structuredContent, content } = await client.callTool({ name: tool.name, arguments: args })
    if (isError) throw new Error(JSON.stringify(content))
    // biome-ignore lint/suspicious/noExplicitAny: the walk reads what the answers hold.
    return (structuredContent as any).data
  }
  return { tools, toolFor, memberFor, use }
}

describe('an assistant with nothing but the list of tools', () => {
  test('finds two airports, logs a flight between them and reads the statistics', async () => {
    const { as, user, url } = await listening()
    const { post } = as(user({ owner: true }))
    const europe = { continent: 'EU', timezone: 'UTC' }
    const zurich = { icao: 'LSZH', iata: 'ZRH', name: 'Zürich Airport', latitude: 47.458056, longitude: 8.548056 }
    const lisbon = { icao: 'LPPT', iata: 'LIS', name: 'Humberto Delgado', latitude: 38.7813, longitude: -9.13592 }
    await post('/airports', { ...zurich, ...europe, country: 'CH' })
    await post('/airports', { ...lisbon, ...europe, country: 'PT', municipality: 'Lisbon' })
    const mira = user({ username: 'mira' })
    const { toolFor, memberFor, use } = await assistant(url, mira.key)

    const search = toolFor('find the id of an airport')
    expect(search.annotations).toMatchObject({ readOnlyHint: true })
    const query = memberFor(search, 'part of a name')
    const [from] = await use(search, { [query]: 'zurich' })
    const [to] = await use(search, { [query]: 'LIS' })

    const log = toolFor('Log a flight')
    expect(log.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false })
    const flight = await use(log, {
      date: '2025-05-03',
      [memberFor(log, 'Id of the origin')]: from.id,
      [memberFor(log, 'Id of the destination')]: to.id,
      departure: '2025-05-03T12:20:00+02:00',
      arrival: '2025-05-03T14:15:00+01:00',
    })
    expect(flight).toMatchObject({ from: { iata: 'ZRH' }, to: { iata: 'LIS' }, distanceKm: 1723.1, duration: 10_500 })
    expect(flight.passengers).toMatchObject([{ user: { username: 'mira' } }])

    const figures = await use(toolFor('Totals and favourites'), {})
    expect(figures).toMatchObject({ flights: 1, distanceKm: 1723, durationSeconds: 10_500, airports: 2 })
    expect(figures.topRoute).toMatchObject({ from: { id: from.id }, to: { id: to.id }, count: 1 })

    // The same data by the other door.
    expect((await as(mira).get('/stats')).body.data).toEqual(figures)
    expect((await as(mira).get(`/flights/${flight.id}`)).body.data).toEqual(flight)
  })
})
