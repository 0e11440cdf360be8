import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Paxlog, sharedPaxlog, type TestUser } from '../../support/paxlog.ts'
import { copyLoaded } from '../../support/process.ts'
import { importing } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'
import { sampleBytes, samples } from './sample.ts'

/** Uses the shipped reference data. */
let app: Paxlog
let mira: TestUser
beforeAll(async () => {
  app = await sharedPaxlog({}, copyLoaded)
  mira = app.user({ username: 'mira', displayName: 'Mira' })
})
afterAll(() => app.close())
beforeEach(() => void runNow(app.db, 'delete from flights'))

interface Expected {
  rows: number
  /** Reasons by row. */
  rejected: Record<number, string>
  flights: string[]
}

// biome-ignore lint/suspicious/noExplicitAny: a flight as it came over the wire
function summary(flight: any): string {
  const { seat, seatNumber, seatClass, flightReason } = flight.passengers.find(({ user }: { user: unknown }) => user)
  const minute = (instant: string | null) => instant?.slice(0, 16)
  return [
    flight.date,
    flight.datePrecision,
    `${flight.from.icao}-${flight.to.icao}`,
    minute(flight.departure),
    minute(flight.arrival),
    flight.duration,
    flight.flightNumber,
    flight.airline?.name,
    flight.aircraft?.name,
    flight.aircraftReg,
    [seat, seatNumber, seatClass, flightReason].map((part) => part ?? '').join('/'),
    JSON.stringify(flight.note),
  ]
    .map((part) => part ?? '')
    .join(' | ')
}

const swiss = 'Swiss International Air Lines'

/** Derived manually from the files and contract 5.3. */
const expected: Record<string, Expected> = {
  'backup.json': {
    rows: 10,
    rejected: {
      2: 'mira is not on this flight.',
      3: 'The date 2001-02-30 is not a day that exists.',
      4: 'The row has no origin airport.',
      5: 'Passenger 1 has the user gone, who is not in the file.',
      6: 'The duration -5 is not a whole number of seconds.',
      7: 'The flightNumber must be text, not 2084.',
      8: 'The time 2001-02-03 later is not an ISO date-time.',
      9: 'The datePrecision week is not one of day, month, year.',
      10: 'The flight is not an object.',
    },
    flights: [
      `2025-05-03 | day | LSZH-LPPT | 2025-05-03T10:20 | 2025-05-03T13:15 | 10500 | LX2084 | ${swiss} | Airbus A220-300 | HB-JCA | window/7A/economy+/leisure | " kept as it is \\n"`,
    ],
  },
  'backup-older.json': {
    rows: 2,
    rejected: {},
    flights: [
      '2024-07-01 | day | EDDF-OMDB | 2024-07-01T22:30 | 2024-07-02T05:00 | 23400 |  | Emirates | Airbus A380-800 |  | /1K/first/business | null',
      '2024-08-01 | day | EDDF-OMDB |  |  |  |  |  |  |  | /// | "Airline: Tiny Air\\nAircraft: Do 228"',
    ],
  },
  'myflightradar24.csv': {
    rows: 11,
    rejected: {
      5: 'Airport code QQA is not known.',
      8: 'The date 2024-13-01 is not a day that exists.',
      9: 'The airport Zürich does not end in (IATA/ICAO).',
      10: 'The time 25:10:00 is not of the form HH:MM.',
      11: 'The row has 5 cells, but the header has 19.',
    },
    flights: [
      `2023-05-14 | day | LSZH-LPPT | 2023-05-14T10:20 | 2023-05-14T13:15 | 10500 | LX2084 | ${swiss} | Airbus A220-300 | HB-JCA | window/7A/business/business | "Window \\"seat\\", clear view\\nover the Alps"`,
      '2023-06-01 | day | WSSS-EDDF | 2023-06-01T15:10 | 2023-06-02T03:10 | 43200 | SQ26 | Singapore Airlines | Airbus A380-800 |  | aisle//first/leisure | null',
      '2019-08-01 | month | BIKF-BIAR |  |  | 2700 |  |  |  |  | //economy/other | null',
      '1987-01-01 | year | EDDT-EPWA |  |  |  |  | Interflug | Ilyushin Il-18 |  | middle/// | null',
      '2022-01-06 | day | LSZH-LPPT | 2022-01-06T20:30 | 2022-01-06T23:00 | 9000 | AB2 |  |  |  | //private/ | null',
      '2022-01-07 | day | LSZH-LPPT | 2022-01-07T20:30 |  |  | AB3 |  |  |  | //economy/ | null',
    ],
  },
  'flighty.csv': {
    rows: 8,
    rejected: {
      4: 'The flight was cancelled: its column canceled contains true.',
      6: 'The row has no date.',
      7: 'The destination Nice Cote is not an airport code.',
      8: 'The time half past nine is not an ISO date-time.',
    },
    flights: [
      `2024-03-09 | day | LSZH-KORD | 2024-03-09T12:12 | 2024-03-09T22:04 | 35520 | LX8 | ${swiss} | Boeing 777-300ER | HB-JNA | window/23K/economy+/leisure | "First visit; \\"Windy City\\"\\nPNR: K4T9QX"`,
      '2024-03-20 | day | KORD-LSZH | 2024-03-21T00:30 | 2024-03-21T09:45 | 33300 | UA12 | United Airlines |  |  | pilot//business/crew | null',
      '2024-03-22 | day | LSGG-EGLC |  |  |  | 77 |  |  |  | copilot/// | "Diverted to: SEN"',
      '2024-04-01 | day | LFPG-KJFK | 2024-04-01T08:00 | 2024-04-01T16:05 | 29100 | AF22 | Air France |  |  | /// | null',
    ],
  },
  'app-in-the-air.txt': {
    rows: 8,
    rejected: {
      3: 'The flight is not yours: its trip has the owner OTHER.',
      5: 'The flight line has 5 fields, not 17.',
      7: 'The row has no date.',
      8: 'The time last week is not an ISO date-time.',
    },
    flights: [
      `2018-04-02 | day | LSZH-ENGM | 2018-04-02T06:10 | 2018-04-02T08:35 | 8700 | LX1210 | ${swiss} | Airbus A320 |  | /2A/business/ | null`,
      '2018-04-07 | day | ENGM-EDDF | 2018-04-06T22:30 | 2018-04-07T00:40 | 7800 | LH859 | Lufthansa |  |  | //economy+/ | null',
      '2018-06-01 | day | EDDF-RJTT | 2018-06-01T11:40 | 2018-06-01T22:50 | 40200 |  |  | Boeing 747-8 |  | /30B/economy/ | null',
      '2018-06-09 | day | RJTT-EDDF | 2018-06-09T02:05 |  |  | LH717 | Lufthansa | Boeing 747-8 |  | /// | null',
    ],
  },
  'openflights.csv': {
    rows: 10,
    rejected: {
      5: 'The date 2015-02-29 is not a day that exists.',
      6: 'The date 2015-05 is not of the form YYYY-MM-DD.',
      7: 'The airport ZURICH is neither an IATA code of 3 nor an ICAO code of 4 characters.',
      8: 'The row has no destination airport.',
      10: 'The duration 1 hour is not of the form H:MM.',
    },
    flights: [
      `2018-07-21 | day | LSZH-ESSA | 2018-07-21T07:35 | 2018-07-21T10:00 | 8700 | LX1250 | ${swiss} | Airbus A320 | HB-IJQ | window/12F/business/business | "Smörgåsbord, then home\\nTrip: 4412\\nDistance: 921 miles"`,
      '2017-07-04 | day | KJFK-KBOS |  |  | 4200 |  |  |  |  | aisle//economy/leisure | "Distance: 187 miles\\nAirline: JetBlue\\nAircraft: Embraer 190"',
      '2016-07-04 | day | EDDT-EDDF | 2016-07-04T20:05 | 2016-07-04T21:10 | 3900 | AB6207 | Air Berlin |  |  | middle//economy+/crew | null',
      '1999-01-01 | year | LSZH-LSGG |  |  | 3000 |  | Crossair | Saab 2000 |  | //first/other | "Year only\\nDistance: 143 miles"',
      '2015-05-03 | day | LSZH-LSGG | 2015-05-03T12:00 |  |  | 123 |  |  |  | /// | null',
    ],
  },
  'jetlog.csv': {
    rows: 8,
    rejected: {
      5: 'The date 01.12.2021 is not of the form YYYY-MM-DD.',
      6: 'The time 7.30 is not of the form HH:MM.',
      7: 'The duration an hour is not a number of minutes.',
      8: 'The date 2021-12-32 is not a day that exists.',
    },
    flights: [
      `2021-10-03 | day | LSZH-EGLL | 2021-10-03T05:05 | 2021-10-03T06:50 | 6300 | LX316 | ${swiss} | Airbus A220-300 | HB-JCB | window//economy+/business | "Fog; late\\nslot"`,
      '2021-10-08 | day | NZAA-PHNL | 2021-10-08T10:30 | 2021-10-08T19:35 | 32700 | NZ10 | Air New Zealand | Boeing 787-9 Dreamliner |  | aisle//first/leisure | null',
      '2021-11-01 | day | OMDB-VOMM | 2021-11-01T18:10 | 2021-11-01T22:15 | 14700 |  | Emirates | Douglas DC-3 |  | middle//business/crew | null',
      '2021-12-01 | day | LSZH-LSGG |  |  |  |  |  |  |  | /// | null',
    ],
  },
  'tripit.ics': {
    rows: 7,
    rejected: {
      4: 'The event of flight LX2 has no DTSTART.',
      5: 'The date 2024-06-31 is not a day that exists.',
      6: 'The event of flight LX4 has the status CANCELLED.',
      7: 'The event of flight LX5 has no end.',
    },
    flights: [
      `2024-05-03 | day | LSZH-LPPT | 2024-05-03T10:20 | 2024-05-03T13:15 | 10500 | LX2084 | ${swiss} |  |  | /// | null`,
      '2024-05-07 | day | LPPT-LSZH | 2024-05-07T22:30 | 2024-05-08T01:15 | 9900 | U2 8471 | easyJet |  |  | /// | null',
      `2024-06-01 | day | LSZH-LSGG | 2024-06-01T06:00 | 2024-06-01T07:10 | 4200 | SWR9A | ${swiss} |  |  | /// | null`,
    ],
  },
  'byair.csv': {
    rows: 6,
    rejected: {
      4: 'The flight is not yours: its ownership is friend.',
      6: 'The date 2024-02-30 is not a day that exists.',
    },
    flights: [
      `2024-02-10 | day | LSZH-EGLL | 2024-02-10T08:35 | 2024-02-10T10:25 | 6600 | LX318 | ${swiss} |  |  | aisle/14C/economy/business | "Naïve plan, good day\\nBooking code: Q7W2LM"`,
      `2024-02-11 | day | EGLL-LSZH | 2024-02-11T11:20 | 2024-02-11T13:00 | 6000 | SWR319 | ${swiss} |  |  | window//economy+/leisure | null`,
      '2024-02-12 | day | EGKK-LSGG | 2024-02-12T22:50 | 2024-02-13T00:25 | 5700 | U28471 | easyJet |  |  | jumpseat//business/other | null',
      '2024-02-14 | day | EGLL-LSZH |  |  |  |  |  |  |  | /// | null',
    ],
  },
  'jetlovers.csv': {
    rows: 6,
    rejected: { 6: 'The row has no date.' },
    flights: [
      '2010-09-17 | day | LSZH-EKCH |  |  |  | LX1266 |  | Avro RJ100 | HB-IXN | window/8F/economy/leisure | "Airline: Swiss"',
      '2010-09-19 | day | EKCH-LSZH |  |  |  | LX1267 |  | Avro RJ100 |  | aisle/2C/business/business | "Airline: Swiss"',
      '2011-01-02 | day | LSZH-KJFK |  |  |  | AE1 |  |  |  | middle//business/crew | "Airline: Æther Airways\\nAircraft: Zeppelin NT"',
      '2011-01-09 | day | KJFK-LSZH |  |  |  |  |  |  |  | //economy+/other | null',
      '2011-01-10 | day | KJFK-LSZH |  |  |  |  |  |  |  | /// | null',
    ],
  },
  'miles-and-more.json': {
    rows: 6,
    rejected: {
      4: 'The duration ages is not a number of minutes.',
      5: 'The row has no date.',
      6: 'The segment is not an object.',
    },
    flights: [
      '2023-11-04 | day | EDDF-KJFK | 2023-11-04T10:00 | 2023-11-04T18:30 | 30600 | LH400 | Lufthansa | Boeing 747-400 |  | //business/ | "Record locator: X8P2QL\\nStatus points: 40\\nAward miles: 3280"',
      '2023-11-20 | day | KJFK-EDDF |  |  | 25500 | LH401 | Lufthansa |  |  | //economy+/ | null',
      `2004-02-01 | day | EDDM-LSZH |  |  |  | LX1101 | ${swiss} | Avro RJ100 |  | //economy/ | null`,
    ],
  },
  'any.csv': {
    rows: 9,
    rejected: {
      6: 'Airport London is ambiguous. Use a code, such as LHR, LGW, STN, LTN, LCY.',
      7: 'The date 31.02.2025 is not a day that exists.',
    },
    flights: [
      `2024-05-23 | day | LSZH-LPPT | 2024-05-23T10:20 | 2024-05-23T13:15 | 10500 | LX2084 | ${swiss} | Airbus A220-300 | HB-JCA | /12A/business/leisure | "Zeile eins\\nZeile \\"zwei\\""`,
      `2024-05-13 | day | LSGG-LSZH | 2024-05-13T06:05 | 2024-05-13T06:55 | 3000 | LX14 | ${swiss} |  |  | window//economy/business | "=1+1"`,
      '2024-12-31 | day | KJFK-EGLL | 2025-01-01T01:05 | 2025-01-01T08:05 | 25200 | BA178 | British Airways | Boeing 777-200 |  | /// | null',
      '2024-12-31 | day | EDDF-OMDB | 2024-12-31T21:15 | 2025-01-01T02:10 | 17700 | EK 46 | Emirates | Airbus A380-800 |  | //first/ | null',
      '2024-12-30 | day | NZAA-PHNL | 2024-12-29T12:00 | 2024-12-29T20:00 | 28800 |  |  |  |  | /// | null',
      '2019-01-01 | year | LSZH-LPPT |  |  |  |  |  |  |  | /// | null',
      '2005-06-05 | day | VTBD-WSSS | 2005-06-05T03:00 | 2005-06-06T05:30 | 95400 | TG401 | Thai Airways |  |  | /// | null',
    ],
  },
}

const flightsOf = async () => {
  const { data } = (await app.as(mira).get('/flights?limit=100')).body
  return data.sort((a: { id: number }, b: { id: number }) => a.id - b.id)
}

describe('every sample file, end to end', () => {
  test.each(samples)('%s: %s is recognised, imported and reported', async (format, name) => {
    const file = Buffer.from(sampleBytes(name))
    const { rows, rejected, flights } = expected[name]!
    const expectedFlights = {
      rows,
      created: flights.length,
      duplicates: 0,
      rejected: Object.entries(rejected).map(([row, reason]) => ({
        row: Number(row),
        reason,
        line: expect.any(Number),
        reasons: expect.toSatisfy(([first]) => first === reason),
      })),
      dryRun: false,
    }
    const dry = await importing(app)(mira, file, 'dryRun=true')
    expect(dry.body.data).toEqual({ ...expectedFlights, dryRun: true })
    expect(await flightsOf()).toEqual([])
    const { status, body } = await importing(app)(mira, file)
    expect([status, body.data]).toEqual([200, expectedFlights])
    const flightsBefore = await flightsOf()
    expect(flightsBefore.map(summary)).toEqual(flights)

    const again = await importing(app)(mira, file, `format=${format}`)
    expect(again.body.data).toEqual({ ...expectedFlights, created: 0, duplicates: flights.length })
    expect(await flightsOf()).toEqual(flightsBefore)
  })

  test('byAir and App in the Air import flights of other people with mineOnly=false', async () => {
    for (const [name, owners] of [
      ['byair.csv', 5],
      ['app-in-the-air.txt', 5],
    ] as const) {
      const { body } = await importing(app)(mira, Buffer.from(sampleBytes(name)), 'mineOnly=false')
      expect([name, body.data.created]).toEqual([name, owners])
    }
  })

  test('all times, terminals and gates of Flighty are imported', async () => {
    await importing(app)(mira, Buffer.from(sampleBytes('flighty.csv')))
    const [first] = await flightsOf()
    expect(first).toMatchObject({
      departureScheduled: '2024-03-09T12:00:00.000Z',
      arrivalScheduled: '2024-03-09T21:55:00.000Z',
      takeoffScheduled: '2024-03-09T12:15:00.000Z',
      takeoffActual: '2024-03-09T12:31:00.000Z',
      landingScheduled: '2024-03-09T21:40:00.000Z',
      landingActual: '2024-03-09T21:52:00.000Z',
      departureTerminal: 'E',
      departureGate: 'E26',
      arrivalTerminal: '5',
      arrivalGate: 'M11',
    })
  })
})
