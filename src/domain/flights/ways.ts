import type { Statement } from 'better-sqlite3'
import type { Db } from '../../db/open.ts'
import type { FlightFilter } from './filter-contract.ts'
import { PLAIN_NUMBER, PLAIN_REGISTRATION } from './filter-sql.ts'
import type { Target } from './target.ts'

/** Which indexes of flights lead to those that a filter may let through. */

/** So many flights are looked at one by one rather than a log that may have any length. */
const FEW = 1000

/** The flights of some values in the order of the list, or all of them where they are few. */
export interface Way {
  /** One for each value and column, each answered by an index. */
  conditions: string[]
  values: Record<string, string | number>
  few: boolean
}

interface Known {
  columns: readonly string[]
  items: readonly (string | number)[] | undefined
}

const withoutNone = (items: readonly (number | 'none')[] | undefined) =>
  items && !items.includes('none') ? (items as number[]) : undefined

/** SQLite does not see by itself that such an expression is known where it equals something. */
const isKnown: Readonly<Record<string, string>> = {
  [PLAIN_NUMBER]: 'flight_number is not null and ',
  [PLAIN_REGISTRATION]: 'aircraft_reg is not null and ',
}

/** The narrowest first, by guess. */
const waysOf = ({
  flightNumber,
  aircraftReg,
  fromId,
  toId,
  airportId,
  aircraftId,
  airlineId,
}: FlightFilter): Known[] => [
  { columns: [PLAIN_NUMBER], items: flightNumber === undefined ? undefined : [flightNumber] },
  { columns: [PLAIN_REGISTRATION], items: aircraftReg === undefined ? undefined : [aircraftReg] },
  { columns: ['from_id'], items: fromId },
  { columns: ['to_id'], items: toId },
  { columns: ['from_id', 'to_id'], items: airportId },
  { columns: ['aircraft_id'], items: withoutNone(aircraftId) },
  { columns: ['airline_id'], items: withoutNone(airlineId) },
]

export function flightWays(db: Db) {
  const fewBy = new Map<string, Statement>()
  const ofCompanion = db.$client.prepare(`select flight_id from passengers where user_id = ? limit ${FEW + 1}`).pluck()

  function flightsBy({ columns, items }: Known): number[] {
    // Each has a limit of its own: what is joined without repetitions is found whole first.
    const parts = columns.map((column) => {
      const known = `${isKnown[column] ?? ''}${column} in (select value from json_each(@items))`
      return `select id from (select id from flights where ${known} limit ${FEW + 1})`
    })
    const sql = parts.join(' union ')
    const statement = fewBy.get(sql) ?? db.$client.prepare(sql).pluck()
    fewBy.set(sql, statement)
    return statement.all({ items: JSON.stringify(items) }) as number[]
  }

  /** Few flights by any of the ways; else, among everybody's, the order of the narrowest; else undefined for the whole log. */
  function wayOf(filter: FlightFilter, target: Target): Way | undefined {
    const ways = waysOf(filter).filter(({ items }) => items !== undefined)
    const few = (ids: readonly number[]): Way => ({ conditions: [], values: { few: JSON.stringify(ids) }, few: true })
    for (const way of ways) {
      const ids = flightsBy(way)
      if (ids.length <= FEW) return few(ids)
    }
    for (const userId of filter.companion ?? []) {
      const ids = ofCompanion.all(userId) as number[]
      if (ids.length <= FEW) return few(ids)
    }
    const [narrowest] = ways
    if (target !== 'all' || !narrowest) return undefined
    const items = narrowest.items!
    return {
      conditions: items.flatMap((_, index) =>
        narrowest.columns.map((column) => `${isKnown[column] ?? ''}${column} = @way${index}`),
      ),
      values: Object.fromEntries(items.map((item, index) => [`way${index}`, item])),
      few: false,
    }
  }

  return { wayOf }
}
