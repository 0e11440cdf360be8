import { and, desc, eq, lte, sql } from 'drizzle-orm'
import { dataCache } from '../../db/data-cache.ts'
import type { Db } from '../../db/open.ts'
import { excluded, named, statements } from '../../db/statements.ts'
import { routeBlocks } from '../../db/tables/index.ts'
import type { Renewal } from './renew.ts'
import { type Route, type RouteBlock, routeOn, unpacked } from './routes-packing.ts'

export type RoutesRenewal = Renewal & { removed: number }

const { airline, firstNumber, packed } = routeBlocks
const { placeholder } = sql

/** Some sixty blocks: whoever types a number asks for the same one with every digit. */
const MAX_CACHE_BYTES = 1024 * 1024

export function routesStore(db: Db) {
  const { rows, values } = statements(db)
  const ofAirline = eq(airline, placeholder('airline'))
  const firstOf = values(
    db
      .select({ firstNumber })
      .from(routeBlocks)
      .where(and(ofAirline, lte(firstNumber, placeholder('number'))))
      .orderBy(desc(firstNumber))
      .limit(1),
  )
  const blockOf = rows(
    db
      .select(named({ packed }))
      .from(routeBlocks)
      .where(and(ofAirline, eq(firstNumber, placeholder('first')))),
  )
  const cache = dataCache<Uint8Array>(db, {
    part: 'reference',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ buffer }) => buffer.byteLength,
  })
  return {
    /** The route that a number of an airline had on a day. */
    find(airline: string, number: number, date: string): Route | undefined {
      const first = firstOf.get({ airline, number })
      if (first === undefined) return undefined
      const block = cache.read(`${airline} ${first}`, () => unpacked(blockOf.get({ airline, first })!.packed))
      return routeOn(block, number, date)
    },
  }
}

/** Puts these routes in the place of those that are there, inside the caller's transaction; counted by airline. */
export function replaceRoutes(db: Db, blocks: Iterable<RouteBlock>): RoutesRenewal {
  const { write } = statements(db)
  const key = { airline: placeholder('airline'), firstNumber: placeholder('firstNumber') }
  const stored = db.select({ airline, firstNumber }).from(routeBlocks).all()
  const put = write<RouteBlock>(
    db
      .insert(routeBlocks)
      .values({ ...key, packed: placeholder('packed') })
      .onConflictDoUpdate({
        target: [airline, firstNumber],
        set: excluded(routeBlocks, 'packed'),
        setWhere: sql`${packed} is not excluded.packed`,
      }),
  )
  const remove = write<Omit<RouteBlock, 'packed'>>(
    db.delete(routeBlocks).where(and(eq(airline, key.airline), eq(firstNumber, key.firstNumber))),
  )
  const [kept, changed, now] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const block of blocks) {
    kept.add(`${block.airline} ${block.firstNumber}`)
    now.add(block.airline)
    if (put.run(block).changes > 0) changed.add(block.airline)
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
