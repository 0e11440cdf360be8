import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { dataCache } from '../../db/data-cache.ts'
import type { Db } from '../../db/open.ts'
import { jsonTexts, named, statements } from '../../db/statements.ts'
import { flights, passengers, users } from '../../db/tables/index.ts'

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

/** What somebody's own log offers to filter by; kept until a flight is written. */
export function filterChoices(db: Db) {
  const { rows, values } = statements(db)
  const userId = sql.placeholder('userId')
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
      .where(and(eq(flights.id, passengers.flightId), eq(passengers.userId, userId)))
      .groupBy(fromId, toId, airlineId, aircraftId),
  )
  const other = alias(passengers, 'other')
  const companions = values(
    db
      .selectDistinct({ id: other.userId })
      .from(passengers)
      .crossJoin(other)
      .where(and(eq(other.flightId, passengers.flightId), eq(passengers.userId, userId), ne(other.userId, userId)))
      .limit(MOST_CHOICES),
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

  async function read(userId: string): Promise<Kept> {
    const found = combinations.all({ userId })
    /** The most flown of them. */
    function idsOf(name: 'fromId' | 'toId' | 'airlineId' | 'aircraftId'): number[] {
      const counts = new Map<number, number>()
      for (const { count, [name]: id } of found) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + count)
      const ids = [...counts.keys()]
      if (ids.length <= MOST_CHOICES) return ids
      return ids.sort((a, b) => counts.get(b)! - counts.get(a)! || a - b).slice(0, MOST_CHOICES)
    }
    const ids = {
      fromIds: idsOf('fromId'),
      toIds: idsOf('toId'),
      airlineIds: idsOf('airlineId'),
      aircraftIds: idsOf('aircraftId'),
    }
    await nextTurn()
    const companionIds = companions.all({ userId }) as string[]
    return { years: years.all({ userId }) as string[], ...ids, companionIds }
  }

  return async function mine(caller: Caller): Promise<FilterChoices> {
    authorize(caller, 'listFlights', { otherUsers: false })
    const { companionIds, ...kept } = await cache.load(caller.userId, () => read(caller.userId))
    return { ...kept, companions: people.all({ ids: JSON.stringify(companionIds) }) }
  }
}
