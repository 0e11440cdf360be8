import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listening } from '../http/mcp/support.ts'

type Tool = Awaited<ReturnType<Client['listTools']>>['tools'][number]

/** Connects an MCP client that finds tools only by their descriptions. */
async function connect(url: URL, key: string) {
  const client = new Client({ name: 'walk', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  onTestFinished(() => client.close())
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  const { tools } = await client.listTools()

  /** Returns the only tool whose description contains all the given texts. */
  function toolFor(...texts: string[]): Tool {
    const matching = tools.filter(({ description = '' }) => texts.every((text) => description.includes(text)))
    expect(matching.map(({ name }) => name)).toHaveLength(1)
    return matching[0]!
  }

  const argumentsOf = ({ inputSchema }: Tool) =>
    Object.entries((inputSchema.properties ?? {}) as Record<string, { description?: string }>)

  /** Returns the argument whose description contains the given text. */
  function argumentFor(tool: Tool, text: string): string {
    return argumentsOf(tool).find(([, { description = '' }]) => description.includes(text))![0]
  }

  async function call(tool: Tool, args: Record<string, unknown>) {
    const { isError, structuredContent, content } = await client.callTool({ name: tool.name, arguments: args })
    if (isError) throw new Error(JSON.stringify(content))
    // biome-ignore lint/suspicious/noExplicitAny: the test reads arbitrary results.
    return (structuredContent as any).data
  }
  return { tools, toolFor, argumentFor, call }
}

describe('MCP client with only the list of tools', () => {
  test('finds two airports, logs a flight between them and reads the statistics', async () => {
    const { as, user, url } = await listening()
    const { post } = as(user({ owner: true }))
    const europe = { continent: 'EU', timezone: 'UTC' }
    const zurich = { icao: 'LSZH', iata: 'ZRH', name: 'Zürich Airport', latitude: 47.458056, longitude: 8.548056 }
    const lisbon = { icao: 'LPPT', iata: 'LIS', name: 'Humberto Delgado', latitude: 38.7813, longitude: -9.13592 }
    await post('/airports', { ...zurich, ...europe, country: 'CH' })
    await post('/airports', { ...lisbon, ...europe, country: 'PT', municipality: 'Lisbon' })
    const mira = user({ username: 'mira' })
    const { toolFor, argumentFor, call } = await connect(url, mira.key)

    const search = toolFor('find the id of an airport')
    expect(search.annotations).toMatchObject({ readOnlyHint: true })
    const query = argumentFor(search, 'part of a name')
    const [from] = await call(search, { [query]: 'zurich' })
    const [to] = await call(search, { [query]: 'LIS' })

    const log = toolFor('Log a flight')
    expect(log.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false })
    const flight = await call(log, {
      date: '2025-05-03',
      [argumentFor(log, 'Id of the origin')]: from.id,
      [argumentFor(log, 'Id of the destination')]: to.id,
      departure: '2025-05-03T12:20:00+02:00',
      arrival: '2025-05-03T14:15:00+01:00',
    })
    expect(flight).toMatchObject({ from: { iata: 'ZRH' }, to: { iata: 'LIS' }, distanceKm: 1723.1, duration: 10_500 })
    expect(flight.passengers).toMatchObject([{ user: { username: 'mira' } }])

    const figures = await call(toolFor('Totals and favourites'), {})
    expect(figures).toMatchObject({ flights: 1, distanceKm: 1723, durationSeconds: 10_500, airports: 2 })
    expect(figures.topRoute).toMatchObject({ from: { id: from.id }, to: { id: to.id }, count: 1 })

    // The REST API returns the same data.
    expect((await as(mira).get('/stats')).body.data).toEqual(figures)
    expect((await as(mira).get(`/flights/${flight.id}`)).body.data).toEqual(flight)
  })
})
