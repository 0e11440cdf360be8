import type { BeginFlights } from '../flights/imported.ts'
import type { PackedTrack } from '../flights/track-packing.ts'
import { naturalKey } from './natural-key.ts'
import { rowOf } from './new-rows.ts'
import type { ResolvedFlight } from './resolve.ts'
import type { RestoredValues } from './restored-values.ts'

export type Stage = ReturnType<BeginFlights>

/** What only some files know of a row: a backup, and formats with tracks. */
interface BeyondFlight {
  track: PackedTrack | undefined
  /** From a backup only; other files get the defaults. */
  values: RestoredValues | undefined
  passengerValues: RestoredValues[] | undefined
}

export interface ReadyRow extends BeyondFlight {
  /** Its number on the stage and what tells it from others; or the flight, where it names what is still to be made. */
  flight: { number: number; keys: readonly string[] } | ResolvedFlight
  users: ReadonlySet<string>
}

/** The body of a flight with the rows that it names, made now if they must be. */
export function staged(stage: Stage, { body, from, to, airline, aircraft }: ResolvedFlight): number {
  const [origin, destination] = [rowOf(from), rowOf(to)]
  const references = {
    fromId: origin.id,
    toId: destination.id,
    airlineId: airline && rowOf(airline).id,
    aircraftId: aircraft && rowOf(aircraft).id,
  }
  return stage.stage({ ...body, ...references }, origin, destination)
}

/** By which a flight is found in the log: as it will be stored, and as the file writes its number. */
export function keysOf({ body, from, to, writtenNumber }: ResolvedFlight): string[] {
  const flight = { ...body, fromId: rowOf(from).id, toId: rowOf(to).id }
  return [
    naturalKey(flight),
    ...(writtenNumber === null ? [] : [naturalKey({ ...flight, flightNumber: writtenNumber })]),
  ]
}

export const isComplete = ({ from, to, airline, aircraft }: ResolvedFlight) =>
  [from, to, airline, aircraft].every((found) => found === null || found.row !== undefined)

export type ReadyRows = ReturnType<typeof readyRowList>

/** What is held of each row until the transaction, list by list: as objects, fifty thousand rows take three times as much. */
export function readyRowList() {
  const [rows, users]: [number[], ReadonlySet<string>[]] = [[], []]
  const flights: (number | ResolvedFlight)[] = []
  /** Most have one. */
  const keys: (string | readonly string[])[] = []
  /** By the place in the lists above. */
  const beyond = new Map<number, BeyondFlight>()
  return {
    add(row: number, { flight, users: aboard, track, values, passengerValues }: ReadyRow): void {
      const place = rows.push(row) - 1
      users.push(aboard)
      const isStaged = 'keys' in flight
      flights.push(isStaged ? flight.number : flight)
      keys.push(isStaged ? (flight.keys.length === 1 ? flight.keys[0]! : flight.keys) : [])
      if (track || values || passengerValues) beyond.set(place, { track, values, passengerValues })
    },
    *[Symbol.iterator]() {
      for (const [place, row] of rows.entries()) {
        const flight = flights[place]!
        yield {
          row,
          flight,
          // An airport that must be made is on no flight yet, so that its row cannot be a duplicate.
          keys: typeof flight === 'number' ? [keys[place]!].flat() : keysOf(flight),
          users: users[place]!,
          beyond: beyond.get(place),
        }
      }
    },
  }
}
