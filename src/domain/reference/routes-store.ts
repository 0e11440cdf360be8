import { and, desc, eq, lte, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { excluded, named, statements } from '../../db/statements.ts'
import { routeBlocks } from '../../db/tables/index.ts'
import type { Renewal } from './renew.ts'
import { blockIn, type Route, type RouteBlock, routeOn, rowOf } from './routes-packing.ts'

export type RoutesRenewal = Renewal & { removed: number }

const { airline, firstNumber, packed } = routeBlocks
const { placeholder } = sql

export function routesStore(db: Db) {
  const { rows } = statements(db)
  const lastUpTo = rows(
    db
      .select(named({ packed }))
      .from(routeBlocks)
      .where(and(eq(airline, placeholder('airline')), lte(firstNumber, placeholder('number'))))
      .orderBy(desc(firstNumber))
      .limit(1),
  )
  return {
    /** The route that a number of an airline had on a day. */
    find(airline: string, number: number, date: string): Route | undefined {
      const row = lastUpTo.get({ airline, number })
      return row && routeOn(blockIn(row.packed), number, date)
    },
  }
}

/** Puts these routes in the place of those that are there, inside the caller's transaction; counted by airline. */
export function replaceRoutes(db: Db, blocks: Iterable<RouteBlock>): RoutesRenewal {
  const { write } = statements(db)
  const key = { airline: placeholder('airline'), firstNumber: placeholder('firstNumber') }
  const stored = db.select({ airline, firstNumber }).from(routeBlocks).all()
  const put = write<typeof routeBlocks.$inferInsert>(
    db
      .insert(routeBlocks)
      .values({ ...key, packed: placeholder('packed') })
      .onConflictDoUpdate({
        target: [airline, firstNumber],
        set: excluded(routeBlocks, 'packed'),
        setWhere: sql`${packed} is not excluded.packed`,
      }),
  )
  const remove = write<Omit<RouteBlock, 'bytes'>>(
    db.delete(routeBlocks).where(and(eq(airline, key.airline), eq(firstNumber, key.firstNumber))),
  )
  const [kept, changed, now] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const { airline, firstNumber, bytes } of blocks) {
    kept.add(`${airline} ${firstNumber}`)
    now.add(airline)
    if (put.run({ airline, firstNumber, packed: rowOf(bytes) }).changes > 0) changed.add(airline)
  }
  const before = new Set<string>()
  for (const { airline, firstNumber } of stored) {
    before.add(airline)
    if (kept.has(`${airline} ${firstNumber}`)) continue
    remove.run({ airline, firstNumber })
    changed.add(airline)
  }
  const inserted = now.difference(before).size
  const removed = before.difference(now).size
  const updated = changed.size - inserted - removed
  return { inserted, updated, unchanged: now.size - inserted - updated, skipped: 0, removed }
}
