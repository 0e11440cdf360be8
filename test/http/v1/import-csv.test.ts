import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Paxlog, sharedPaxlog, type TestUser } from '../../support/paxlog.ts'
import { copyLoaded } from '../../support/process.ts'
import { importing } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'

/** Uses the shipped reference data. */
let app: Paxlog
let mira: TestUser
let send: ReturnType<typeof importing>
beforeAll(async () => {
  app = await sharedPaxlog({}, copyLoaded)
  mira = app.user({ username: 'mira' })
  send = importing(app)
})
afterAll(() => app.close())
beforeEach(() => void runNow(app.db, 'delete from flights'))

const csv = (header: string, ...rows: string[]) => [header, ...rows].join('\n')
const table = csv('Day,Start,End,Flight', '2024-05-03,ZRH,Lisbon,LX2084')
const named = (columns: object) => `columns=${encodeURIComponent(JSON.stringify(columns))}`
const inTable = named({ date: 'day', from: 'Start', to: 'END' })
const flightsOf = async () => {
  const { data } = (await app.as(mira).get('/flights')).body
  return data.map((flight: { date: string; from: { iata: string }; to: { iata: string } }) =>
    [flight.date, flight.from.iata, flight.to.iata].join(' '),
  )
}

describe('POST /api/v1/flights/import of a CSV file', () => {
  test('recognises columns by their headers, also with auto', async () => {
    const file = csv('Datum;Von;Nach', '13.05.2024;ZRH;LIS')
    expect((await send(mira, file)).body.data).toMatchObject({ rows: 1, created: 1 })
    expect((await send(mira, file, 'format=csv')).body.data).toMatchObject({ rows: 1, duplicates: 1 })
    expect(await flightsOf()).toEqual(['2024-05-13 ZRH LIS'])
  })

  test('reads named columns, also with auto', async () => {
    expect(await send(mira, table)).toMatchObject({
      status: 422,
      body: { error: { code: 'validation_failed', message: expect.stringMatching(/^The format of the file is not/) } },
    })
    expect((await send(mira, table, 'format=csv')).body.error.message).toBe(
      'No column was recognised for from, to. Name the columns with columns.',
    )
    for (const format of ['csv', 'auto']) {
      const { status, body } = await send(mira, table, `format=${format}&dryRun=true&${inTable}`)
      expect([status, body.data]).toMatchObject([200, { rows: 1, created: 1 }])
    }
  })

  test('asks for the format of dates that can be read in two ways', async () => {
    const file = csv('date,from,to', '03/05/2024,ZRH,LIS')
    expect(await send(mira, file)).toMatchObject({
      status: 422,
      body: { error: { message: expect.stringContaining('Choose one with dateFormat: dmy or mdy.') } },
    })
    for (const [dateFormat, day] of [
      ['dmy', '2024-05-03'],
      ['mdy', '2024-03-05'],
    ]) {
      expect((await send(mira, file, `dateFormat=${dateFormat}`)).body.data.created).toBe(1)
      expect(await flightsOf()).toContain(`${day} ZRH LIS`)
    }
  })

  const wrong: [what: string, query: string][] = [
    ['a text', 'columns=date'],
    ['an array', 'columns=[]'],
    ['null', 'columns=null'],
    ['a number', 'columns=1'],
    ['an unknown field', named({ gate: 'Day' })],
    ['a prototype', 'columns=%7B%22__proto__%22%3A%22x%22%7D'],
    ['a header that is not text', named({ date: 1 })],
    ['an empty header', named({ date: ' ' })],
    ['a nested object', named({ date: { a: 1 } })],
    ['too long', named({ date: 'x'.repeat(2000) })],
    ['an unknown date format', 'dateFormat=ymd'],
    ['an empty date format', 'dateFormat='],
  ]
  test.each(wrong)('refuses a parameter that is %s with 400', async (_, query) => {
    const { status, body } = await send(mira, table, `format=csv&${query}`)
    expect([status, body.error.code]).toEqual([400, 'bad_request'])
  })

  test('refuses the parameters with another format', async () => {
    const file = 'date,from,to,miles,flightnum\n2024-05-03,ZRH,LIS,1,LX1'
    for (const query of ['format=jetlovers&dateFormat=dmy', `format=auto&${inTable}`]) {
      const { status, body } = await send(mira, file, query)
      expect([status, body.error.message]).toEqual([
        400,
        expect.stringMatching(/does not apply to an import of jetlovers/),
      ])
    }
  })

  test('refuses columns that the file lacks', async () => {
    const { status, body } = await send(mira, table, named({ date: 'Day', from: 'Start', to: 'Finish' }))
    expect([status, body.error.code]).toEqual([422, 'validation_failed'])
    expect((await send(mira, table, `format=csv&${named({ note: 'Gone', seat: 'Away' })}`)).body.error.message).toBe(
      'The file has no column Gone, Away.',
    )
  })

  const names: [text: string, day: string, found: string][] = [
    ['Zürich', '2024-05-03', 'ZRH'],
    ['zuerich', '2024-05-03', 'ZRH'],
    ['Genf', '2024-05-03', 'GVA'],
    ['Heathrow', '2024-05-03', 'LHR'],
    ['Lima', '2024-05-03', 'LIM'],
    ['lhr', '2024-05-03', 'LHR'],
    ['Bangkok', '2005-05-03', 'DMK'],
    ['Berlin', '2024-05-03', 'BER'],
    ['Honolulu', '2024-05-03', 'HNL'],
  ]
  test.each(names)('finds the airport %s on %s', async (text, day, code) => {
    expect((await send(mira, csv('date,from,to', `${day},${text},SIN`))).body.data.rejected).toEqual([])
    expect(await flightsOf()).toEqual([`${day} ${code} SIN`])
  })

  const unclear: [text: string, day: string, reason: string][] = [
    ['London', '2024-05-03', 'Airport London is ambiguous. Use a code, such as LHR, LGW, STN, LTN, LCY.'],
    ['Bangkok', '2024-05-03', 'Airport Bangkok is ambiguous. Use a code, such as BKK, DMK.'],
    ['Berlin', '2015-05-03', 'Airport Berlin is not known. Use an IATA or ICAO code.'],
    ['Zurihc', '2024-05-03', 'Airport Zurihc is not known. Use an IATA or ICAO code.'],
    ['__proto__', '2024-05-03', 'Airport __proto__ is not known. Use an IATA or ICAO code.'],
    ['%_', '2024-05-03', 'Airport %_ is not known. Use an IATA or ICAO code.'],
    ['QQQ', '2024-05-03', 'Airport code QQQ is not known.'],
  ]
  test.each(unclear)('rejects the airport %s on %s', async (text, day, reason) => {
    const { rejected } = (await send(mira, csv('date,from,to', `${day},"${text}",SIN`))).body.data
    expect(rejected).toEqual([{ row: 1, reason, line: 2, reasons: [reason] }])
  })
})

describe('hostile CSV files', () => {
  test('with 100,000 columns or tabs in one line are refused', async () => {
    for (const [separator, query] of [
      [',', ''],
      ['\t', `format=csv&${inTable}`],
    ] as const) {
      const header = Array.from({ length: 100_000 }, (_, index) => `c${index}`).join(separator)
      const { status, body } = await send(mira, `${header}\n1${separator}2`, query)
      expect([separator, status, body.error.message]).toEqual([separator, 422, expect.stringContaining('too complex')])
    }
  })

  test('with formulas, NULs and markup store or reject the text', async () => {
    const notes = ["=cmd|'/c calc'!A1", '+1', '@SUM(1)', '<script>', "'; drop table flights; --"]
    const rows = notes.map((note, index) => `2024-05-0${index + 1},ZRH,LIS,"${note}"`)
    expect((await send(mira, csv('date,from,to,note', ...rows))).body.data.created).toBe(notes.length)
    const { data } = (await app.as(mira).get('/flights')).body
    expect(data.map(({ note }: { note: string }) => note).reverse()).toEqual(notes)
    for (const row of ['2024-05-03,ZRH\0,LIS,', '2024\0-05-03,ZRH,LIS,', '2024-05-03,ZRH,LIS,a\0b', '\0,\0,\0,\0']) {
      const { status, body } = await send(mira, csv('date,from,to,note', row), 'dryRun=true')
      expect([row, status, body.data.rejected.length]).toEqual([row, 200, 1])
    }
  })

  test('with several columns of one header use the first', async () => {
    const file = csv('date,date,from,from,to', '2024-05-03,x,ZRH,x,LIS')
    expect((await send(mira, file)).body.data).toMatchObject({ created: 1, rejected: [] })
    const query = named({ date: 'Date', from: 'FROM', to: 'to' })
    expect((await send(mira, file, query)).body.data).toMatchObject({ duplicates: 1, rejected: [] })
  })
})
