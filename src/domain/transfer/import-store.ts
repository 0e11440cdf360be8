import { asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { named, statements } from '../../db/statements.ts'
import { flights, passengers, users } from '../../db/tables/index.ts'
import type { Target } from '../flights/query/target.ts'
import { naturalKey, sharedSets } from './natural-key.ts'

const { placeholder } = sql
const keyColumns = {
  date: flights.date,
  datePrecision: flights.datePrecision,
  fromId: flights.fromId,
  toId: flights.toId,
  flightNumber: flights.flightNumber,
  departure: flights.departure,
}

export function importStore(db: Db) {
  const { rows } = statements(db)
  const ofUser = rows(
    db
      .select(named({ ...keyColumns, users: passengers.userId }))
      .from(passengers)
      .innerJoin(flights, eq(flights.id, passengers.flightId))
      .where(eq(passengers.userId, placeholder('userId')))
      .orderBy(asc(flights.id)),
  )
  // The query builder has no group_concat.
  const aboard = sql<string | null>`(${db
    .select({ users: sql`group_concat(${passengers.userId}, ' ')` })
    .from(passengers)
    .where(eq(passengers.flightId, flights.id))})`
  const ofAll = rows(
    db
      .select(named({ ...keyColumns, users: aboard }))
      .from(flights)
      .orderBy(asc(flights.id)),
  )
  const userNames = rows(db.select(named({ id: users.id, name: sql<string>`lower(${users.username})` })).from(users))

  return {
    /** The natural keys of the flights of the target, each with the users on it. */
    *keys(target: Target): Generator<[key: string, users: ReadonlySet<string>]> {
      const found = target === 'all' ? ofAll.iterate() : ofUser.iterate(target)
      const setOf = sharedSets()
      for (const { users, ...flight } of found) yield [naturalKey(flight), setOf(users?.split(' ') ?? [])]
    },
    /** Ids of all users by their lower-case names. */
    usersByName: () => new Map(userNames.all().map(({ id, name }) => [name, id])),
  }
}
