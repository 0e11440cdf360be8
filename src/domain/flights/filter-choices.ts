import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { dataCache } from '../../db/data-cache.ts'
import type { Db } from '../../db/open.ts'

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
/** Nobody chooses from a longer list. */
const MOST_COMPANIONS = 200

/** What somebody's own log offers to filter by; kept until a flight is written. */
export function filterChoices(db: Db) {
  const { $client } = db
  // From year to year by the index, so that a long log takes no longer than a short one.
  const years = $client
    .prepare(
      `with recursive y(year) as (
         select substr(max(date), 1, 4) from passengers where user_id = @userId
         union all
         select (select substr(max(date), 1, 4) from passengers where user_id = @userId and date < year) from y
         where year is not null)
       select year from y where year is not null`,
    )
    .pluck()
  const combinations = $client
    .prepare(
      `select distinct f.from_id, f.to_id, f.airline_id, f.aircraft_id
       from passengers p cross join flights f on f.id = p.flight_id where p.user_id = @userId`,
    )
    .raw()
  const companions = $client
    .prepare(
      `select distinct x.user_id from passengers p cross join passengers x on x.flight_id = p.flight_id
       where p.user_id = @userId and x.user_id is not null and x.user_id <> @userId limit ${MOST_COMPANIONS}`,
    )
    .pluck()
  // Names are not kept: they change without a flight being written.
  const people = $client.prepare(
    `select id, display_name as displayName from users where id in (select value from json_each(?))
     order by display_name collate nocase`,
  )
  const cache = dataCache<Kept>(db, {
    part: 'flights',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: (kept) => 500 + 16 * Object.values(kept).reduce((sum, list) => sum + list.length, 0),
  })

  async function read(userId: string): Promise<Kept> {
    const known = [new Set<number>(), new Set<number>(), new Set<number>(), new Set<number>()] as const
    for (const ids of combinations.all({ userId }) as (number | null)[][]) {
      for (const [index, id] of ids.entries()) if (id !== null) known[index]!.add(id)
    }
    await nextTurn()
    const [fromIds, toIds, airlineIds, aircraftIds] = known.map((ids) => [...ids]) as [
      number[],
      number[],
      number[],
      number[],
    ]
    const companionIds = companions.all({ userId }) as string[]
    return { years: years.all({ userId }) as string[], fromIds, toIds, airlineIds, aircraftIds, companionIds }
  }

  return async function mine(caller: Caller): Promise<FilterChoices> {
    authorize(caller, 'listFlights', { otherUsers: false })
    const { companionIds, ...kept } = await cache.load(caller.userId, () => read(caller.userId))
    return { ...kept, companions: people.all(JSON.stringify(companionIds)) as FilterChoices['companions'][number][] }
  }
}
