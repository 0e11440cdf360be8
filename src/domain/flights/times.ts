import { endOfPeriod, localInstant } from '../../lib/dates.ts'
import type { FlightWrite, TimeName } from './contract.ts'

type Times = Record<TimeName, string | null>
type Dated = Times & Pick<FlightWrite, 'date' | 'datePrecision' | 'duration'>

/** In whole seconds; never estimated. */
export function durationOf({ duration, departure, arrival }: Dated): number | null {
  if (duration !== null) return duration
  if (departure === null || arrival === null) return null
  return Math.floor((Date.parse(arrival) - Date.parse(departure)) / 1000)
}

const firstKnown = (...times: (string | null)[]) => {
  const known = times.find((time) => time !== null)
  return known === undefined ? undefined : Date.parse(known)
}

/** The best known departure and arrival (contract 4.11). */
export function effectiveTimes(flight: Omit<Dated, 'duration' | 'date'>) {
  const { datePrecision } = flight
  // With month or year precision, gate times are not exact.
  const exact = (time: string | null) => (datePrecision === 'day' ? time : null)
  const departed = firstKnown(
    exact(flight.departure),
    flight.takeoffActual,
    flight.departureScheduled,
    flight.takeoffScheduled,
  )
  const arrived = firstKnown(
    exact(flight.arrival),
    flight.landingActual,
    flight.arrivalScheduled,
    flight.landingScheduled,
  )
  return { departed, arrived }
}

/** The instant after which the flight is completed (contract 4.11). */
export function completedFrom(flight: Dated, zone: string): number {
  const { date, datePrecision, duration } = flight
  const { departed, arrived } = effectiveTimes(flight)
  if (arrived !== undefined) return arrived
  if (departed !== undefined) return duration === null ? departed : departed + duration * 1000
  return datePrecision === 'day' ? localInstant(date, '00:00', zone) : endOfPeriod(date, datePrecision, zone)
}

export const isCompleted = (completedFrom: number, now: number): boolean => completedFrom < now
/** `isCompleted` in SQL, for a flight `f`. */
export const IS_COMPLETED = 'f.completed_from < @now'
