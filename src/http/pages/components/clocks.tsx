import type { Flight, TimeName } from '../../../domain/flights/contract.ts'
import { daysBetween, localTime } from '../../../lib/dates.ts'
import type { Formats } from '../framework/formats.ts'

type Times = Pick<Flight, TimeName>

export const instantsOf = (flight: Times) => ({
  departure: flight.departure ?? flight.takeoffActual ?? flight.departureScheduled ?? flight.takeoffScheduled,
  arrival: flight.arrival ?? flight.landingActual ?? flight.arrivalScheduled ?? flight.landingScheduled,
})

/** In the browser's time zone, a script replaces the UTC time. */
export function Clock({ instant, zone, formats }: { instant: string; zone: string; formats: Formats }) {
  const system = formats.shownIn === 'system'
  return (
    <time dateTime={instant} {...(system && { 'data-local': formats.twelve ? '12' : '24' })}>
      {formats.time(instant, zone).text}
      {system && ' UTC'}
    </time>
  )
}

/** As in a timetable: `+1` for the next day, empty for the same day. */
export function laterBy(first: string, second: string): string {
  const days = daysBetween(first, second) ?? 0
  return days === 0 ? '' : `${days > 0 ? '+' : '−'}${Math.abs(days)}`
}

/** The day before is possible across the date line. */
const nearDays: Record<number, string> = { [-1]: 'the day before', 0: 'the same day', 1: 'the next day' }

export function arrivalDayNote(departureDay: string, arrivalDay: string, formats: Formats): string {
  const days = daysBetween(departureDay, arrivalDay) ?? 0
  const when = nearDays[days] ?? `${Math.abs(days)} days ${days > 0 ? 'later' : 'earlier'}`
  return `Arrives ${when}, ${formats.day(arrivalDay)}.`
}

/** `+1` if the local arrival day is the next one; undefined if it is the same or times are not local. */
export function daysLater(
  flight: Times & Record<'from' | 'to', { timezone: string }>,
  formats: Formats,
): string | undefined {
  const { departure, arrival } = instantsOf(flight)
  if (!departure || !arrival || formats.shownIn !== 'airport') return undefined
  const [left, landed] = [localTime(departure, flight.from.timezone), localTime(arrival, flight.to.timezone)]
  return laterBy(left.slice(0, 10), landed.slice(0, 10)) || undefined
}

export function zoneOf(instant: string, zone: string, formats: Formats): string {
  if (formats.shownIn === 'utc') return 'UTC'
  if (formats.shownIn === 'system') return 'your time'
  const minutes = Math.round((Date.parse(`${localTime(instant, zone)}Z`) - Date.parse(instant)) / 60_000)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  if (minutes === 0) return 'UTC'
  return `UTC${minutes > 0 ? '+' : '−'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

export function delayOf(planned: string | null, actual: string | null, formats: Formats): string | undefined {
  if (!planned || !actual) return undefined
  const minutes = Math.round((Date.parse(actual) - Date.parse(planned)) / 60_000)
  if (minutes === 0) return 'on time'
  return `${formats.duration(Math.abs(minutes) * 60)} ${minutes > 0 ? 'late' : 'early'}`
}
