import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { passText } from '../../support/boarding-pass.ts'
import { type Paxlog, sharedPaxlog } from '../../support/paxlog.ts'
import { mcpClient } from './support.ts'

// biome-ignore lint/suspicious/noExplicitAny: results are validated by the schema of their tool.
type Result = any

const options = { strict: false, validateFormats: false, allErrors: true }
const schemaCompilers = [new Ajv(options), new Ajv2020(options)]

let app: Paxlog
let client: ReturnType<typeof mcpClient>
let uncalled: Set<string>
const validatorsByTool = new Map<string, { input: ValidateFunction[]; output: ValidateFunction[] }>()

beforeAll(async () => {
  app = await sharedPaxlog()
  client = mcpClient(app.request, app.user({ owner: true, username: 'mira' }))
  const { tools } = (await client.send('tools/list')).body.result
  uncalled = new Set(tools.map(({ name }: { name: string }) => name))
  for (const { name, inputSchema, outputSchema } of tools) {
    const [input, output] = [inputSchema, outputSchema].map((schema) =>
      schemaCompilers.map((compiler) => compiler.compile(schema)),
    )
    validatorsByTool.set(name, { input: input!, output: output! })
  }
})
afterAll(() => app.close())

function validateAll(validators: readonly ValidateFunction[], value: unknown) {
  for (const validate of validators) {
    validate(value)
    expect(validate.errors ?? []).toEqual([])
  }
}

/** Calls a tool and validates arguments and result with both schema versions. */
async function callTool(name: string, args: Record<string, unknown> = {}): Promise<Result> {
  const { input, output } = validatorsByTool.get(name)!
  validateAll(input, args)
  const { status, body } = await client.call(name, args)
  expect([name, status, body.result?.isError, body.error]).toEqual([name, 200, undefined, undefined])
  const { content, structuredContent } = body.result
  validateAll(output, structuredContent)
  expect(content).toEqual([{ type: 'text', text: expect.any(String) }])
  expect(JSON.parse(content[0].text)).toEqual(structuredContent)
  uncalled.delete(name)
  return structuredContent
}

const place = { latitude: 47.458, longitude: 8.548, timezone: 'Europe/Zurich', continent: 'EU', country: 'CH' }

test('M26: every tool succeeds, and its result matches its output schema', async () => {
  expect((await callTool('get_me')).data.username).toBe('mira')
  await callTool('get_preferences')
  expect((await callTool('update_preferences', { distanceUnit: 'nm' })).data).toMatchObject({ updated: true })

  const from = (await callTool('create_airport', { ...place, icao: 'XZH', iata: 'XZH', name: 'Zurich Test' })).data
  expect(from.icao).toBe('XZH')
  const to = (await callTool('create_airport', { ...place, icao: 'XLB', name: 'Lisbon Test', longitude: -9.1 })).data
  const airline = (await callTool('create_airline', { name: 'Test Air', icao: 'XTA' })).data
  const aircraft = (await callTool('create_aircraft', { name: 'Test 220', icao: 'X220' })).data
  for (const [kind, { id, name }] of Object.entries({ airport: from, airline, aircraft })) {
    const found = await callTool(`search_${kind === 'aircraft' ? kind : `${kind}s`}`, { query: name })
    expect(found.data.map((each: { id: number }) => each.id)).toContain(id)
    expect((await callTool(`get_${kind}`, { id })).data.name).toBe(name)
  }
  await callTool('update_airport', { ...place, id: to.id, icao: 'XLB', name: 'Lisbon' })
  await callTool('update_airline', { id: airline.id, name: 'Better Air' })
  await callTool('update_aircraft', { id: aircraft.id, name: 'Better 220' })

  const field = { entityType: 'flight', key: 'booking_ref', label: 'Booking', fieldType: 'text' }
  const custom = (await callTool('create_custom_field', field)).data
  await callTool('update_custom_field', { id: custom.id, label: 'Booking reference', validation: { maxLength: 6 } })
  expect((await callTool('get_custom_field', { id: custom.id })).data.label).toBe('Booking reference')
  expect((await callTool('list_custom_fields', { includeInactive: true })).data).toHaveLength(1)

  const track = {
    coordinates: [
      [8.5, 47.4, 430],
      [-9.1, 38.7],
    ],
    sourceFormat: 'gpx',
    times: [1, 2],
  }
  const flight = {
    date: '2025-05-03',
    fromId: from.id,
    toId: to.id,
    airlineId: airline.id,
    aircraftId: aircraft.id,
    departure: '2025-05-03T12:20:00+02:00',
    arrival: '2025-05-03T14:15:00+01:00',
    customFields: { booking_ref: 'ABC123' },
  }
  const { data: created } = await callTool('create_flight', { ...flight, track })
  expect(created).toMatchObject({ duration: 10_500, track: { pointCount: 2 }, customFields: { booking_ref: 'ABC123' } })
  await callTool('create_flight', { ...flight, date: '2024-01-01', departure: null, arrival: null })
  await callTool('delete_flight', { id: created.id })
  const [deleted] = (await callTool('list_deleted_flights')).data
  expect(deleted).toMatchObject({ id: created.id, deletedBy: { username: expect.any(String) }, flight: created })
  expect((await callTool('restore_flight', { id: created.id })).data.track).toEqual(created.track)
  const first = await callTool('list_flights', { limit: 1, cursor: null })
  expect(first.data).toHaveLength(1)
  const second = await callTool('list_flights', { limit: 1, cursor: first.page.nextCursor })
  expect([second.data[0].date, second.page.nextCursor]).toEqual(['2024-01-01', null])
  expect((await callTool('get_flight', { id: created.id })).data).toEqual(first.data[0])
  expect((await callTool('update_flight', { ...flight, id: created.id, note: 'late' })).data.note).toBe('late')
  expect((await callTool('get_flight_track', { id: created.id })).data.coordinates).toEqual(track.coordinates)
  expect((await callTool('get_flight_track', { id: created.id + 1 })).data).toBeNull()
  expect((await callTool('put_flight_track', { id: created.id, ...track, times: undefined })).data.pointCount).toBe(2)
  expect((await callTool('get_stats', { scope: 'all' })).data.flights).toBe(2)
  const byYear = await callTool('get_stats_breakdown', { scope: 'all', by: 'year', airportId: [from.id] })
  expect(byYear.data.total.flights).toBe(2)
  expect((await callTool('get_stats_records', { scope: 'all' })).data.first).toMatchObject({ date: expect.any(String) })
  expect((await callTool('get_stats_punctuality', { scope: 'all' })).data.lostSeconds).toBe(0)
  expect((await callTool('list_countries')).data.length).toBeGreaterThan(0)
  expect((await callTool('look_up_flight_number', { flightNumber: 'LX 2084', date: '2025-05-03' })).data).toEqual([])

  expect((await callTool('list_flight_changes', { limit: 1 })).page.more).toBe(true)
  const document = await callTool('export_flights')
  expect(document.flights).toHaveLength(2)
  const report = (
    await callTool('import_flights', { content: JSON.stringify(document), dryRun: true, format: 'backup' })
  ).data
  expect(report).toEqual({ rows: 2, created: 0, duplicates: 2, rejected: [], dryRun: true })
  const invalidCsv = 'date,from,to,miles,flightnum\n\n2024-02-30,,,,LX1'
  const reasons = [
    'The date 2024-02-30 is not a day that exists.',
    'The row has no origin airport.',
    'The row has no destination airport.',
  ]
  expect((await callTool('import_flights', { content: invalidCsv, dryRun: true })).data.rejected).toEqual([
    { row: 1, reason: reasons[0], line: 3, reasons },
  ])

  const pass = passText({ name: 'SAMPLE/MIRA', legs: [{ route: 'XZHXQQLX', number: '0316', day: '123' }] })
  const { data: read } = await callTool('read_travel_document', { text: pass, date: '2025-05-03' })
  expect(read).toMatchObject([{ flight: { date: '2025-05-03', fromId: from.id }, duplicateOf: null }])

  expect(await callTool('delete_flight_track', { id: created.id })).toEqual({ deleted: true, id: created.id })
  for (const { id } of [...first.data, ...second.data]) {
    expect(await callTool('delete_flight', { id })).toEqual({ deleted: true, id })
  }
  await callTool('delete_custom_field', { id: custom.id })
  await callTool('delete_airport', { id: from.id })
  await callTool('delete_airline', { id: airline.id })
  await callTool('delete_aircraft', { id: aircraft.id })

  await callTool('put_visited_country', { code: 'PT', status: 'visited' })
  expect((await callTool('list_visited_countries')).data).toMatchObject([{ code: 'PT' }])
  expect(await callTool('delete_visited_country', { code: 'pt' })).toEqual({ deleted: true, code: 'PT' })

  const share = (await callTool('create_share', { slug: 'summer' })).data
  expect((await callTool('list_shares')).data).toHaveLength(1)
  expect((await callTool('update_share', { id: share.id, showStats: true })).data.showStats).toBe(true)
  expect((await callTool('get_share', { id: share.id })).data.slug).toBe('summer')
  await callTool('delete_share', { id: share.id })

  const trip = (await callTool('create_trip', { name: 'Summer' })).data
  expect((await callTool('list_trips')).data).toHaveLength(1)
  expect((await callTool('update_trip', { id: trip.id, name: 'Autumn' })).data.name).toBe('Autumn')
  expect((await callTool('get_trip', { id: trip.id })).data.name).toBe('Autumn')
  expect((await callTool('suggest_trips')).data).toEqual([])
  await callTool('delete_trip', { id: trip.id })

  expect([...uncalled]).toEqual([])
})
