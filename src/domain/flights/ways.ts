import { eq, sql } from 'drizzle-orm'
import type { Statement } from '../../db/engine.ts'
import type { Db } from '../../db/open.ts'
import { statements } from '../../db/statements.ts'
import { passengers } from '../../db/tables/flights.ts'
import type { FlightFilter } from './filter-contract.ts'
import { PLAIN_NUMBER, PLAIN_REGISTRATION } from './filter-sql.ts'
import type { Meant } from './filter-words.ts'
import type { Target } from './target.ts'

/**
 * Which indexes of flights lead to those that a filter may let through. As SQL text for the reason that `filter-sql.ts`
 * gives: it is a part of statements that are put together at run time.
 */

/** So many flights are looked at one by one rather than a log that may have any length. */
const FEW = 1000

/** So many values are merged in the order of the list: as many as a filter can name. */
const MOST_MERGED = 50

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
  /** Also those without a value. */
  none?: boolean | undefined
}

const orNone = (column: string, items: readonly (number | 'none')[] | undefined): Known => ({
  columns: [column],
  items: items?.filter((item) => item !== 'none'),
  none: items?.includes('none'),
})

/** SQLite does not see by itself that such an expression is known where it equals something. */
const isKnown: Readonly<Record<string, string>> = {
  [PLAIN_NUMBER]: 'flight_number is not null and ',
  [PLAIN_REGISTRATION]: 'aircraft_reg is not null and ',
}

/** The narrowest first, by guess. */
const waysOf = (
  { flightNumber, aircraftReg, fromId, toId, airportId, country, aircraftId, airlineId }: FlightFilter,
  { inCountries }: Meant,
): Known[] => [
  { columns: [PLAIN_NUMBER], items: flightNumber === undefined ? undefined : [flightNumber] },
  { columns: [PLAIN_REGISTRATION], items: aircraftReg === undefined ? undefined : [aircraftReg] },
  { columns: ['from_id'], items: fromId },
  { columns: ['to_id'], items: toId },
  { columns: ['from_id', 'to_id'], items: airportId },
  { columns: ['from_id', 'to_id'], items: country && inCountries },
  orNone('aircraft_id', aircraftId),
  orNone('airline_id', airlineId),
]

export function flightWays(db: Db) {
  const prepared = new Map<string, Statement>()
  const ofCompanion = statements(db).values(
    db
      .select({ id: passengers.flightId })
      .from(passengers)
      .where(eq(passengers.userId, sql.placeholder('userId')))
      .limit(FEW + 1),
  )

  function run(text: string, items: Known['items']): number[] {
    const statement = prepared.get(text) ?? db.$client.prepare(text).pluck()
    prepared.set(text, statement)
    return statement.all({ items: JSON.stringify(items) }) as number[]
  }

  /** Undefined where they are many. */
  function flightsBy({ columns, items, none }: Known): number[] | undefined {
    const conditions = columns.flatMap((column) => [
      `${isKnown[column] ?? ''}${column} in (select value from json_each(@items${isKnown[column] ? ", '$'" : ''}))`,
      ...(none ? [`${column} is null`] : []),
    ])
    // An index is enough for them, and for one more than are few.
    const parts = conditions.map(
      (condition) => `select id from (select id from flights where ${condition} limit ${FEW + 1}) part`,
    )
    const ids = run(parts.join(' union '), items)
    return ids.length > FEW ? undefined : ids
  }

  /** Few flights by any of the ways; else, among everybody's, the order of the narrowest; else undefined for the whole log. */
  function wayOf(filter: FlightFilter, meant: Meant, target: Target): Way | undefined {
    const ways = waysOf(filter, meant).filter(({ items }) => items !== undefined)
    const few = (ids: readonly number[]): Way => ({ conditions: [], values: { few: JSON.stringify(ids) }, few: true })
    for (const way of ways) {
      const ids = flightsBy(way)
      if (ids) return few(ids)
    }
    for (const userId of filter.companion ?? []) {
      const ids = ofCompanion.all({ userId })
      if (ids.length <= FEW) return few(ids)
    }
    // A country may have any number of airports.
    const narrowest = ways.find(({ items }) => items!.length <= MOST_MERGED)
    if (target !== 'all' || !narrowest) return undefined
    const items = narrowest.items!
    return {
      conditions: narrowest.columns.flatMap((column) => [
        ...items.map((_, index) => `${isKnown[column] ?? ''}${column} = @way${index}`),
        ...(narrowest.none ? [`${column} is null`] : []),
      ]),
      values: Object.fromEntries(items.map((item, index) => [`way${index}`, item])),
      few: false,
    }
  }

  return { wayOf }
}
