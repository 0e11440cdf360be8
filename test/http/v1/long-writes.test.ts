import { describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { CustomFieldReplace } from '../../../src/domain/custom-fields/contract.ts'
import { AirportWrite } from '../../../src/domain/reference/contract.ts'
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

/** More than are written at once. */
const MANY = 120

/** Many flights from an airport of the instance, with a custom value each, and who looks at them while something is done. */
async function manyFlights() {
  const log = await flightLog()
  const { as, mira, admin, services } = log
  const caller = { ...operator, userId: admin.id, username: admin.username }
  const { id: fromId } = await services.reference.airports.create(caller, meadow)
  const field = await log.field({ key: 'weather', fieldType: 'text' })
  const customFields = { weather: 'sun' }
  for (let count = 0; count < MANY; count++) await log.flight({ fromId, customFields })
  const newest = async () => (await as(mira).get('/flights?limit=1')).body.data[0]
  const flown = async () => (await as(mira).get('/stats')).body.data.distanceKm
  const before = await newest()
  const { nextCursor } = (await as(mira).get('/flights/changes')).body.page

  /** What the feed has since. */
  async function heard(): Promise<Set<number>> {
    const ids = new Set<number>()
    for (let cursor = nextCursor; ; ) {
      const { data, page } = (await as(mira).get(`/flights/changes?cursor=${cursor}`)).body
      if (data.length === 0) return ids
      for (const { flightId } of data) ids.add(flightId)
      cursor = page.nextCursor
    }
  }

  async function isServed(): Promise<void> {
    expect((await as(mira).get('/me')).status).toBe(200)
    expect(await newest()).toEqual(before)
  }

  return { ...log, caller, fromId, field, newest, flown, before, heard, isServed, meanwhile: meanwhileOf(log.dataDir) }
}

describe('what many flights have in common', () => {
  test('goes without stopping those who only read: an airport that lies elsewhere', async () => {
    const { services, caller, fromId, meanwhile, isServed, newest, flown, heard } = await manyFlights()
    const flownBefore = await flown()
    const moved = { ...meadow, name: 'Another meadow', latitude: 10 }
    const { airports } = services.reference
    const row = await meanwhile(() => airports.update(caller, fromId, moved), isServed)
    expect(row).toMatchObject({ id: fromId, name: 'Another meadow', latitude: 10, custom: true })
    expect((await newest()).from.name).toBe('Another meadow')
    expect(await flown()).toBeGreaterThan(1.5 * flownBefore)
    expect((await heard()).size).toBe(MANY)
  })

  test('goes without stopping those who only read: an airport that is merged into another one', async () => {
    const { services, caller, fromId, airports, meanwhile, isServed, newest, heard } = await manyFlights()
    const merged = await meanwhile(() => services.reference.airports.merge(caller, fromId, airports.FRA), isServed)
    expect(merged).toMatchObject({ into: { id: airports.FRA }, flights: MANY })
    expect((await newest()).from.id).toBe(airports.FRA)
    expect((await heard()).size).toBe(MANY)
  })

  test('goes without stopping those who only read: a custom field that is switched off, and one that is deleted', async () => {
    const { services, caller, field, meanwhile, isServed, newest, before, heard } = await manyFlights()
    const { customFields } = services
    const body = (active: boolean) => CustomFieldReplace.parse({ label: 'Weather', active })
    await meanwhile(() => customFields.update(caller, field.id, body(false)), isServed)
    expect([before.customFields, (await newest()).customFields]).toEqual([{ weather: 'sun' }, {}])
    expect((await heard()).size).toBe(MANY)
    await customFields.update(caller, field.id, body(true))
    await meanwhile(() => customFields.remove(caller, field.id), isServed)
    expect((await newest()).customFields).toEqual({})
  })

  test('is refused as one of few is', async () => {
    const { as, mira, admin, fromId, field } = await manyFlights()
    const verdict = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
      [status, body?.error?.code] as const
    const airport = `/airports/${fromId}`
    expect(verdict(await as(mira).put(airport, meadow))).toEqual([403, 'forbidden'])
    expect(verdict(await as(mira).delete(`/custom-fields/${field.id}`))).toEqual([403, 'forbidden'])
    expect(verdict(await as(admin).put(airport, { ...meadow, icao: 'LSZH' }))).toEqual([409, 'conflict'])
    expect(verdict(await as(admin).put(`/custom-fields/${field.id}`, { label: 'W', active: false, key: 'x' }))).toEqual(
      [422, 'validation_failed'],
    )
    const twice = await Promise.all([1, 2].map(() => as(admin).delete(`/custom-fields/${field.id}`)))
    // Who comes first is nobody's promise.
    expect(new Map(twice.map(verdict))).toEqual(
      new Map([
        [204, undefined],
        [404, 'not_found'],
      ]),
    )
  })
})
