import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import type { FormatName } from '../../../src/domain/transfer/formats/registry.ts'
import { type Paxlog, sharedPaxlog, type TestUser } from '../../support/paxlog.ts'
import { importing, places } from '../../support/travel.ts'

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

const rejectedOf = async (content: string, query = '') => {
  const { status, body } = await send(mira, content, `dryRun=true&${query}`)
  expect(status).toBe(200)
  return body.data.rejected
}
const linesOf = async (content: string) =>
  (await rejectedOf(content)).map(({ row, line }: { row: number; line: number }) => [row, line])

const BYAIR = 'flight_date,flight_code,departure_airport_code,arrival_airport_code,notes'
const GOOD = '2024-05-03,LX1,ZRH,LIS,'
const BAD = ',LX2,ZRH,LIS,'

describe('the line of a rejected row', () => {
  test('counts the header and blank lines, and a cell with line breaks once', async () => {
    const file = [BYAIR, BAD, '', GOOD, '2024-05-04,LX3,ZRH,LIS,"one\ntwo\n\nthree"', '  ', BAD].join('\n')
    expect(await linesOf(file)).toEqual([
      [1, 2],
      [4, 7],
    ])
    expect(await linesOf(file.replaceAll('\n', '\r\n'))).toEqual(await linesOf(file))
    expect(await linesOf(`\ufeff${file.replaceAll(',', ';')}`)).toEqual(await linesOf(file))
  })

  test('counts blank lines before the header', async () => {
    expect(await linesOf(['', ' ', BYAIR, BAD].join('\n'))).toEqual([[1, 4]])
  })

  test('is the line number of a text file', async () => {
    const file = ['Ownership.MINE', 'flights:', '', 'a;b', 'hotels:', 'x', 'Ownership.MINE', 'flights:', 'c;d'].join(
      '\n',
    )
    expect(await linesOf(file)).toEqual([
      [1, 4],
      [2, 9],
    ])
  })

  test('is the record number in JSON and calendar files, from 1', async () => {
    const users = [{ id: 'm', username: 'mira' }]
    expect(await linesOf(JSON.stringify({ users, flights: [{}, 5] }, null, 2))).toEqual([
      [1, 1],
      [2, 2],
    ])
    expect(await linesOf(JSON.stringify({ SegmentListResponses: [{}, {}] }, null, 2))).toEqual([
      [1, 1],
      [2, 2],
    ])
    const events = ['Hotel', 'LX1 ZRH to LIS', 'LX2 ZRH to LIS'].map(
      (summary) => `BEGIN:VEVENT\nSUMMARY:${summary}\nEND:VEVENT`,
    )
    expect(await linesOf(['BEGIN:VCALENDAR', ...events, 'END:VCALENDAR'].join('\n'))).toEqual([
      [1, 1],
      [2, 2],
    ])
  })
})

const long = 'x'.repeat(501)
const users = [{ id: 'm', username: 'mira' }]
const flightLine = [
  ...['ECONOMY', '7A', '', '', '', '', '', 'LX', '1', 'None', 'Zürich', 'QQQ'],
  ...['soon', '2024-05-03 25:00:00', 'later', '2024-02-30 10:00:00', ''],
].join(';')

/** A row of each format with several problems, and the expected reasons. */
const rows: [string, FormatName, string, string[]][] = [
  [
    'a CSV file with local times',
    'byair',
    `${BYAIR},departure_time,arrival_time,ownership\n2024-02-30,LX1,,QQQ,,25:00,noon,friend`,
    [
      'The flight is not yours: its ownership is friend.',
      'The date 2024-02-30 is not a day that exists.',
      'The row has no origin airport.',
      'The time 25:00 is not of the form HH:MM.',
      'The time noon is not of the form HH:MM.',
      'Airport code QQQ is not known.',
    ],
  ],
  [
    'two unknown airports and a long number',
    'byair',
    `${BYAIR}\n2024-05-03,${long},QQQ,QQR,`,
    [
      'Airport code QQQ is not known.',
      'Airport code QQR is not known.',
      `The flightNumber ${'x'.repeat(60)}… cannot be used: Must have at most 500 characters.`,
    ],
  ],
  [
    'an unknown airport at a time without a date',
    'flighty',
    'date,airline,flight,from,to,gate_departure_scheduled,canceled\n,LX,1,QQQ,LIS,2024-05-03T10:00Z,true',
    ['The flight was cancelled: its column canceled contains true.', 'Airport code QQQ is not known.'],
  ],
  [
    'a time that cannot be read instead of a date',
    'flighty',
    'date,airline,flight,from,to,gate_departure_scheduled\n,LX,1,ZRH,LIS,soon',
    ['The time soon is not an ISO date-time.'],
  ],
  [
    'dates, airports and durations',
    'openflights',
    'date,from,to,flight_number,duration,plane,from_oid\n2024-13-01,Z,QQQ,LX1,long,,1',
    [
      'The date 2024-13-01 is not a day that exists.',
      'The duration long is not of the form H:MM.',
      'The airport Z is neither an IATA code of 3 nor an ICAO code of 4 characters.',
      'Airport code QQQ is not known.',
    ],
  ],
  [
    'a day of arrival',
    'jetlog',
    'date,origin,destination,departure_time,arrival_time,arrival_date,ticket_class,duration\n2024-05-03,LSZH,LPPT,9,10,tomorrow,economy,long',
    [
      'The date tomorrow is not of the form YYYY-MM-DD.',
      'The time 9 is not of the form HH:MM.',
      'The time 10 is not of the form HH:MM.',
      'The duration long is not a number of minutes.',
    ],
  ],
  [
    'airports with codes in parentheses',
    'myflightradar24',
    'date,from,to,dep_time,arr_time,flight_class\n2024,Zurich,Lisbon (/QQQQ),x,10:00:00,1',
    [
      'The time x is not of the form HH:MM.',
      'The airport Zurich does not end in (IATA/ICAO).',
      'Airport code QQQQ is not known.',
    ],
  ],
  [
    'a CSV file without times',
    'jetlovers',
    'date,from,to,miles,flightnum\n,,,,',
    ['The row has no date.', 'The row has no origin airport.', 'The row has no destination airport.'],
  ],
  [
    'a row of another width with text after a quotation mark',
    'jetlovers',
    'date,from,to,miles,flightnum\n"2024-05-03"x,ZRH',
    ['The row has text after the quotation mark that ends a cell.', 'The row has 2 cells, but the header has 5.'],
  ],
  [
    'a text file',
    'appintheair',
    `Ownership.FRIEND\nflights:\n${flightLine}`,
    [
      'The flight is not yours: its trip has the owner FRIEND.',
      'The time later is not an ISO date-time.',
      'The time soon is not an ISO date-time.',
      'The origin Zürich is not an airport code.',
      'The time 25:00:00 is not of the form HH:MM.',
      'The date 2024-02-30 is not a day that exists.',
      'Airport code QQQ is not known.',
    ],
  ],
  [
    'a calendar',
    'tripit',
    'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:LX1 QQQ to LIS\nSTATUS:CANCELLED\nDTSTART:soon\nDTEND:20240230T100000\nEND:VEVENT\nEND:VCALENDAR',
    [
      'The event of flight LX1 has the status CANCELLED.',
      'The time soon is not of the form YYYYMMDDTHHMMSS.',
      'The date 2024-02-30 is not a day that exists.',
      'Airport code QQQ is not known.',
    ],
  ],
  [
    'a JSON file',
    'milesandmore',
    JSON.stringify({
      SegmentListResponses: [{ DepartureTime: 'soon', OriginAirportCode: 'QQQ', TimeOnPlane: 'long' }],
    }),
    [
      'The time soon is not an ISO date-time.',
      'The row has no destination airport.',
      'The duration long is not a number of minutes.',
      'Airport code QQQ is not known.',
    ],
  ],
  [
    'a backup',
    'backup',
    JSON.stringify({
      users,
      flights: [
        {
          ...{ date: 5, datePrecision: 'hour', departure: 'soon', from: 'QQQ', to: 7, duration: -1, flightNumber: 8 },
          passengers: [{ guestName: 9 }, 'me', {}],
        },
      ],
    }),
    [
      'The time soon is not an ISO date-time.',
      'The date must be text, not 5.',
      'The datePrecision hour is not one of day, month, year.',
      'The code must be text, not 7.',
      'The duration -1 is not a whole number of seconds.',
      'The flightNumber must be text, not 8.',
      'The guestName must be text, not 9.',
      'Passenger 2 is not an object.',
      'Passenger 3 has neither a user nor a guest name.',
      'Airport code QQQ is not known.',
    ],
  ],
  [
    'a backup with values that exceed limits',
    'backup',
    JSON.stringify({
      users,
      flights: [
        {
          ...{ date: '2024-05-03', from: 'QQQ', to: 'LPPT', departureGate: long },
          ...{ takeoffActual: '2024-05-03T10:00Z', landingActual: '2024-05-03T09:00Z' },
          passengers: [{ guestName: 'Ada', seatNumber: 'x'.repeat(21) }],
        },
      ],
    }),
    [
      'mira is not on this flight.',
      'Airport code QQQ is not known.',
      `The departureGate ${'x'.repeat(60)}… cannot be used: Must have at most 500 characters.`,
      'The landingActual 2024-05-03T09:00:00.000Z cannot be used: Must not be before takeoffActual.',
    ],
  ],
]

describe('the reasons of a rejected row', () => {
  test.each(rows)('list all of its problems: %s', async (_name, format, content, reasons) => {
    const [rejected, ...others] = await rejectedOf(content, `format=${format}`)
    expect(others).toEqual([])
    expect(rejected).toEqual({ row: 1, reason: reasons[0], line: expect.any(Number), reasons })
  })

  test('are at most ten, without duplicates', async () => {
    const passengers = Array.from({ length: 30 }, () => ({}))
    const flight = { date: '2024-05-03', from: 'LSZH', to: 'LPPT', passengers }
    const [{ reason, reasons }] = await rejectedOf(JSON.stringify({ users, flights: [flight] }))
    expect(reasons).toHaveLength(10)
    expect([reason, reasons[9]]).toEqual([
      'Passenger 1 has neither a user nor a guest name.',
      'Passenger 10 has neither a user nor a guest name.',
    ])
    const [twice] = await rejectedOf(`${BYAIR},departure_time,arrival_time\n2024-05-03,LX1,QQQ,QQQ,,x,x`)
    expect(twice.reasons).toEqual(['The time x is not of the form HH:MM.', 'Airport code QQQ is not known.'])
  })

  test('do not change which airports are missing', async () => {
    const file = [BYAIR, '2024-05-03,LX1,QQQ,LIS,', ',LX1,QQQ,LIS,', ',LX1,QQR,LIS,'].join('\n')
    const query = { format: 'auto', mineOnly: undefined, mode: undefined, fileUser: undefined } as const
    const caller = { ...operator, userId: mira.id, username: 'mira' }
    const { preview } = await app.services.imports.look(caller, Buffer.from(file), query)
    expect(preview.missing.map(({ code, rows: count }) => [code, count])).toEqual([['QQQ', 1]])
  })
})
