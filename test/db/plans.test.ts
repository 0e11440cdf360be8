import { expect, test } from 'vitest'
import type { Statement } from '../../src/db/engine.ts'
import type { Db } from '../../src/db/open.ts'
import type { FlightFilter } from '../../src/domain/flights/query/filter-contract.ts'
import { flightScan } from '../../src/domain/flights/query/scan.ts'
import { flightStore } from '../../src/domain/flights/store/store.ts'
import { referenceCache } from '../../src/domain/reference/cache.ts'
import { referenceStore } from '../../src/domain/reference/store.ts'
import { openedDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { places } from '../support/travel.ts'

/** Query plans of the statements that contain the given SQL. */
function plansOf(store: (db: Db) => unknown, sqlPart: string): string[] {
  const db = openedDatabase(temporaryFolder())
  const prepare = db.$client.prepare.bind(db.$client)
  const prepared: string[] = []
  db.$client.prepare = ((sql: string) => {
    prepared.push(sql)
    return prepare(sql)
  }) as typeof db.$client.prepare
  store(db)
  return prepared
    .filter((sql) => sql.replaceAll('"', '').includes(sqlPart))
    .map((sql) => {
      const names = new Set([...sql.matchAll(/@(\w+)/g)].map(([, name]) => name!))
      const unnamed = sql.match(/\?/g) ?? []
      const values = names.size > 0 ? [Object.fromEntries([...names].map((name) => [name, 1]))] : unnamed.map(() => 1)
      const steps = prepare(`explain query plan ${sql}`).all(...values) as { detail: string }[]
      return steps.map(({ detail }) => detail).join('; ')
    })
}

/** Statements are prepared on first use. */
function findPassengers(db: Db) {
  const { passengers, find } = flightStore(db)
  passengers(1)
  find(1, 'mira')
}

test('passengers of a flight are found by flight', () => {
  const plans = [
    'where passengers.flight_id = ? order',
    'passengers.flight_id = flights.id and +passengers.user_id',
  ].flatMap((sqlPart) => plansOf(findPassengers, sqlPart))
  expect(plans).toHaveLength(2)
  for (const plan of plans) expect(plan).toMatch(/SEARCH passengers USING INDEX passengers_once \(flight_id=\?/)
})

/** Scans a log with a filter, so that its statement is prepared. */
const scanLog = (selection: Parameters<ReturnType<typeof flightScan>['slices']>[0]) => (db: Db) => {
  return [...flightScan(db, referenceCache(db, referenceStore(db)).records).slices(selection, 0)]
}

test('a page of a log uses an index', () => {
  const [user] = plansOf(scanLog({ target: { userId: 'mira' }, filter: {} }), '@slice')
  // Both bounds are in the index range, so a slice does not scan the previous ones again.
  const dateRange = '(date,flight_id)>(?,?) AND (date,flight_id)<(?,?)'
  expect(user).toContain(`SEARCH p USING COVERING INDEX passengers_log (user_id=? AND ${dateRange})`)
  const [all] = plansOf(scanLog({ target: 'all', filter: {}, order: 'oldest' }), '@slice')
  expect(all).toMatch(/SEARCH f USING COVERING INDEX flights_by_date/)
})

const scanLogOfUser = (filter: FlightFilter) => scanLog({ target: { userId: 'mira' }, filter })

test('passenger checks use a covering index', () => {
  const coveringIndex = 'USING COVERING INDEX passengers_once (flight_id=? AND <expr>'
  expect(plansOf(scanLogOfUser({ text: ['noor'] }), 'has_word').join('; ')).toContain(coveringIndex)
  const [many] = plansOf((db) => {
    db.$client.exec(`pragma foreign_keys = off; with recursive n (i) as (select 1 union all select i + 1 from n where i < 1001)
      insert into passengers (flight_id, user_id, date) select i, 'noor', '2025-01-01' from n`)
    return scanLogOfUser({ companion: ['noor'] })(db)
  }, '@companion0')
  expect(many).toContain(coveringIndex)
  const [seat] = plansOf(scanLogOfUser({ seat: ['window'] }), '@seat')
  expect(seat).toContain('passengers_log')
  expect(seat).not.toContain('PRIMARY KEY')
})

const indexedFilters = [
  [{ airlineId: [1, 2] }, 'flights_by_airline (airline_id=?'],
  [{ aircraftId: [1] }, 'flights_by_aircraft (aircraft_id=?'],
  [{ fromId: [1] }, 'flights_by_origin (from_id=?'],
  [{ toId: [1] }, 'flights_by_destination (to_id=?'],
  [{ airportId: [1] }, 'flights_by_destination (to_id=?'],
  [{ flightNumber: 'LX1' }, 'flights_by_number (<expr>=?'],
  [{ aircraftReg: 'HBJCS' }, 'flights_by_registration (<expr>=?'],
] as const satisfies [FlightFilter, string][]

test.each([
  [{ airlineId: ['none'] }, 'airline'],
  [{ aircraftId: [1, 'none'] }, 'aircraft'],
] as const satisfies [FlightFilter, string][])('flights with %o are found by an index', (filter, name) => {
  const plan = plansOf(scanLog({ target: 'all', filter }), `from flights where ${name}_id is null`).join('; ')
  expect(plan.replaceAll('COVERING ', '')).toContain(`SEARCH flights USING INDEX flights_by_${name} (${name}_id=?`)
  expect(plan).not.toContain('SCAN flights')
})

test.each(indexedFilters)('counting flights with %o uses an index', (filter, index) => {
  const plan = plansOf(scanLog({ target: { userId: 'mira' }, filter }), '@items').join('; ')
  expect(plan.replaceAll('COVERING ', '')).toContain(`SEARCH flights USING INDEX ${index}`)
  expect(plan).not.toContain('SCAN flights')
})

test.each(indexedFilters)('flights of all users with %o use an index', (filter, index) => {
  const many = (db: Db) => {
    const { airports, airlines, aircraft } = places(db)
    const [from, airline, type] = [airports, airlines, aircraft].map((made) => Object.values(made)[0])
    db.$client
      .prepare(
        `with recursive n (i) as (select 1 union all select i + 1 from n where i < 1001)
         insert into flights (date, date_precision, from_id, to_id, airline_id, aircraft_id, flight_number, aircraft_reg,
           completed_from, created_at, updated_at)
         select '2025-01-01', 'day', ?, ?, ?, ?, 'LX 1', 'HB-JCS', 0, '', '' from n`,
      )
      .run(from, from, airline, type)
    return scanLog({ target: 'all', filter })(db)
  }
  const plan = plansOf(many, '@slice').join('; ')
  expect(plan.replaceAll('COVERING ', '')).toContain(`SEARCH f USING INDEX ${index}`)
  expect(plan).not.toContain('SCAN f')
})

test('a statement with a limit is planned once', () => {
  const { $client } = openedDatabase(temporaryFolder())
  const texts = ['select value from json_each(?) limit ?', 'select value from json_each(@list) limit @most']
  const [positional, named] = texts.map((sql) => $client.prepare(sql).pluck()) as [Statement, Statement]
  for (const { source } of [positional, named] as unknown as { source: string }[])
    expect(source).not.toMatch(/limit [?@]/)
  expect(positional.all(['[1,2,3]', 2])).toEqual([1, 2])
  expect(named.all({ list: '[1,2,3]', most: 1 })).toEqual([1])
  expect(named.all({ list: '[1,2,3]', most: -1 })).toEqual([1, 2, 3])
})
