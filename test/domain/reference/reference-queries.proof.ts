import { expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { createServices } from '../../../src/app/services.ts'
import { openedDatabase } from '../../support/database.ts'
import { loadedFolder } from '../../support/process.ts'
import * as queries from './reference-queries.ts'

const loaded = () => createServices({ db: openedDatabase(loadedFolder()) }).reference

interface Coded {
  icao: string | null
  iata?: string | null
}

type Search = (query: string) => Promise<readonly Coded[]>

/** The share of queries whose first result has the expected code, and the queries without it. */
async function firstResults(table: string, search: Search) {
  const lines = table.trim().split('\n')
  const expected = lines.flatMap((line) => {
    const [code = '', list = ''] = line.split(': ')
    return list.split('; ').map((query) => ({ code, query }))
  })
  const missed: string[] = []
  for (const { code, query } of expected) {
    const [first] = await search(query)
    if (first?.icao !== code && first?.iata !== code) missed.push(`${query}: ${first?.icao}, not ${code}`)
  }
  return { share: 1 - missed.length / expected.length, missed }
}

test.each([
  ['airports', 'airports', queries.airportQueries, 0.99],
  ['airlines', 'airlines', queries.airlineQueries, 0.99],
  ['aircraft types', 'aircraft', queries.aircraftQueries, 0.99],
  ['misspelled airports', 'airports', queries.airportMisspellings, 0.94],
  ['misspelled airlines', 'airlines', queries.airlineMisspellings, 0.99],
] as const)(
  'the expected result is first for %s',
  async (_, kind, table, minimum) => {
    const reference = loaded()
    const { share, missed } = await firstResults(table, (query) => reference[kind].search(operator, query))
    expect(share, missed.join('\n')).toBeGreaterThanOrEqual(minimum)
  },
  60_000,
)

/** The lines whose code does not resolve as expected. */
const unresolved = (table: string, find: (code: string, date: string) => string | null | undefined) =>
  table
    .trim()
    .split('\n')
    .filter((line) => {
      const [code = '', date = '', icao] = line.split(' ')
      return find(code, date) !== icao
    })

test('a code with a date resolves to the airport and the airline that used it on the day', () => {
  const { codes, records } = loaded()
  const airport = (code: string, date: string) => records.airport(codes.airport(code, 'code', date) ?? 0)?.icao
  const airline = (code: string, date: string) => records.airline(codes.airline(code, 'iata', date) ?? 0)?.icao
  expect(unresolved(queries.airportCodesByDate, airport)).toEqual([])
  expect(unresolved(queries.airlineCodesByDate, airline)).toEqual([])
})
