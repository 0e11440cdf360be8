import { endOfPeriod, localInstant } from '../../lib/dates.ts'
import type { FlightWrite, TimeName } from './contract.ts'

type Times = Record<TimeName, string | null>
type Dated = Times & Pick<FlightWrite, 'date' | 'datePrecision' | 'duration'>

/** Whole seconds from departure to arrival when both are known; never estimated. */
export function durationOf({ duration, departure, arrival }: Dated): number | null {
  if (duration !== null) return duration
  if (departure === null || arrival === null) return null
  return Math.floor((Date.parse(arrival) - Date.parse(departure)) / 1000)
}

const firstKnown = (...times: (string | null)[]) => {
  const known = times.find((time) => time !== null)
  return known === undefined ? undefined : Date.parse(known)
}

/** When a flight leaves and arrives, as well as it is known (contract 4.11). */
export function effectiveTimes(flight: Omit<Dated, 'duration'>) {
  const { datePrecision } = flight
  // Gate times of a flight of which only the month or year is known are not exact.
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

/** The instant after which the flight counts as flown (contract 4.11). */
export function completedFrom(flight: Dated, zone: string): number {
  const { date, datePrecision, duration } = flight
  const { departed, arrived } = effectiveTimes(flight)
  if (arrived !== undefined) return arrived
  if (departed !== undefined) return duration === null ? departed : departed + duration * 1000
  return datePrecision === 'day' ? localInstant(date, '00:00', zone) : endOfPeriod(date, datePrecision, zone)
}

/** Flown already: judged at the time of the question (contract 4.11). */
export const isCompleted = (completedFrom: number, now: number): boolean => completedFrom < now
/** The same of a flight `f` in a statement. */
export const IS_COMPLETED = 'f.completed_from < @now'
