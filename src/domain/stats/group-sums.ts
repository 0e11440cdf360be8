import type { Db } from '../../db/open.ts'
import { openScratch } from '../../db/sqlite/scratch.ts'
import type { CompletedFlight } from './rows.ts'

export type Key = string | number | null

export interface Sum {
  flights: number
  meters: number
  seconds: number
  known: number
}

export const emptySum = (): Sum => ({ flights: 0, meters: 0, seconds: 0, known: 0 })

export const summed = ['meters', 'seconds'] as const

export function addFlight(sum: Sum, { meters, seconds }: CompletedFlight<(typeof summed)[number]>): void {
  sum.flights++
  sum.meters += meters ?? 0
  if (seconds === null) return
  sum.seconds += seconds
  sum.known++
}

export function addSum(sum: Sum, other: Sum): void {
  sum.flights += other.flights
  sum.meters += other.meters
  sum.seconds += other.seconds
  sum.known += other.known
}

export const figures = ({ flights, meters, seconds, known }: Sum) => ({
  flights,
  distanceKm: Math.round(meters / 1000),
  durationSeconds: seconds,
  durationKnown: known,
})

const MAX_MEMORY_BYTES = 2 * 1024 * 1024
const BYTES_OF_GROUP = 150
const GROUPS_PER_CHUNK = 1_000

const bytesOf = (key: Key) => BYTES_OF_GROUP + (typeof key === 'string' ? 2 * key.length : 0)

type Row = [key: string | number, flights: number, meters: number, seconds: number, known: number]

export type SumTable = ReturnType<typeof sumTable>

/** Sums by key on disk. The columns are doubles because durations can exceed the integer range. */
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
  const first = scratch.prepare(`select * from sums order by key limit ${GROUPS_PER_CHUNK}`).raw()
  const next = scratch.prepare(`select * from sums where key > ? order by key limit ${GROUPS_PER_CHUNK}`).raw()

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

/** Sums by key. With a table they spill to disk beyond `MAX_MEMORY_BYTES`: a log can have a group for each guest. */
export function groupSums(openTable?: () => SumTable) {
  const sums = new Map<Key, Sum>()
  let bytes = 0
  let table: SumTable | undefined

  function add(key: Key, flight: CompletedFlight<(typeof summed)[number]>): void {
    const known = sums.get(key)
    const sum = known ?? emptySum()
    addFlight(sum, flight)
    if (known) return
    sums.set(key, sum)
    bytes += bytesOf(key)
  }

  /** Moves everything to disk but the group without a key. */
  function* flush(to: SumTable): Generator<undefined> {
    let moved = 0
    for (const [key, sum] of sums) {
      if (key === null) continue
      to.add(key, sum)
      sums.delete(key)
      if (++moved % GROUPS_PER_CHUNK === 0) yield
    }
    bytes = 0
  }

  function* spill(): Generator<undefined> {
    if (bytes <= MAX_MEMORY_BYTES || !openTable) return
    table ??= openTable()
    yield* flush(table)
  }

  function* all(): Generator<Iterable<[Key, Sum]> | undefined> {
    if (table) yield* flush(table)
    yield sums
    if (table) yield* table.all()
  }

  return { add, spill, all, close: () => table?.close() }
}
