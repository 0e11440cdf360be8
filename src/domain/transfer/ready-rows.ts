import type { BeginFlights, BeyondBody } from '../flights/imported.ts'
import type { PackedTrack } from '../flights/track-packing.ts'
import { naturalKey, sharedSets, type Users } from './natural-key.ts'
import { rowOf } from './new-rows.ts'
import type { ResolvedFlight } from './resolve.ts'
import { type RestoredValues, settled } from './restored-values.ts'

export type Stage = ReturnType<BeginFlights>

/** What only some files know of a row: a backup, and formats with tracks. */
interface BeyondFlight {
  track: PackedTrack | undefined
  /** From a backup only; other files get the defaults. */
  values: RestoredValues | undefined
  passengerValues: RestoredValues[] | undefined
}

export interface ReadyRow extends BeyondFlight {
  flight: ResolvedFlight
  users: readonly string[]
}

/** The body of a flight with the rows that it names, made now if they must be. */
function putOnStage(stage: Stage, number: number, flight: ResolvedFlight, label: string): void {
  const { body, from, to, airline, aircraft } = flight
  const [origin, destination] = [rowOf(from), rowOf(to)]
  const references = {
    fromId: origin.id,
    toId: destination.id,
    airlineId: airline && rowOf(airline).id,
    aircraftId: aircraft && rowOf(aircraft).id,
  }
  stage.put(number, { ...body, ...references }, origin, destination, label)
}

/** By which a flight is found in the log: as it will be stored, and as the file writes its number. */
function keysOf({ body, from, to, writtenNumber }: ResolvedFlight): string[] {
  const flight = { ...body, fromId: rowOf(from).id, toId: rowOf(to).id }
  return [
    naturalKey(flight),
    ...(writtenNumber === null ? [] : [naturalKey({ ...flight, flightNumber: writtenNumber })]),
  ]
}

const isComplete = ({ from, to, airline, aircraft }: ResolvedFlight) =>
  [from, to, airline, aircraft].every((found) => found === null || found.row !== undefined)

/** What is written beside a flight on the stage: the number of its row, the place of its set of users, its keys. */
type Label = [row: number, users: number, ...keys: string[]]

/** A row that names what is still to be made, which only the transaction does. */
interface OpenRow {
  number: number
  row: number
  flight: ResolvedFlight
  users: Users
}

export type ReadyRows = ReturnType<typeof readyRows>

/** The rows of a file between their reading and the transaction: on the stage, since memory is for a few of them only. */
export function readyRows(stage: Stage) {
  const setOf = sharedSets()
  const sets: Users[] = []
  const places = new Map<Users, number>()
  const open: OpenRow[] = []
  const beyond = new Map<number, BeyondFlight>()
  let count = 0

  function placeOf(set: Users): number {
    const place = places.get(set) ?? sets.push(set) - 1
    places.set(set, place)
    return place
  }

  function* stagedRows() {
    for (const { number, label } of stage.labels()) {
      const [row, place, ...keys] = JSON.parse(label) as Label
      yield { number, row, keys, users: sets[place]! }
    }
  }

  const finished = ({ number, row, flight, users }: OpenRow) => ({
    number,
    row,
    users,
    // An airport that must be made is on no flight yet, so that its row cannot be a duplicate.
    keys: keysOf(flight),
    finish: () => putOnStage(stage, number, flight, ''),
  })

  return {
    add(row: number, { flight, users, track, values, passengerValues }: ReadyRow): void {
      const number = ++count
      const set = setOf(users)
      if (isComplete(flight)) {
        const label: Label = [row, placeOf(set), ...keysOf(flight)]
        putOnStage(stage, number, flight, JSON.stringify(label))
      } else open.push({ number, row, flight, users: set })
      if (track || values || passengerValues) beyond.set(number, { track, values, passengerValues })
    },
    /** Inside the transaction, in the order of the file. One that is not on the stage yet is put there by `finish`. */
    *[Symbol.iterator]() {
      let next = 0
      for (const row of stagedRows()) {
        while (next < open.length && open[next]!.number < row.number) yield finished(open[next++]!)
        yield { ...row, finish: undefined }
      }
      for (const row of open.slice(next)) yield finished(row)
    },
    /** Inside the transaction, with the rows made that custom values name. */
    beyondBody(number: number): BeyondBody | undefined {
      const found = beyond.get(number)
      if (!found) return undefined
      const { track, values, passengerValues } = found
      return { track, values: values && settled(values), passengerValues: passengerValues?.map(settled) }
    },
  }
}
