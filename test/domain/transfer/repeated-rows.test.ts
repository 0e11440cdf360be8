import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FormatName, formatNames } from '../../../src/domain/transfer/formats/registry.ts'
import { type Paxlog, sharedPaxlog, type TestUser } from '../../support/paxlog.ts'
import { importing, places } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'

let app: Paxlog
let mira: TestUser
let send: ReturnType<typeof importing>
beforeAll(async () => {
  app = await sharedPaxlog()
  places(app.db)
  mira = app.user({ username: 'mira' })
  send = importing(app)
})
afterAll(() => app.close())
beforeEach(() => void runNow(app.db, 'delete from flights'))

type Numbers = readonly string[]
const lines = (header: string, numbers: Numbers, row: (number: string) => string) =>
  [header, ...numbers.map(row)].join('\n')

/** A file of each format with one flight from Zurich to Lisbon on 3 May 2024 per flight number. */
const files: Record<FormatName, (numbers: Numbers) => string> = {
  backup: (numbers) =>
    JSON.stringify({
      users: [{ id: 'm', username: 'mira' }],
      flights: numbers.map((flightNumber) => ({
        ...{ date: '2024-05-03', from: 'LSZH', to: 'LPPT', flightNumber, passengers: [{ userId: 'm' }] },
      })),
    }),
  myflightradar24: (numbers) =>
    lines(
      'date,flight_number,from,to,dep_time,arr_time,flight_class',
      numbers,
      (number) => `2024-05-03,${number},Zurich (ZRH/LSZH),Lisbon (LIS/LPPT),12:20:00,14:15:00,1`,
    ),
  flighty: (numbers) =>
    lines(
      'date,airline,flight,from,to,gate_departure_scheduled',
      numbers,
      (number) => `2024-05-03,${number.slice(0, 2)},${number.slice(2)},ZRH,LIS,2024-05-03T12:20`,
    ),
  appintheair: (numbers) =>
    lines('Ownership.MINE\nflights:', numbers, (number) =>
      [
        ...['ECONOMY', '7A', '', '', '', '', '', number.slice(0, 2), number.slice(2), 'None', 'ZRH', 'LIS'],
        ...['2024-05-03 10:20:00', '2024-05-03 13:15:00', '2024-05-03 12:20:00', '2024-05-03 14:15:00', ''],
      ].join(';'),
    ),
  openflights: (numbers) =>
    lines('date,from,to,flight_number,plane,from_oid', numbers, (number) => `2024-05-03,ZRH,LIS,${number},,1`),
  jetlog: (numbers) =>
    lines(
      'date,origin,destination,departure_time,flight_number,ticket_class',
      numbers,
      (number) => `2024-05-03,LSZH,LPPT,12:20,${number},economy`,
    ),
  tripit: (numbers) =>
    [
      'BEGIN:VCALENDAR',
      ...numbers.map((number) => `BEGIN:VEVENT\nDTSTART:20240503T102000Z\nSUMMARY:${number} ZRH to LIS\nEND:VEVENT`),
      'END:VCALENDAR',
    ].join('\n'),
  byair: (numbers) =>
    lines(
      'flight_date,flight_code,departure_airport_code,arrival_airport_code',
      numbers,
      (number) => `2024-05-03,${number},ZRH,LIS`,
    ),
  jetlovers: (numbers) =>
    lines('date,from,to,miles,flightnum', numbers, (number) => `2024-05-03,ZRH,LIS,1000,${number}`),
  milesandmore: (numbers) =>
    JSON.stringify({
      SegmentListResponses: numbers.map((number) => ({
        ...{ DepartureDate: '2024-05-03', OriginAirportCode: 'ZRH', DestinationAirportCode: 'LIS' },
        ...{ AirlineDesignatorCode: number.slice(0, 2), FlightNumber: number.slice(2) },
      })),
    }),
  csv: (numbers) => lines('Day,Origin,Destination,Flight No', numbers, (number) => `2024-05-03,ZRH,Lisbon,${number}`),
}

const countsOf = async (content: string, query = '') => {
  const { rows, created, duplicates } = (await send(mira, content, query)).body.data
  return [rows, created, duplicates]
}

describe('equal rows of one file', () => {
  test.each(formatNames.filter((name) => name !== 'backup'))('are imported once from %s', async (format) => {
    const content = files[format](['LX14', 'LX15', 'LX14', 'LX14'])
    expect(await countsOf(content, `format=${format}&dryRun=true`)).toEqual([4, 2, 2])
    expect(await countsOf(content, `format=${format}`)).toEqual([4, 2, 2])
    expect(await countsOf(content, `format=${format}`)).toEqual([4, 0, 4])
    expect(app.db.$client.prepare('select count(*) from flights').pluck().get()).toBe(2)
  })

  test('are all imported from a backup, and a second import creates none', async () => {
    const content = files.backup(['LX14', 'LX15', 'LX14', 'LX14'])
    expect(await countsOf(content)).toEqual([4, 4, 0])
    expect(await countsOf(content)).toEqual([4, 0, 4])
    expect(await countsOf(files.backup(['LX14', 'LX14', 'LX14', 'LX14']))).toEqual([4, 1, 3])
  })

  test('are all duplicates of one flight in the log', async () => {
    expect(await countsOf(files.byair(['LX14']))).toEqual([1, 1, 0])
    expect(await countsOf(files.byair(['LX14', 'LX 14', 'lx-14']))).toEqual([3, 0, 3])
  })

  test('without a flight number are compared by the minute of departure', async () => {
    const header = 'flight_date,flight_code,departure_airport_code,arrival_airport_code,departure_time'
    const content = lines(header, ['12:20', '12:20:30', '12:21', ''], (time) => `2024-05-03,,ZRH,LIS,${time}`)
    expect(await countsOf(content)).toEqual([4, 3, 1])
  })

  test('are compared by the flight number of the file and the stored one', async () => {
    const header = 'date,airline,flight,from,to,gate_departure_scheduled'
    const content = lines(header, ['SWR', 'LX', 'SWR'], (airline) => `2024-05-03,${airline},14,ZRH,LIS,`)
    expect(await countsOf(content)).toEqual([3, 1, 2])
  })
})
