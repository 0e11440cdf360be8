import type { Db } from '../../db/open.ts'
import type { Renewal } from './renew.ts'
import { type Route, type RouteBlock, routeOn } from './routes-packing.ts'

export type RoutesRenewal = Renewal & { removed: number }

type Block = Omit<RouteBlock, 'packed'>

export function routesStore(db: Db) {
  const client = db.$client
  const blockOf = client
    .prepare(
      'select packed from route_blocks where airline = ? and first_number <= ? order by first_number desc limit 1',
    )
    .pluck()
  return {
    /** The route that a number of an airline had on a day. */
    find(airline: string, number: number, date: string): Route | undefined {
      const packed = blockOf.get(airline, number) as Buffer | undefined
      return packed && routeOn(packed, number, date)
    },
  }
}

/** Puts these routes in the place of those that are there, inside the caller's transaction; counted by airline. */
export function replaceRoutes(db: Db, blocks: Iterable<RouteBlock>): RoutesRenewal {
  const client = db.$client
  const stored = client.prepare('select airline, first_number as firstNumber from route_blocks').all() as Block[]
  const put = client.prepare(
    `insert into route_blocks (airline, first_number, packed) values (?, ?, ?)
     on conflict do update set packed = excluded.packed where packed is not excluded.packed`,
  )
  const remove = client.prepare('delete from route_blocks where airline = ? and first_number = ?')
  const [kept, changed, now] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const { airline, firstNumber, packed } of blocks) {
    kept.add(`${airline} ${firstNumber}`)
    now.add(airline)
    if (put.run(airline, firstNumber, packed).changes > 0) changed.add(airline)
  }
  const before = new Set<string>()
  for (const { airline, firstNumber } of stored) {
    before.add(airline)
    if (kept.has(`${airline} ${firstNumber}`)) continue
    remove.run(airline, firstNumber)
    changed.add(airline)
  }
  const inserted = now.difference(before).size
  const removed = before.difference(now).size
  const updated = changed.size - inserted - removed
  return { inserted, updated, unchanged: now.size - inserted - updated, skipped: 0, removed }
}
