import { gunzipSync, gzipSync } from 'node:zlib'
import { and, desc, eq, lte, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { excluded, named, statements } from '../../db/statements.ts'
import { routeBlocks } from '../../db/tables/index.ts'
import type { Renewal } from './renew.ts'

export type RoutesRenewal = Renewal & { removed: number }

export interface Route {
  /** The first known day, which may be after the day that was asked for; null if the route is in the oldest data. */
  since: string | null
  /** ICAO codes, in order. */
  stops: readonly string[]
}

/** Some numbers of one airline; `packed` is gzipped lines. */
export type RouteBlock = typeof routeBlocks.$inferSelect

const { airline, firstNumber, packed } = routeBlocks
const { placeholder } = sql

const ROUTES_PER_BLOCK = 2000

const TAB = 0x09
const LINE_FEED = 0x0a

/** Splits sorted lines of `airline, number, since, airports`, separated by tabs; numbers have five digits. */
export function* blocksOf(routes: Buffer, level = 1): Generator<RouteBlock> {
  let [start, count, airline, last] = [0, 0, '', '']
  const numberAt = (tab: number) => routes.toString('latin1', tab + 1, tab + 6)
  const pack = (end: number): RouteBlock => ({
    airline,
    firstNumber: Number(numberAt(start + airline.length)),
    packed: gzipSync(routes.subarray(start, end), { level }),
  })
  for (let at = 0; at < routes.length; count++) {
    const tab = routes.indexOf(TAB, at)
    const owner = routes.toString('latin1', at, tab)
    const number = numberAt(tab)
    if (count > 0 && (owner !== airline || (count >= ROUTES_PER_BLOCK && number !== last))) {
      yield pack(at)
      ;[start, count] = [at, 0]
    }
    ;[airline, last] = [owner, number]
    const end = routes.indexOf(LINE_FEED, tab)
    at = end < 0 ? routes.length : end + 1
  }
  if (count > 0) yield pack(routes.length)
}

/** The route of the day; without one, the earliest later one. A line without airports ends the route before it. */
function routeOn(block: Uint8Array, number: number, date: string): Route | undefined {
  const wanted = `\t${String(number).padStart(5, '0')}\t`
  const routes = gunzipSync(block)
    .toString('latin1')
    .split('\n')
    .filter((line) => line.includes(wanted))
    .map((line) => line.split('\t') as [airline: string, number: string, since: string, airports: string])
  const ofDay = routes.findLast(([, , since]) => since <= date)
  const [, , since, airports] = ofDay?.[3] ? ofDay : (routes.find((route) => route[2] > date && route[3]) ?? [])
  return airports === undefined ? undefined : { since: since || null, stops: airports.split('-') }
}

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
    find(airline: string, number: number, date: string): Route | undefined {
      const row = lastUpTo.get({ airline, number })
      return row && routeOn(row.packed, number, date)
    },
  }
}

/** Replaces all routes, inside the caller's transaction. The counts are airlines. */
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
    const { airline, firstNumber } = block
    kept.add(`${airline} ${firstNumber}`)
    now.add(airline)
    if (put.run(block).changes > 0) changed.add(airline)
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
