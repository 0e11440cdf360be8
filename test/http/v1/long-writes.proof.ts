import { describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { CustomFieldReplace } from '../../../src/domain/custom-fields/contract.ts'
import { AirportWrite } from '../../../src/domain/reference/contract.ts'
import { isPostgres } from '../../support/engine.ts'
import { flightLog } from '../../support/flight-log.ts'
import { meanwhileOf } from '../../support/meanwhile.ts'

const meadow = AirportWrite.parse({
  icao: 'CH-0042',
  name: 'Meadow of the farm',
  latitude: 47.15,
  longitude: 9.14,
  timezone: 'Europe/Zurich',
  type: 'small_airport',
  continent: 'EU',
  country: 'CH',
})

/** More than the batch size. */
const FLIGHT_COUNT = 120

/** Many flights from a custom airport with a custom value each, and functions to read them during a write. */
async function manyFlights() {
  const log = await flightLog()
  const { as, mira, admin, services } = log
  const caller = { ...operator, userId: admin.id, username: admin.username }
  const { id: fromId } = await services.reference.airports.create(caller, meadow)
  const field = await log.field({ key: 'weather', fieldType: 'text' })
  const customFields = { weather: 'sun' }
  for (let count = 0; count < FLIGHT_COUNT; count++) await log.flight({ fromId, customFields })
  const newest = async () => (await as(mira).get('/flights?limit=1')).body.data[0]
  const totalDistance = async () => (await as(mira).get('/stats')).body.data.distanceKm
  const before = await newest()
  const { nextCursor } = (await as(mira).get('/flights/changes')).body.page

  /** The changed flights of the feed. */
  async function changedIds(): Promise<Set<number>> {
    const ids = new Set<number>()
    for (let cursor = nextCursor; ; ) {
      const { data, page } = (await as(mira).get(`/flights/changes?cursor=${cursor}`)).body
      if (data.length === 0) return ids
      for (const { flightId } of data) ids.add(flightId)
      cursor = page.nextCursor
    }
  }

  async function expectReads(): Promise<void> {
    expect((await as(mira).get('/me')).status).toBe(200)
    expect(await newest()).toEqual(before)
  }

  return {
    ...log,
    caller,
    fromId,
    field,
    newest,
    totalDistance,
    before,
    changedIds,
    expectReads,
    meanwhile: meanwhileOf(log.dataDir),
  }
}

describe('a write that affects many flights', () => {
  // Holds the lock of the database file.
  test.skipIf(isPostgres)('does not block reads: an airport that moves', async () => {
    const { services, caller, fromId, meanwhile, expectReads, newest, totalDistance, changedIds } = await manyFlights()
    const distanceBefore = await totalDistance()
    const moved = { ...meadow, name: 'Another meadow', latitude: 10 }
    const { airports } = services.reference
    const row = await meanwhile(() => airports.update(caller, fromId, moved), expectReads)
    expect(row).toMatchObject({ id: fromId, name: 'Another meadow', latitude: 10, custom: true })
    expect((await newest()).from.name).toBe('Another meadow')
    expect(await totalDistance()).toBeGreaterThan(1.5 * distanceBefore)
    expect((await changedIds()).size).toBe(FLIGHT_COUNT)
  })

  // Holds the lock of the database file.
  test.skipIf(isPostgres)('does not block reads: an airport that is merged into another', async () => {
    const { services, caller, fromId, airports, meanwhile, expectReads, newest, changedIds } = await manyFlights()
    const merged = await meanwhile(() => services.reference.airports.merge(caller, fromId, airports.FRA), expectReads)
    expect(merged).toMatchObject({ into: { id: airports.FRA }, flights: FLIGHT_COUNT })
    expect((await newest()).from.id).toBe(airports.FRA)
    expect((await changedIds()).size).toBe(FLIGHT_COUNT)
  })

  // Holds the lock of the database file.
  test.skipIf(isPostgres)('does not block reads: a custom field that is deactivated or deleted', async () => {
    const { services, caller, field, meanwhile, expectReads, newest, before, changedIds } = await manyFlights()
    const { customFields } = services
    const body = (active: boolean) => CustomFieldReplace.parse({ label: 'Weather', active })
    await meanwhile(() => customFields.update(caller, field.id, body(false)), expectReads)
    expect([before.customFields, (await newest()).customFields]).toEqual([{ weather: 'sun' }, {}])
    expect((await changedIds()).size).toBe(FLIGHT_COUNT)
    await customFields.update(caller, field.id, body(true))
    await meanwhile(() => customFields.remove(caller, field.id), expectReads)
    expect((await newest()).customFields).toEqual({})
  })

  test('is rejected like a write that affects few flights', async () => {
    const { as, mira, admin, fromId, field } = await manyFlights()
    const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
      [status, body?.error?.code] as const
    const airport = `/airports/${fromId}`
    expect(outcome(await as(mira).put(airport, meadow))).toEqual([403, 'forbidden'])
    expect(outcome(await as(mira).delete(`/custom-fields/${field.id}`))).toEqual([403, 'forbidden'])
    expect(outcome(await as(admin).put(airport, { ...meadow, icao: 'LSZH' }))).toEqual([409, 'conflict'])
    expect(outcome(await as(admin).put(`/custom-fields/${field.id}`, { label: 'W', active: false, key: 'x' }))).toEqual(
      [422, 'validation_failed'],
    )
    const twice = await Promise.all([1, 2].map(() => as(admin).delete(`/custom-fields/${field.id}`)))
    // Either request may win.
    expect(new Map(twice.map(outcome))).toEqual(
      new Map([
        [204, undefined],
        [404, 'not_found'],
      ]),
    )
  })
})
