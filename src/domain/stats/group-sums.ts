import type { Db } from '../../db/open.ts'
import { openScratch } from '../../db/scratch.ts'
import type { CompletedFlight } from './rows.ts'

export type Key = string | number | null

export interface Sum {
  flights: number
  meters: number
  seconds: number
  known: number
}

export const nothing = (): Sum => ({ flights: 0, meters: 0, seconds: 0, known: 0 })

export const summed = ['meters', 'seconds'] as const

export function count(sum: Sum, { meters, seconds }: CompletedFlight<(typeof summed)[number]>): void {
  sum.flights++
  sum.meters += meters ?? 0
  if (seconds === null) return
  sum.seconds += seconds
  sum.known++
}

export function include(sum: Sum, more: Sum): void {
  sum.flights += more.flights
  sum.meters += more.meters
  sum.seconds += more.seconds
  sum.known += more.known
}

/** Of the groups of one breakdown; an ordinary log stays far below it. */
const MAX_MEMORY_BYTES = 2 * 1024 * 1024
/** A sum with its entry in the map. */
const BYTES_OF_GROUP = 150
const GROUPS_PER_STEP = 1_000

const bytesOf = (key: Key) => BYTES_OF_GROUP + (typeof key === 'string' ? 2 * key.length : 0)

type Row = [key: string | number, flights: number, meters: number, seconds: number, known: number]

export type SumTable = ReturnType<typeof sumTable>

/** Sums by key on disk. Doubles, as in memory: durations may add up to more than an integer holds. */
export function sumTable(db: Db) {
  const scratch = openScratch(db)
  scratch.exec(
    `create table sums (key any primary key not null, flights real not null, meters real not null, seconds real not null,
       known real not null) strict, without rowid`,
  )
  const add = scratch.prepare(
    `insert into sums values (?, ?, ?, ?, ?) on conflict (key) do update set flights = flights + excluded.flights,
       meters = meters + excluded.meters, seconds = seconds + excluded.seconds, known = known + excluded.known`,
  )
  const first = scratch.prepare(`select * from sums order by key limit ${GROUPS_PER_STEP}`).raw()
  const next = scratch.prepare(`select * from sums where key > ? order by key limit ${GROUPS_PER_STEP}`).raw()

  function* all(): Generator<[Key, Sum][]> {
    for (let rows = first.all() as Row[]; rows.length > 0; rows = next.all(rows.at(-1)![0]) as Row[])
      yield rows.map(([key, flights, meters, seconds, known]) => [key, { flights, meters, seconds, known }])
  }

  return {
    add: (key: string | number, { flights, meters, seconds, known }: Sum) =>
      add.run(key, flights, meters, seconds, known),
    all,
    close: scratch.close.bind(scratch),
  }
}

/**
 * Sums by key: in memory up to a bound, beyond it in a table on disk, since a log may have a group for each of its guests.
 * Without a table everything stays in memory, for keys of which there are few.
 */
export function groupSums(openTable?: () => SumTable) {
  const sums = new Map<Key, Sum>()
  let bytes = 0
  let table: SumTable | undefined

  function add(key: Key, flight: CompletedFlight<(typeof summed)[number]>): void {
    const known = sums.get(key)
    const sum = known ?? nothing()
    count(sum, flight)
    if (known) return
    sums.set(key, sum)
    bytes += bytesOf(key)
  }

  /** Moves everything but the group without a key to the file, and stops after some groups. */
  function* flush(to: SumTable): Generator<undefined> {
    let moved = 0
    for (const [key, sum] of sums) {
      if (key === null) continue
      to.add(key, sum)
      sums.delete(key)
      if (++moved % GROUPS_PER_STEP === 0) yield
    }
    bytes = 0
  }

  /** To be run after each portion of flights. */
  function* spill(): Generator<undefined> {
    if (bytes <= MAX_MEMORY_BYTES || !openTable) return
    table ??= openTable()
    yield* flush(table)
  }

  /** Every group once, some at a time. */
  function* all(): Generator<Iterable<[Key, Sum]> | undefined> {
    if (table) yield* flush(table)
    yield sums
    if (table) yield* table.all()
  }

  return { add, spill, all, close: () => table?.close() }
}
