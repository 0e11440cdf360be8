import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type BulkFlight, type FlightDetails, type NewFlight, newFlight } from '../flights/store/bulk-insert.ts'
import type { PackedTrack } from '../flights/tracks/packing.ts'
import { rowOf } from './lookup.ts'
import { naturalKey } from './natural-key.ts'
import type { ResolvedFlight } from './resolve.ts'
import { type RestoredValues, settled } from './restored-values.ts'

interface RowDetails {
  track: PackedTrack | undefined
  /** Backup only; flights of other files get the defaults. */
  values: RestoredValues | undefined
  passengerValues: RestoredValues[] | undefined
}

interface ReadyRow {
  row: number
  users: readonly string[]
  keys: string[]
  /** Creates missing reference rows. */
  flight: () => BulkFlight
}

interface PackedRow {
  row: number
  users: readonly string[]
  /** Absent if reference rows have to be created first. */
  keys?: string[]
  flight?: NewFlight
}

const ROWS_PER_BATCH = 500

/** Absent members are inserted as null. */
const withoutNulls = (_name: string, value: unknown) => value ?? undefined

function insertable({ body, from, to, airline, aircraft }: ResolvedFlight): NewFlight {
  const [origin, destination] = [rowOf(from), rowOf(to)]
  const references = {
    fromId: origin.id,
    toId: destination.id,
    airlineId: airline && rowOf(airline).id,
    aircraftId: aircraft && rowOf(aircraft).id,
  }
  return newFlight({ ...body, ...references }, origin, destination)
}

/** As the flight is stored, and as an earlier release may have stored it. */
function keysOf({ body, from, to, writtenNumber, presentRoute }: ResolvedFlight): string[] {
  const numbers = [body.flightNumber, ...(writtenNumber === null ? [] : [writtenNumber])]
  return [{ from, to }, ...(presentRoute ? [presentRoute] : [])].flatMap((route) => {
    const flight = { ...body, fromId: rowOf(route.from).id, toId: rowOf(route.to).id }
    return numbers.map((flightNumber) => naturalKey({ ...flight, flightNumber }))
  })
}

const isComplete = ({ from, to, airline, aircraft }: ResolvedFlight) =>
  [from, to, airline, aircraft].every((found) => found === null || found.row !== undefined)

const settledDetails = ({ track, values, passengerValues }: RowDetails): FlightDetails => ({
  track,
  values: values && settled(values),
  passengerValues: passengerValues?.map(settled),
})

/** The checked rows of a file until the transaction. They are compressed: as objects, 50,000 of them take 60 MB. */
export function readyRows() {
  const open = new Map<number, ResolvedFlight>()
  const details = new Map<number, RowDetails>()
  const batches: Buffer[] = []
  let rows: PackedRow[] = []

  function unpacked({ row, users, keys, flight }: PackedRow): ReadyRow {
    const resolved = open.get(row)
    const more = details.get(row)
    return {
      row,
      users,
      keys: keys ?? keysOf(resolved!),
      flight: () => ({ ...(flight ?? insertable(resolved!)), details: more && (() => settledDetails(more)) }),
    }
  }

  return {
    add(row: number, resolved: ResolvedFlight, users: readonly string[], more: RowDetails): void {
      if (more.track || more.values || more.passengerValues) details.set(row, more)
      if (isComplete(resolved)) rows.push({ row, users, keys: keysOf(resolved), flight: insertable(resolved) })
      else {
        open.set(row, resolved)
        rows.push({ row, users })
      }
      if (rows.length < ROWS_PER_BATCH) return
      batches.push(deflateRawSync(JSON.stringify(rows, withoutNulls), { level: 1 }))
      rows = []
    },
    *[Symbol.iterator](): Generator<ReadyRow> {
      for (const batch of batches) yield* (JSON.parse(inflateRawSync(batch).toString()) as PackedRow[]).map(unpacked)
      yield* rows.map(unpacked)
    },
  }
}
