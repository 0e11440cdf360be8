import type { Caller } from '../../access/caller.ts'
import {
  type FlightWrite,
  noTimes,
  type PassengerWrite,
  type TimeName,
  timePairs,
} from '../../domain/flights/contract.ts'
import type { Airport } from '../../domain/reference/contract.ts'
import { idsInFlights } from '../../domain/reference/kinds.ts'
import type { ReferenceService } from '../../domain/reference/service.ts'
import { isoInstant, LAST_INSTANT, localInstant } from '../../lib/dates.ts'
import { AppError, type ErrorDetail } from '../../lib/errors.ts'
import { distanceMeters } from '../../lib/geo.ts'
import { english } from '../../messages/english.ts'
import type { LegacySave } from './contract.ts'
import { InvalidBody } from './errors.ts'

/** The placeholder for the owner of the key. */
const OWN_ID = '<USER_ID>'
const CRUISE_KM_PER_HOUR = 805
const GROUND_HOURS = 0.5
/** The departure of flights that have only a month or year. */
const DEFAULT_DEPARTURE = 'T10:00:00.000Z'

type Times = Record<TimeName, string | null>

export function toPassengers({ passengers, flightReason }: LegacySave, caller: Caller): PassengerWrite[] {
  return passengers.map(({ id, userId, guestName, customFields, ...seat }) => ({
    ...seat,
    userId: userId === OWN_ID ? caller.userId : userId,
    // A passenger with both names is the user.
    guestName: userId === null ? guestName : null,
    flightReason: seat.flightReason ?? flightReason,
    ...(id !== null && { id }),
    ...(customFields && { customFields }),
  }))
}

type Kind = 'airport' | 'airline' | 'aircraft'

/** Clients match on "Invalid …"; "not found" is only for a missing flight (contract 6.1). */
function unknown(kind: Kind, code: string, what: string): AppError {
  const shown = code === '' ? '(empty)' : code.length > 50 ? `${code.slice(0, 50)}…` : code
  return new AppError('bad_request', `Invalid ${kind}: ${shown.toWellFormed()} is not a known ${what}.`)
}

function references(save: LegacySave, { codes, records }: ReferenceService) {
  const { day } = (save.departure ?? save.departureScheduled)!
  const [fromId, toId] = [codes.airport(save.from, 'code', day), codes.airport(save.to, 'code', day)]
  const known = records.batch(idsInFlights([{ fromId, toId }]))
  const airport = (id: number | undefined, code: string, what: string): Airport => {
    const found = id === undefined ? undefined : known.airport(id)
    if (!found) throw unknown('airport', code, what)
    return found
  }
  const orNull = (name: string | null, kind: Kind, what: string, find: (name: string) => number | undefined) => {
    if (name === null) return null
    const id = find(name)
    if (id === undefined) throw unknown(kind, name, what)
    return id
  }
  return {
    from: airport(fromId, save.from, 'departure airport'),
    to: airport(toId, save.to, 'arrival airport'),
    airlineId: orNull(
      save.airline,
      'airline',
      'airline',
      (name) => codes.airline(name, 'icao', day) ?? codes.airline(name, 'iata', day) ?? codes.airline(name, 'name'),
    ),
    aircraftId: orNull(
      save.aircraft,
      'aircraft',
      'aircraft type',
      (name) => codes.aircraft(name, 'icao') ?? codes.aircraft(name, 'name'),
    ),
  }
}

const timeError = (path: TimeName, message: string): ErrorDetail => ({ code: 'custom', path: [path], message })

function localTimes(save: LegacySave, from: Airport, to: Airport): Times {
  const errors: ErrorDetail[] = []
  const at = (name: TimeName, { timezone }: Airport): string | null => {
    // Without a day, the arrival is on the day of departure.
    const day = save[name]?.day ?? (name === 'arrival' ? save.departure?.day : undefined)
    const clock = save[`${name}Time`]
    if (day === undefined || clock === null) return null
    const instant = localInstant(day, clock, timezone)
    if (instant <= LAST_INSTANT) return isoInstant(instant)
    errors.push(timeError(name, 'Must lie before the year 10000 in UTC.'))
    return null
  }
  const known = Object.fromEntries(
    timePairs.flatMap(([first, second]) => [
      [first, at(first, from)],
      [second, at(second, to)],
    ]),
  ) as Times
  for (const [first, second] of timePairs) {
    const [start, end] = [known[first], known[second]]
    if (start !== null && end !== null && end < start)
      errors.push(timeError(second, english.input.notBefore({ field: first })))
  }
  if (errors.length > 0) throw new InvalidBody(errors)
  return known
}

function approximateTimes({ departure }: LegacySave): Times {
  const { day, instant } = departure!
  return { ...noTimes, departure: instant ?? day + DEFAULT_DEPARTURE }
}

function estimate(from: Airport, to: Airport): number | null {
  if (from.id === to.id) return null
  const kilometres = distanceMeters(from, to) / 1000
  return Math.round((kilometres / CRUISE_KM_PER_HOUR + GROUND_HOURS) * 3600)
}

export function toFlightWrite(
  save: LegacySave,
  passengers: PassengerWrite[],
  reference: ReferenceService,
): FlightWrite {
  const { from, to, airlineId, aircraftId } = references(save, reference)
  const { datePrecision, departureTerminal, departureGate, arrivalTerminal, arrivalGate } = save
  const { flightNumber, aircraftReg, note, customFields } = save
  const times = save.datePrecision === 'day' ? localTimes(save, from, to) : approximateTimes(save)
  const measured = times.departure !== null && times.arrival !== null
  return {
    datePrecision,
    departureTerminal,
    departureGate,
    arrivalTerminal,
    arrivalGate,
    flightNumber,
    aircraftReg,
    note,
    customFields,
    date: (save.departure ?? save.departureScheduled)!.day,
    ...times,
    duration: measured ? null : estimate(from, to),
    fromId: from.id,
    toId: to.id,
    airlineId,
    aircraftId,
    passengers,
    ...(save.track !== undefined && { track: save.track }),
  }
}
