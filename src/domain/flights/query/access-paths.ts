import type { Statement } from '../../../db/engine.ts'
import type { Db } from '../../../db/open.ts'
import { postgresOf } from '../../../db/postgres/open.ts'
import type { Position } from '../../../lib/cursor.ts'
import { logStore } from '../store/log-store.ts'
import { IS_COMPLETED } from '../times.ts'
import type { FlightFilter } from './filter-contract.ts'
import { PLAIN_NUMBER, PLAIN_REGISTRATION } from './filter-sql.ts'
import type { ResolvedTerms } from './filter-terms.ts'
import type { Target } from './target.ts'
import { findPositions, MAX_CANDIDATES, textCandidates } from './text-candidates.ts'

/** Up to this number, flights are looked up by id instead of walking a log. */
const MAX_IDS = 1000

const MAX_MERGED = 50

export interface AccessPath {
  conditions: string[]
  values: Record<string, string | number>
  byId: boolean
}

interface Criterion {
  columns: readonly string[]
  items: readonly (string | number)[] | undefined
  none?: boolean | undefined
}

const orNone = (column: string, items: readonly (number | 'none')[] | undefined): Criterion => ({
  columns: [column],
  items: items?.filter((item) => item !== 'none'),
  none: items?.includes('none'),
})

/** SQLite needs these conditions to use the partial indexes. */
const isKnown: Readonly<Record<string, string>> = {
  [PLAIN_NUMBER]: 'flight_number is not null and ',
  [PLAIN_REGISTRATION]: 'aircraft_reg is not null and ',
}

/** Probably the most selective first. */
const criteriaOf = (
  { flightNumber, aircraftReg, fromId, toId, airportId, country, aircraftId, airlineId }: FlightFilter,
  { inCountries }: ResolvedTerms,
): Criterion[] =>
  [
    { columns: [PLAIN_NUMBER], items: flightNumber === undefined ? undefined : [flightNumber] },
    { columns: [PLAIN_REGISTRATION], items: aircraftReg === undefined ? undefined : [aircraftReg] },
    { columns: ['from_id'], items: fromId },
    { columns: ['to_id'], items: toId },
    { columns: ['from_id', 'to_id'], items: airportId },
    { columns: ['from_id', 'to_id'], items: country && inCountries },
    orNone('aircraft_id', aircraftId),
    orNone('airline_id', airlineId),
  ].filter(({ items }) => items !== undefined)

export function accessPaths(db: Db, prepared: (sql: string) => Statement) {
  const { some, inTrips } = logStore(db)
  const byText = textCandidates(prepared)

  // The planner of PostgreSQL would scan the table up to the limit, which can be all of it.
  const part = postgresOf(db) ? 'materialized' : 'not materialized'

  /** At most one id more than `MAX_IDS` per column. */
  function flightsBy({ columns, items, none }: Criterion): number[] {
    const conditions = columns.flatMap((column) => [
      `${isKnown[column] ?? ''}${column} in (select value from json_each(@items${isKnown[column] ? ", '$'" : ''}))`,
      ...(none ? [`${column} is null`] : []),
    ])
    const parts = conditions.map(
      (condition, index) => `part_${index} (id) as ${part} (select id from flights where ${condition})`,
    )
    const ids = parts.map(
      (_, index) => `select id from (select id from part_${index} limit ${MAX_IDS + 1}) some_${index}`,
    )
    const find = prepared(`with ${parts.join(', ')} ${ids.join(' union ')}`).pluck()
    return find.all({ items: JSON.stringify(items) }) as number[]
  }

  /** For PostgreSQL: flights that few others match, with more than `MAX_IDS`. */
  function rareFlights(
    { completed, hasTrack, companion = [] }: FlightFilter,
    target: Target,
    now: number,
  ): Position[] | undefined {
    const ofAll = target === 'all'
    const queries: [isGiven: boolean, query: string, values: object][] = [
      [ofAll && completed === false, `select f.id, f.date from flights f where not (${IS_COMPLETED})`, { now }],
      [
        ofAll && hasTrack === true,
        `select id, date from flights where id = any(array(select flight_id from flight_tracks limit ${MAX_CANDIDATES + 1}))`,
        {},
      ],
      ...companion.map((userId): [boolean, string, object] => [
        true,
        'select flight_id, date from passengers where user_id = @userId',
        { userId },
      ]),
    ]
    for (const [isGiven, query, values] of queries) {
      const found = isGiven ? findPositions(prepared, query, values) : undefined
      if (found) return found
    }
    return undefined
  }

  /**
   * All flights that can match, newest first, if there are few among those of all users. Flights that are completed at `now`
   * stay completed, so they can be used again later.
   */
  function candidatesOf(
    filter: FlightFilter,
    terms: ResolvedTerms,
    target: Target,
    now: number,
  ): readonly Position[] | undefined {
    return byText(terms.words) ?? rareFlights(filter, target, now)
  }

  function chooseAccessPath(filter: FlightFilter, terms: ResolvedTerms, target: Target): AccessPath | undefined {
    const criteria = criteriaOf(filter, terms)
    const { tripId = ['none'] } = filter
    const lookups = [
      ...(tripId.includes('none') ? [] : [() => inTrips(tripId as number[], MAX_IDS + 1)]),
      ...criteria.map((criterion) => () => flightsBy(criterion)),
      ...(filter.companion ?? []).map((userId) => () => some(userId, MAX_IDS + 1)),
    ]
    for (const find of lookups) {
      const ids = find()
      if (ids.length <= MAX_IDS) return { conditions: [], values: { ids: JSON.stringify(ids) }, byId: true }
    }
    // A country can have any number of airports.
    const narrowest = criteria.find(({ items }) => items!.length <= MAX_MERGED)
    if (target !== 'all' || !narrowest) return undefined
    const items = narrowest.items!
    return {
      conditions: narrowest.columns.flatMap((column) => [
        ...items.map((_, index) => `${isKnown[column] ?? ''}${column} = @item${index}`),
        ...(narrowest.none ? [`${column} is null`] : []),
      ]),
      values: Object.fromEntries(items.map((item, index) => [`item${index}`, item])),
      byId: false,
    }
  }

  return { chooseAccessPath, candidatesOf }
}
