import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { users } from '../../db/tables/index.ts'
import type { Target } from '../flights/query/target.ts'
import { naturalKey } from './natural-key.ts'

const KEY_COLUMNS = `f.date, f.date_precision as "datePrecision", f.from_id as "fromId", f.to_id as "toId",
  f.flight_number as "flightNumber", f.departure`

type KeyRow = Parameters<typeof naturalKey>[0] & { users: string | null }

export function importStore(db: Db) {
  // Text, because Drizzle cannot iterate over rows, and a log may not fit into memory.
  const ofUser = db.$client.prepare(
    `select ${KEY_COLUMNS}, p.user_id as users from passengers p join flights f on f.id = p.flight_id
     where p.user_id = @userId order by f.id`,
  )
  const ofAll = db.$client.prepare(
    `select ${KEY_COLUMNS}, (select group_concat(p.user_id, ' ') from passengers p where p.flight_id = f.id) as users
     from flights f order by f.id`,
  )
  const userNames = db
    .select({ id: users.id, name: sql<string>`lower(${users.username})` })
    .from(users)
    .prepare()

  return {
    /** The natural keys of the flights of the target, each with the users on it. */
    *keys(target: Target): Generator<[key: string, users: string[]]> {
      const found = target === 'all' ? ofAll.iterate() : ofUser.iterate(target)
      for (const { users, ...flight } of found as Iterable<KeyRow>) yield [naturalKey(flight), users?.split(' ') ?? []]
    },
    usersByName: () => new Map(userNames.all().map(({ id, name }) => [name, id])),
  }
}
