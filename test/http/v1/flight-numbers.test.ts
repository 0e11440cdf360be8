import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf, replaceRoutes } from '../../../src/domain/reference/routes-store.ts'
import { type FlightLog, flightLog } from '../../support/flight-log.ts'
import { sharedPaxlog, type TestUser } from '../../support/paxlog.ts'
import { runNow } from '../../support/write-now.ts'

const route = (number: number, since: string | null, airports: string) =>
  [String(number).padStart(5, '0'), since ?? '', airports].join('\t')

const tables = {
  SWR: [
    route(14, null, 'LSZH-KJFK'),
    route(2084, null, 'LSZH-LPPT'),
    route(2084, '2024-04-01', 'LSZH-EKCH'),
    route(2084, '2025-03-30', 'LSZH-EDDF-LSZH-EDDF'),
    route(2090, '2025-01-10', 'LSZH-EGLL'),
    route(77, null, 'LSZH-EKCH'),
    route(77, '2024-07-01', ''),
    route(5013, '2025-01-01', 'LSZH-EKCH'),
  ].sort(),
  ZZZ: [route(1, null, 'LSZH-LPPT')],
  EZY: [route(8001, null, 'LSZH-EGLL')],
  XLX: [route(14, null, 'LSZH-EKCH'), route(5012, null, 'LSZH-LPPT'), route(5013, null, 'LSZH-LPPT')],
  EJU: [route(7501, null, 'LSZH-EKCH'), route(8001, null, 'LSZH-LPPT'), route(8001, '2026-02-01', 'LSZH-EDDF')],
  EZS: [route(1325, null, 'LSZH-EGLL'), route(8003, null, 'LSZH-EGLL')],
  THY: [
    route(1, null, 'LTFM-LTFM-LSZH'),
    route(2, null, 'LTFM-LTFM'),
    route(1908, null, 'LSZH-LTBA'),
    route(1909, '2026-04-01', 'LTBA-LSZH'),
    route(68, null, 'LTFM-VTBS'),
  ],
  CSC: [route(8633, null, 'OMDB-XXXX-WSSS-VIDP')],
}

let log: FlightLog
beforeAll(async () => {
  log = await flightLog({}, sharedPaxlog)
  const airline = log.db.$client.prepare(
    'insert into airlines (source_id, name, name_key, icao, iata) values (?, ?, ?, ?, ?)',
  )
  airline.run('EZY', 'easyJet', 'easyjet', 'EZY', 'U2')
  airline.run('EJU', 'easyJet Europe', 'easyjet europe', 'EJU', 'EC')
  airline.run('EZS', 'easyJet Switzerland', 'easyjet switzerland', 'EZS', 'DS')
  airline.run('THY', 'Turkish Airlines', 'turkish airlines', 'THY', 'TK')
  airline.run('XLX', 'Link of the group', 'link of the group', 'XLX', 'LX')
  airline.run('CSC', 'Sichuan Airlines', 'sichuan airlines', 'CSC', '3U')
  log.db.$client.exec(
    "insert into airlines (source_id, name, name_key, icao, iata, valid_until) values ('ZZZ', 'Z', 'z', 'ZZZ', 'ZZ', '2019-12-31')",
  )
  const airport = log.db.$client.prepare(
    `insert into airports (source_id, icao, iata, name, latitude, longitude, timezone, type, continent, country)
     values (@icao, @icao, @iata, @iata, 41, 29, 'Europe/Istanbul', 'large_airport', 'EU', 'TR')`,
  )
  airport.run({ icao: 'LTBA', iata: 'ISL' })
  airport.run({ icao: 'LTFM', iata: 'IST' })
  // The shipped data gives BKK to source id 26638 until 27 September 2006.
  log.db.$client.exec(
    `insert into airports (source_id, icao, iata, name, latitude, longitude, timezone, type, continent, country, valid_from)
     values ('26638', 'VTBD', 'DMK', 'Don Mueang', 13.9, 100.6, 'Asia/Bangkok', 'large_airport', 'AS', 'TH', null),
       ('28118', 'VTBS', 'BKK', 'Suvarnabhumi', 13.7, 100.7, 'Asia/Bangkok', 'large_airport', 'AS', 'TH', '2006-09-28')`,
  )
  const lines = Object.entries(tables).flatMap(([code, routes]) => routes.map((each) => `${code}\t${each}`))
  replaceRoutes(log.db, blocksOf(Buffer.from(lines.join('\n'))))
})
afterAll(() => log.close())

type Suggestion = { source: string; from: { iata: string }; to: { iata: string }; airline: { icao: string } | null }
const brief = ({ source, from, to, airline }: Suggestion) => `${source} ${airline?.icao ?? '-'} ${from.iata}-${to.iata}`

async function lookUp(number: string, date = '2025-05-03', by: string | TestUser = log.user()) {
  const answer = await log.as(by).get(`/flight-numbers/${encodeURIComponent(number)}?date=${date}`)
  expect([number, answer.status]).toEqual([number, 200])
  expect(answer.body.page).toEqual({ nextCursor: null })
  return answer.body.data as (Suggestion & Record<string, unknown>)[]
}
const suggest = async (...args: Parameters<typeof lookUp>) => (await lookUp(...args)).map(brief)

describe('GET /api/v1/flight-numbers/{flightNumber}', () => {
  test('returns the route of the day with all data for a flight', async () => {
    const [suggestion] = await lookUp('LX2084', '2024-05-01')
    const { airports } = log
    expect(suggestion).toEqual({
      flightNumber: 'LX2084',
      airline: expect.objectContaining({ icao: 'SWR', iata: 'LX' }),
      airports: [expect.objectContaining({ id: airports.ZRH }), expect.objectContaining({ id: airports.CPH })],
      from: expect.objectContaining({ id: airports.ZRH, timezone: 'Europe/Zurich' }),
      to: expect.objectContaining({ id: airports.CPH }),
      source: 'shipped',
      since: '2024-04-01',
    })
  })

  test.each([
    ['1999-01-01', ['shipped SWR ZRH-LIS']],
    ['2024-03-31', ['shipped SWR ZRH-LIS']],
    ['2024-04-01', ['shipped SWR ZRH-CPH']],
    ['2025-03-29', ['shipped SWR ZRH-CPH']],
    ['2031-01-01', ['shipped SWR ZRH-FRA', 'shipped SWR FRA-ZRH']],
  ])('on %s returns the route of that day, each leg once', async (date, routes) => {
    expect(await suggest('LX2084', date)).toEqual(routes)
  })

  test('returns the earliest later route for a day before the first one', async () => {
    const [early] = await lookUp('LX2090', '2025-01-09')
    expect([brief(early!), early!.since]).toEqual(['shipped SWR ZRH-LHR', '2025-01-10'])
    expect(await suggest('LX2090', '2025-01-10')).toEqual(['shipped SWR ZRH-LHR'])
  })

  test('returns the route of another carrier on the day before a later one of the main carrier', async () => {
    expect(await suggest('LX5013', '2024-12-31')).toEqual(['shipped XLX ZRH-LIS'])
    expect(await suggest('LX5013', '2025-01-01')).toEqual(['shipped SWR ZRH-CPH'])
  })

  test('returns nothing after the end of a route or of the carrier', async () => {
    expect(await suggest('LX77', '2024-06-30')).toEqual(['shipped SWR ZRH-CPH'])
    expect(await suggest('LX77', '2024-07-01')).toEqual([])
    expect(await suggest('ZZ1', '2019-12-31')).toEqual(['shipped ZZZ ZRH-LIS'])
    expect(await suggest('ZZ1', '2020-01-01')).toEqual([])
  })

  test('defaults to today', async () => {
    const { body } = await log.as(log.user()).get('/flight-numbers/LX2090')
    expect(body.data.map(brief)).toEqual(['shipped SWR ZRH-LHR'])
  })

  test.each(['LX14', 'lx 14', 'LX-14', 'SWR14', 'LX0014', 'SWR014', 'LX14D'])('reads %s as LX14', async (number) => {
    const [suggestion] = await lookUp(number)
    expect([suggestion?.flightNumber, brief(suggestion!)]).toEqual(['LX14', 'shipped SWR ZRH-JFK'])
  })

  test('matches the longest airline code, which may contain digits', async () => {
    expect(await suggest('U2 8001')).toEqual(['shipped EZY ZRH-LHR'])
    expect(await suggest('ezy8001')).toEqual(['shipped EZY ZRH-LHR'])
    expect((await lookUp('3U8633')).map(({ airline }) => airline!.icao)).toEqual(['CSC'])
  })

  test('falls back to another carrier that uses the same code', async () => {
    expect(await suggest('LX5012')).toEqual(['shipped XLX ZRH-LIS'])
    expect(await suggest('LX14')).toEqual(['shipped SWR ZRH-JFK'])
    expect(await suggest('SWR5012')).toEqual([])
  })

  test("finds a carrier whose flights are sold under another carrier's code", async () => {
    expect(await suggest('U27501')).toEqual(['shipped EJU ZRH-CPH'])
    expect(await suggest('U28001')).toEqual(['shipped EZY ZRH-LHR'])
    expect(await suggest('EZY7501')).toEqual([])
  })

  test('prefers the carrier with the most recent route among carriers that share a code', async () => {
    expect(await suggest('U28001', '2026-01-31')).toEqual(['shipped EZY ZRH-LHR'])
    expect(await suggest('U28001', '2026-02-01')).toEqual(['shipped EJU ZRH-FRA'])
    expect(await suggest('EZY8001', '2026-02-01')).toEqual(['shipped EZY ZRH-LHR'])
  })

  test('ignores carriers without this number range', async () => {
    expect(await suggest('U21325')).toEqual(['shipped EZS ZRH-LHR'])
    expect(await suggest('U28003')).toEqual([])
  })

  test('returns no leg that ends where it starts', async () => {
    expect(await suggest('TK1')).toEqual(['shipped THY IST-ZRH'])
    expect(await suggest('TK2')).toEqual([])
  })

  test('uses the new airport from the day that an airport moved', async () => {
    expect(await suggest('TK1908', '2019-04-06')).toEqual(['shipped THY ZRH-ISL'])
    expect(await suggest('TK1908', '2019-04-07')).toEqual(['shipped THY ZRH-IST'])
    expect(await suggest('TK1909', '2026-05-01')).toEqual(['shipped THY IST-ZRH'])
  })

  test('uses the airport that had the code before an airport opened', async () => {
    expect(await suggest('TK68', '2005-03-01')).toEqual(['shipped THY ISL-DMK'])
    expect(await suggest('TK68', '2006-09-27')).toEqual(['shipped THY ISL-DMK'])
    expect(await suggest('TK68', '2006-09-28')).toEqual(['shipped THY ISL-BKK'])
    expect(await suggest('TK68', '2025-03-01')).toEqual(['shipped THY IST-BKK'])
  })

  test('ends a leg at an unknown airport and does not skip it', async () => {
    const [leg, ...others] = await lookUp('3U8633')
    expect([brief(leg!), others]).toEqual(['shipped CSC SIN-DEL', []])
    expect((leg!.airports as { iata: string }[]).map(({ iata }) => iata)).toEqual(['DXB', 'SIN', 'DEL'])
  })

  test.each(['LX9999', 'QQ12', 'QQQ12', 'LX', 'SWR', '1234', 'ABCDEFGH'])('returns nothing for %s', async (number) => {
    expect(await lookUp(number)).toEqual([])
  })

  test.each(['L', 'LX2084567', 'LX_1', 'LX/1', 'ЛХ14', '---', 'L'.repeat(90)])('rejects %s', async (number) => {
    const { status, body } = await log.as(log.user()).get(`/flight-numbers/${encodeURIComponent(number)}`)
    expect([status, body.error.code]).toEqual([400, 'bad_request'])
  })

  test('rejects a day that does not exist', async () => {
    const { status } = await log.as(log.user()).get('/flight-numbers/LX14?date=2025-02-30')
    expect(status).toBe(400)
  })
})

describe("flights in the user's log", () => {
  test('come first, newest first, once per route, with the airline of the number if none is logged', async () => {
    const ada = log.user()
    const { airports, flight } = log
    const logFlight = (date: string, fromId: number, toId: number, more: object = {}) =>
      flight({ date, fromId, toId, flightNumber: 'LX 14', ...more }, ada)
    await logFlight('2019-01-01', airports.ZRH, airports.JFK)
    await logFlight('2021-01-01', airports.ZRH, airports.LAX, { flightNumber: 'swr-0014' })
    await logFlight('2020-01-01', airports.ZRH, airports.JFK)
    await logFlight('2018-01-01', airports.FRA, airports.JFK, { flightNumber: 'SWR14' })
    expect(await lookUp('LX14', '2025-05-03', ada)).toMatchObject([
      { source: 'log', flightNumber: 'swr-0014', to: { iata: 'LAX' }, airline: { icao: 'SWR' }, since: null },
      { source: 'log', flightNumber: 'LX 14', to: { iata: 'JFK' } },
      { source: 'log', flightNumber: 'SWR14', from: { iata: 'FRA' } },
      { source: 'shipped', to: { iata: 'JFK' } },
    ])
    // Other users do not see these flights.
    expect(await suggest('LX14')).toEqual(['shipped SWR ZRH-JFK'])
  })

  test('are found by either code of the airline', async () => {
    const ada = log.user()
    await log.flight({ flightNumber: 'EZY8001' }, ada)
    expect(await suggest('U28001', undefined, ada)).toEqual(['log EZY ZRH-LIS', 'shipped EZY ZRH-LHR'])
    const noor = log.user()
    await log.flight({ flightNumber: 'U2 8001' }, noor)
    expect(await suggest('EZY8001', undefined, noor)).toEqual(['log EZY ZRH-LIS', 'shipped EZY ZRH-LHR'])
  })

  test('are found under a number of an unknown airline', async () => {
    const ada = log.user()
    await log.flight({ flightNumber: 'QQ 12' }, ada)
    expect(await suggest('QQ12', undefined, ada)).toEqual(['log - ZRH-LIS'])
  })

  test('are returned only if scope and role allow reading them', async () => {
    const ada = log.user()
    await log.flight({ flightNumber: 'LX14' }, ada)
    expect(await suggest('LX14', undefined, log.key(ada.id, ['reference_data.read']))).toEqual(['shipped SWR ZRH-JFK'])
    expect(await suggest('LX14', undefined, log.key(ada.id, ['reference_data.read', 'flight.read.own']))).toHaveLength(
      2,
    )
    const bob = log.user()
    await log.flight({ flightNumber: 'LX14' }, bob)
    runNow(log.db, 'update users set role_id = ? where id = ?', log.role([]), bob.id)
    expect(await suggest('LX14', undefined, bob)).toEqual(['shipped SWR ZRH-JFK'])
  })

  test('are limited to ten together with other suggestions', async () => {
    const ada = log.user()
    for (const toId of Object.values(log.airports)
      .filter((id) => id !== log.airports.ZRH)
      .slice(0, 12)) {
      await log.flight({ toId, flightNumber: 'LX14' }, ada)
    }
    expect(await suggest('LX14', undefined, ada)).toHaveLength(10)
  })
})
