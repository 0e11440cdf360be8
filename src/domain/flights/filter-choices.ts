import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { dataCache } from '../../db/data-cache.ts'
import type { Db } from '../../db/open.ts'
import { jsonTexts, named, statements } from '../../db/statements.ts'
import { flights, passengers, users } from '../../db/tables/index.ts'
import { turns } from '../../lib/turns.ts'
import { inStretch, logStretches } from './stretches.ts'

/** What there is to filter by in a log: years newest first, and the ids that its flights have. */
interface Kept {
  years: readonly string[]
  fromIds: readonly number[]
  toIds: readonly number[]
  airlineIds: readonly number[]
  aircraftIds: readonly number[]
  companionIds: readonly string[]
}

export interface FilterChoices extends Omit<Kept, 'companionIds'> {
  companions: readonly { id: string; displayName: string }[]
}

const MAX_CACHE_BYTES = 4 * 1024 * 1024
/** Nobody chooses from a longer list, and a page with thousands of them would hold up others. The search finds the rest. */
const MOST_CHOICES = 200
/** Each may have five hundred people aboard. */
const FLIGHTS_WITH_PEOPLE = 100
const EVER = { from: null, to: null }

/** Counts ids, and tells those that came most often. */
function counter() {
  const counts = new Map<number, number>()
  return {
    add: (id: number | null, count: number) => {
      if (id !== null) counts.set(id, (counts.get(id) ?? 0) + count)
    },
    most: (): number[] => {
      const ids = [...counts.keys()]
      if (ids.length <= MOST_CHOICES) return ids
      return ids.sort((a, b) => counts.get(b)! - counts.get(a)! || a - b).slice(0, MOST_CHOICES)
    },
  }
}

/** What somebody's own log offers to filter by; kept until a flight is written. */
export function filterChoices(db: Db) {
  const { rows, values } = statements(db)
  const stretchesOf = logStretches(db)
  // From year to year by the index, so that a long log takes no longer than a short one. The builder knows no recursion.
  const years = db.$client
    .prepare(
      `with recursive y(year) as (
         select substr(max(date), 1, 4) from passengers where user_id = @userId
         union all
         select (select substr(max(date), 1, 4) from passengers where user_id = @userId and date < year) from y
         where year is not null)
       select year from y where year is not null`,
    )
    .pluck()
  // Cross joins keep the order in which SQLite walks: from a log to its flights.
  const { fromId, toId, airlineId, aircraftId } = flights
  const combinations = rows(
    db
      .select(named({ fromId, toId, airlineId, aircraftId, count: sql<number>`count(*)` }))
      .from(passengers)
      .crossJoin(flights)
      .where(and(eq(flights.id, passengers.flightId), inStretch))
      .groupBy(fromId, toId, airlineId, aircraftId),
  )
  const other = alias(passengers, 'other')
  const companions = values(
    db
      .selectDistinct({ id: other.userId })
      .from(passengers)
      .crossJoin(other)
      .where(and(eq(other.flightId, passengers.flightId), inStretch, isNotNull(other.userId))),
  )
  // Names are not kept: they change without a flight being written.
  const people = rows(
    db
      .select(named({ id: users.id, displayName: users.displayName }))
      .from(users)
      .where(inArray(users.id, jsonTexts(sql.placeholder('ids'))))
      .orderBy(sql`${users.displayName} collate nocase`),
  )
  const cache = dataCache<Kept>(db, {
    part: 'flights',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: (kept) => 500 + 16 * Object.values(kept).reduce((sum, list) => sum + list.length, 0),
  })

  /** The most flown of what the flights of a log have. */
  async function idsIn(userId: string): Promise<Omit<Kept, 'years' | 'companionIds'>> {
    const [from, to, airlines, types] = [counter(), counter(), counter(), counter()]
    const turn = turns()
    for (const stretch of stretchesOf(userId, EVER)) {
      for (const { fromId, toId, airlineId, aircraftId, count } of combinations.all({ ...stretch })) {
        from.add(fromId, count)
        to.add(toId, count)
        airlines.add(airlineId, count)
        types.add(aircraftId, count)
      }
      if (turn.isOver()) await turn.end()
    }
    return { fromIds: from.most(), toIds: to.most(), airlineIds: airlines.most(), aircraftIds: types.most() }
  }

  async function companionsIn(userId: string): Promise<string[]> {
    const found = new Set<string>()
    const turn = turns()
    for (const stretch of stretchesOf(userId, EVER, FLIGHTS_WITH_PEOPLE)) {
      for (const id of companions.all({ ...stretch }) as string[]) if (id !== userId) found.add(id)
      if (found.size >= MOST_CHOICES) break
      if (turn.isOver()) await turn.end()
    }
    return [...found].slice(0, MOST_CHOICES)
  }

  async function read(userId: string): Promise<Kept> {
    const ids = await idsIn(userId)
    return { years: years.all({ userId }) as string[], ...ids, companionIds: await companionsIn(userId) }
  }

  return async function mine(caller: Caller): Promise<FilterChoices> {
    authorize(caller, 'listFlights', { otherUsers: false })
    const { companionIds, ...kept } = await cache.load(caller.userId, () => read(caller.userId))
    return { ...kept, companions: people.all({ ids: JSON.stringify(companionIds) }) }
  }
}
