import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Paxlog, sharedPaxlog, type TestUser } from '../../support/paxlog.ts'
import { importing, places } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'

let app: Paxlog
let mira: TestUser
let send: ReturnType<typeof importing>
beforeAll(async () => {
  app = await sharedPaxlog()
  places(app.db)
  mira = app.user()
  send = importing(app)
})
afterAll(() => app.close())
beforeEach(() => void runNow(app.db, 'delete from flights'))

interface Leg {
  date: string
  from: string
  departs: string
  to: string
  arrives: string
}

/** Formats with local times and without an arrival date. */
const formats: Record<string, (leg: Leg) => string> = {
  byair: ({ date, from, departs, to, arrives }) =>
    `flight_date,flight_code,departure_airport_code,arrival_airport_code,departure_time,arrival_time
${date},XX1,${from},${to},${departs},${arrives}`,
  jetlog: ({ date, from, departs, to, arrives }) =>
    `date,origin,destination,departure_time,arrival_time,arrival_date,ticket_class
${date},${from},${to},${departs},${arrives},,economy`,
  myflightradar24: ({ date, from, departs, to, arrives }) =>
    `date,flight_number,from,to,dep_time,arr_time,duration,flight_class
${date},XX1,Origin (/${from}),Destination (/${to}),${departs}:00,${arrives}:00,,1`,
}

/** Origin, local departure, destination and local arrival; then the instant of arrival and the hours. */
const legs: [string, Leg, string, number][] = [
  [
    'the day before, across the date line',
    { date: '2025-03-01', from: 'NZAA', departs: '01:00', to: 'PHNL', arrives: '10:00' },
    '2025-02-28T20:00:00.000Z',
    8,
  ],
  [
    'the same day, across the date line',
    { date: '2025-03-01', from: 'NZAA', departs: '23:30', to: 'PHNL', arrives: '09:30' },
    '2025-03-01T19:30:00.000Z',
    9,
  ],
  [
    'the same day',
    { date: '2025-03-01', from: 'LSZH', departs: '10:00', to: 'LPPT', arrives: '12:00' },
    '2025-03-01T12:00:00.000Z',
    3,
  ],
  [
    'the next day',
    { date: '2025-01-20', from: 'WSSS', departs: '23:10', to: 'LSZH', arrives: '05:10' },
    '2025-01-21T04:10:00.000Z',
    13,
  ],
  [
    'two days later, across the date line',
    { date: '2025-03-01', from: 'PHNL', departs: '22:00', to: 'NZAA', arrives: '05:00' },
    '2025-03-02T16:00:00.000Z',
    8,
  ],
  [
    'the next day where both clocks show the same time',
    { date: '2025-03-01', from: 'LSZH', departs: '10:00', to: 'EKCH', arrives: '10:00' },
    '2025-03-02T09:00:00.000Z',
    24,
  ],
  [
    'the first day of the calendar',
    { date: '0001-01-01', from: 'EGLL', departs: '10:00', to: 'EGLL', arrives: '11:00' },
    '0001-01-01T11:01:15.000Z',
    1,
  ],
]

describe.each(Object.keys(formats))('an arrival without a date in %s is on', (format) => {
  test.each(legs)('%s', async (_name, leg, arrival, hours) => {
    const { body } = await send(mira, formats[format]!(leg), `format=${format}`)
    expect(body.data).toMatchObject({ created: 1, rejected: [] })
    const [flight] = (await app.as(mira).get('/flights')).body.data
    expect(flight).toMatchObject({ date: leg.date, arrival, duration: hours * 3600 })
  })
})

test('an arrival with a date is not changed', async () => {
  const file = `date,origin,destination,departure_time,arrival_time,arrival_date,ticket_class
2025-03-01,NZAA,PHNL,01:00,10:00,2025-03-01,economy`
  expect((await send(mira, file)).body.data).toMatchObject({ created: 1 })
  const [flight] = (await app.as(mira).get('/flights')).body.data
  expect(flight).toMatchObject({ arrival: '2025-03-01T20:00:00.000Z', duration: 32 * 3600 })
})
