import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Paxlog, sharedPaxlog, type TestUser } from '../../support/paxlog.ts'
import { flying, type Places, places } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'

const NOW = Date.parse('2025-06-15T12:00:00.000Z')
const MINUTE = 60
const nothing = { known: 0, early: 0, onTime: 0, late: 0, averageSeconds: null, medianSeconds: null, worst: null }

let app: Paxlog
let reference: Places
let mira: TestUser
let fly: ReturnType<typeof flying>

beforeAll(async () => {
  app = await sharedPaxlog({ now: () => NOW })
  reference = places(app.db)
  fly = flying(app, reference)
})
beforeEach(() => {
  runNow(app.db, 'delete from flights')
  mira = app.user({ role: 'role-administrator' })
})
afterAll(() => app.close())

const punctuality = async (query = '', who = mira) => (await app.as(who).get(`/stats/punctuality${query}`)).body.data

interface Delays {
  departure?: number | undefined
  arrival?: number | undefined
}

/** The times of a flight with delays in seconds; without a delay, no actual time is known. */
function times(date: string, { departure, arrival }: Delays) {
  const at = (time: string, delay: number) => new Date(Date.parse(`${date}T${time}Z`) + delay * 1000).toISOString()
  return {
    date,
    departureScheduled: at('08:00:00', 0),
    arrivalScheduled: at('10:00:00', 0),
    ...(departure !== undefined && { departure: at('08:00:00', departure) }),
    ...(arrival !== undefined && { arrival: at('10:00:00', arrival) }),
  }
}

/** One flight per delay, on consecutive days. */
async function late(...delays: Delays[]): Promise<number[]> {
  const ids: number[] = []
  for (const [day, delay] of delays.entries())
    ids.push(await fly(mira, 'ZRH', 'LIS', times(`2025-05-${String(day + 1).padStart(2, '0')}`, delay)))
  return ids
}

describe('GET /api/v1/stats/punctuality', () => {
  test('has zeros and nulls for an empty log', async () => {
    expect(await punctuality()).toEqual({ departure: nothing, arrival: nothing, lostSeconds: 0 })
  })

  test('compares actual with scheduled times, for departures and arrivals separately', async () => {
    const [first] = await late({ departure: 20 * MINUTE, arrival: -5 * MINUTE }, { departure: 4 * MINUTE }, {})
    const { departure, arrival, lostSeconds } = await punctuality()
    expect(departure).toMatchObject({
      ...{ known: 2, early: 0, onTime: 1, late: 1 },
      ...{ averageSeconds: 12 * MINUTE, medianSeconds: 12 * MINUTE, worst: { id: first } },
    })
    expect(arrival).toMatchObject({
      ...{ known: 1, early: 1, onTime: 1, late: 0 },
      ...{ averageSeconds: -5 * MINUTE, medianSeconds: -5 * MINUTE, worst: { id: first } },
    })
    expect(lostSeconds).toBe(0)
  })

  test('counts a flight as late from a delay of 15 minutes, and as early below 0', async () => {
    await late({ arrival: 900 }, { arrival: 899.999 }, { arrival: 0 }, { arrival: -0.001 })
    expect((await punctuality()).arrival).toMatchObject({ known: 4, early: 1, onTime: 3, late: 1 })
  })

  test.each([
    ['an odd number', [60, 600, 0], 220, 60],
    ['an even number', [60, 0, 120, 1200], 345, 90],
    ['half a second', [0, 1], 1, 1],
    ['half a second below 0', [0, -1], 0, 0],
    ['equal delays', [60, 60, 60, 0], 45, 60],
  ])('rounds average and median half up: %s', async (_what, delays, averageSeconds, medianSeconds) => {
    await late(...delays.map((arrival) => ({ arrival })))
    expect((await punctuality()).arrival).toMatchObject({ averageSeconds, medianSeconds })
  })

  test('sums the arrival delays above 0 as lost time', async () => {
    await late({ arrival: 30 }, { arrival: -600 }, { arrival: 1000 }, { departure: 5000, arrival: 0 })
    expect((await punctuality()).lostSeconds).toBe(1030)
  })

  test('returns the whole flight with the largest delay; of equal ones the earlier date, then the lower id', async () => {
    const ids: number[] = []
    for (const date of ['2025-05-02', '2025-05-01', '2025-05-01'])
      ids.push(await fly(mira, 'ZRH', 'LIS', times(date, { arrival: 3600 })))
    const flight = (await app.as(mira).get(`/flights/${ids[1]}`)).body.data
    expect((await punctuality()).arrival.worst).toEqual(flight)
  })

  test('has a worst flight even if all flights are early', async () => {
    const [, second] = await late({ arrival: -600 }, { arrival: -60 })
    expect((await punctuality()).arrival.worst.id).toBe(second)
  })

  test.each(['month', 'year'])('ignores flights of %s precision', async (datePrecision) => {
    await fly(mira, 'ZRH', 'LIS', { ...times('2025-05-01', { departure: 60, arrival: 60 }), datePrecision })
    expect(await punctuality()).toEqual({ departure: nothing, arrival: nothing, lostSeconds: 0 })
  })

  test('ignores a flight that is not completed', async () => {
    await fly(mira, 'ZRH', 'LIS', {
      ...{ date: '2025-06-15', departureScheduled: '2025-06-15T10:00:00Z', departure: '2025-06-15T10:30:00Z' },
      arrival: '2025-06-15T12:30:00Z',
    })
    expect((await punctuality()).departure).toEqual(nothing)
  })

  test('applies filter and scope', async () => {
    await late({ arrival: 60 }, { arrival: 120 })
    const noor = app.user()
    await fly(noor, 'LIS', 'ZRH', times('2025-05-01', { arrival: 1800 }))
    expect((await punctuality('?dateFrom=2025-05-02')).arrival).toMatchObject({ known: 1, averageSeconds: 120 })
    expect((await punctuality(`?toId=${reference.airports.ZRH}`)).arrival).toEqual(nothing)
    expect((await punctuality('?scope=all')).arrival).toMatchObject({ known: 3, late: 1 })
    expect((await punctuality(`?scope=user&userId=${noor.id}`)).arrival).toMatchObject({ known: 1, late: 1 })
    expect((await app.as(mira).get('/stats/punctuality?scope=user')).status).toBe(400)
    expect((await app.as(noor).get('/stats/punctuality?scope=all')).status).toBe(403)
  })
})
