import type { Flight, TimeName } from '../../../domain/flights/contract.ts'
import { daysBetween, localTime } from '../../../lib/dates.ts'
import type { Formats } from '../framework/formats.ts'
import type { PageTexts } from '../texts/languages.ts'

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
export function arrivalDayNote(
  departureDay: string,
  arrivalDay: string,
  formats: Formats,
  { clocks: t }: PageTexts,
): string {
  const days = daysBetween(departureDay, arrivalDay) ?? 0
  const day = formats.day(arrivalDay)
  if (days === 0) return t.arrivesSameDay({ day })
  if (Math.abs(days) === 1) return days > 0 ? t.arrivesNextDay({ day }) : t.arrivesDayBefore({ day })
  const values = { count: Math.abs(days), day }
  return days > 0 ? t.arrivesLater(values) : t.arrivesEarlier(values)
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

export function zoneOf(instant: string, zone: string, formats: Formats, texts: PageTexts): string {
  if (formats.shownIn === 'utc') return 'UTC'
  if (formats.shownIn === 'system') return texts.clocks.yourTime
  const minutes = Math.round((Date.parse(`${localTime(instant, zone)}Z`) - Date.parse(instant)) / 60_000)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  if (minutes === 0) return 'UTC'
  return `UTC${minutes > 0 ? '+' : '−'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}
