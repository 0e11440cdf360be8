import type { Flight } from '../../../domain/flights/contract.ts'
import { daysBetween, localTime } from '../../../lib/dates.ts'
import type { Formats } from '../framework/formats.ts'

type Times = Pick<
  Flight,
  | 'departure'
  | 'arrival'
  | 'departureScheduled'
  | 'arrivalScheduled'
  | 'takeoffScheduled'
  | 'takeoffActual'
  | 'landingScheduled'
  | 'landingActual'
>
type Ends = { from: { timezone: string }; to: { timezone: string } }

/** When it left and landed, as well as it is known. */
export const instantsOf = (flight: Times) => ({
  departure: flight.departure ?? flight.takeoffActual ?? flight.departureScheduled ?? flight.takeoffScheduled,
  arrival: flight.arrival ?? flight.landingActual ?? flight.arrivalScheduled ?? flight.landingScheduled,
})

/** Where the preference is the browser's own zone, UTC stands until the script has replaced it. */
export function Clock({ instant, zone, formats }: { instant: string; zone: string; formats: Formats }) {
  const system = formats.shownIn === 'system'
  return (
    <time dateTime={instant} {...(system && { 'data-local': formats.twelve ? '12' : '24' })}>
      {formats.time(instant, zone).text}
      {system && ' UTC'}
    </time>
  )
}

/** In the words of a timetable: `+1` for the next day, nothing for the same one. */
export function laterBy(first: string, second: string): string {
  const days = daysBetween(first, second) ?? 0
  return days === 0 ? '' : `${days > 0 ? '+' : '−'}${Math.abs(days)}`
}

/** The day of arrival in words: the day before is possible across the date line. */
export function arrivalDayNote(departureDay: string, arrivalDay: string, formats: Formats): string {
  const days = daysBetween(departureDay, arrivalDay) ?? 0
  const words = new Map([
    [-1, 'the day before'],
    [0, 'the same day'],
    [1, 'the next day'],
  ])
  const when = words.get(days) ?? `${Math.abs(days)} days ${days > 0 ? 'later' : 'earlier'}`
  return `Arrives ${when}, ${formats.day(arrivalDay)}.`
}

/** `+1` where the local day of arrival is the next one; undefined where it is the same, or not told by local days. */
export function daysLater(flight: Times & Ends, formats: Formats): string | undefined {
  const { departure, arrival } = instantsOf(flight)
  if (!departure || !arrival || formats.shownIn !== 'airport') return undefined
  const [left, landed] = [localTime(departure, flight.from.timezone), localTime(arrival, flight.to.timezone)]
  return laterBy(left.slice(0, 10), landed.slice(0, 10)) || undefined
}

/** What a clock shows the time of: UTC+2, UTC, or the browser's own zone. */
export function zoneOf(instant: string, zone: string, formats: Formats): string {
  if (formats.shownIn === 'utc') return 'UTC'
  if (formats.shownIn === 'system') return 'your time'
  const minutes = Math.round((Date.parse(`${localTime(instant, zone)}Z`) - Date.parse(instant)) / 60_000)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  if (minutes === 0) return 'UTC'
  return `UTC${minutes > 0 ? '+' : '−'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

/** How much later than planned, in words; undefined where one of both is not known. */
export function delayOf(planned: string | null, actual: string | null, formats: Formats): string | undefined {
  if (!planned || !actual) return undefined
  const minutes = Math.round((Date.parse(actual) - Date.parse(planned)) / 60_000)
  if (minutes === 0) return 'on time'
  return `${formats.duration(Math.abs(minutes) * 60)} ${minutes > 0 ? 'late' : 'early'}`
}
