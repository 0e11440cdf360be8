import { and, count, desc, eq, gt, inArray, isNotNull, lt, or, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../../db/open.ts'
import { named, statements } from '../../../db/statements.ts'
import { airlines, airports, flights } from '../../../db/tables/index.ts'

const { placeholder } = sql

/** Flights with an airport or airline that did not exist on their day. A flight with only a month or year is left out. */
export function codeCheckStore(db: Db) {
  const { rows, values } = statements(db)
  const { id, date, flightNumber, fromId, toId, airlineId } = flights

  const using = (table: typeof airports | typeof airlines, column: typeof fromId | typeof toId | typeof airlineId) =>
    db
      .select({ id })
      .from(table)
      .innerJoin(flights, eq(column, table.id))
      .where(
        and(
          or(isNotNull(table.validFrom), isNotNull(table.validUntil)),
          eq(flights.datePrecision, 'day'),
          or(lt(date, table.validFrom), gt(date, table.validUntil)),
        ),
      )
  const isWrong = inArray(id, union(using(airports, fromId), using(airports, toId), using(airlines, airlineId)))
  const columns = named({ id, date, flightNumber, fromId, toId, airlineId })
  const found = rows(
    db
      .select(columns)
      .from(flights)
      .where(isWrong)
      .orderBy(desc(date), desc(id))
      .limit(placeholder('limit'))
      .offset(placeholder('offset')),
  )
  const one = rows(
    db
      .select(columns)
      .from(flights)
      .where(and(eq(id, placeholder('id')), isWrong)),
  )
  const all = values(db.select({ count: count() }).from(flights).where(isWrong))

  return {
    list: (part: { limit: number; offset: number }) => found.all({ ...part }),
    find: (flightId: number) => one.get({ id: flightId }),
    count: (): number => all.get()!,
    replace: (flightId: number, change: { fromId?: number; toId?: number; airlineId?: number }, updatedAt: string) =>
      db
        .update(flights)
        .set({ ...change, updatedAt })
        .where(eq(id, flightId))
        .run(),
  }
}

export type CheckedFlight = NonNullable<ReturnType<ReturnType<typeof codeCheckStore>['find']>>
