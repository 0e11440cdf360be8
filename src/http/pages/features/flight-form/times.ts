import { type Flight, type TimeName, timePairs } from '../../../../domain/flights/contract.ts'
import {
  findArrivalDay,
  isCalendarDay,
  isoInstant,
  LAST_INSTANT,
  localInstant,
  localTime,
} from '../../../../lib/dates.ts'
import { parseClock } from '../../../../lib/wall-clock.ts'
import { fieldOf } from '../../framework/form.ts'
import { fault, type Reading } from './reading.ts'

type Times = Record<TimeName, string | null>
type Zones = Record<'from' | 'to', string | undefined>

const arrivals: ReadonlySet<TimeName> = new Set(timePairs.map(([, second]) => second))
const sideOf = (name: TimeName) => (arrivals.has(name) ? 'to' : 'from')

export const departureDayIn = (form: URLSearchParams): string => fieldOf(form, 'departure.day') || fieldOf(form, 'date')

/** The day that is meant where none is given: so that a flight over night needs it only once. */
function usualDay(form: URLSearchParams, name: TimeName, arrived = ''): string {
  const departed = departureDayIn(form)
  if (name === 'departure') return fieldOf(form, 'date')
  return name === 'arrival' || sideOf(name) === 'from' ? departed : arrived || departed
}

/** The second of a pair is on the day that `findArrivalDay` gives; without the first it is on the day of the arrival. */
const meantDay = (base: string, clock: string, zone: string, first: string | null): string =>
  first === null ? base : findArrivalDay(base, clock, zone, wholeMinute(first)).day

const wholeMinute = (instant: string) => Math.floor(Date.parse(instant) / 60_000) * 60_000

/** The clocks of a flight at its airports. The day of arrival is always told where it is not that of the departure. */
export function showTimes(form: URLSearchParams, flight: Flight): void {
  const show = (name: TimeName, first: string | null = null) => {
    const instant = flight[name]
    if (instant === null) return
    const zone = flight[sideOf(name)].timezone
    const [day = '', clock = ''] = localTime(instant, zone).split('T')
    const base = usualDay(form, name, first === null ? fieldOf(form, 'arrival.day') : '')
    if (day !== meantDay(base, clock, zone, first) || (name === 'arrival' && day !== base)) form.set(`${name}.day`, day)
    form.set(`${name}.clock`, clock)
  }
  for (const [first, second] of timePairs) {
    show(first)
    show(second, flight[first])
  }
}

interface Asked {
  name: TimeName
  zone: string | undefined
  stored: string | null
  /** The time that must not be later, where it is known. */
  first?: string | null
}

/** A time that the clocks there leave out: said, with the one that it would have been. */
function leftOut(
  reading: Reading,
  name: TimeName,
  [day, clock]: [string, string],
  instant: number,
  zone: string,
): null {
  const [laterDay = '', later = ''] = localTime(isoInstant(instant), zone).split('T')
  reading.form.set(`${name}.clock`, later)
  if (laterDay !== day) reading.form.set(`${name}.day`, laterDay)
  const what =
    laterDay === day ? `no ${clock} that day: the clocks went forward` : 'no such day: the calendar left it out'
  const instead = laterDay === day ? later : 'The next one'
  fault(reading, name, `There was ${what}. ${instead} is entered instead; change it or save again.`)
  return null
}

function readTime(reading: Reading, { name, zone, stored, first = null }: Asked): string | null {
  const { form } = reading
  const clock = fieldOf(form, `${name}.clock`).trim()
  const ownDay = fieldOf(form, `${name}.day`).trim()
  const wrong = (sentence: string) => {
    fault(reading, name, sentence)
    return null
  }
  if (clock === '') return ownDay === '' ? null : wrong('Enter a time too, or leave the day empty.')
  const time = parseClock(clock)
  if (time === undefined) return wrong('Enter the time as 14:05 or 2:05 pm.')
  const base = ownDay || usualDay(form, name, first === null ? fieldOf(form, 'arrival.day') : '')
  if (!isCalendarDay(base)) return ownDay === '' ? null : wrong('Enter a day that exists.')
  // Without its airport a clock cannot be read; that the airport is missing is said there.
  if (zone === undefined) return null
  const day = ownDay || meantDay(base, time, zone, first)
  // An hour that occurs twice, or seconds that no clock shows: what was not changed stays the same instant.
  if (stored !== null && localTime(stored, zone) === `${day}T${time}`) return stored
  const instant = localInstant(day, time, zone)
  if (instant > LAST_INSTANT) return wrong('Must lie before the year 10000.')
  if (localTime(isoInstant(instant), zone) !== `${day}T${time}`) {
    return leftOut(reading, name, [day, time], instant, zone)
  }
  if (name === 'arrival' && day !== base) form.set('arrival.day', day)
  return isoInstant(instant)
}

/** Local clocks as instants (contract 13.1), except that a time which does not exist is asked about. */
export function readTimes(reading: Reading, zones: Zones, stored: Flight | undefined): Times {
  const times = {} as Times
  const read = (name: TimeName, first?: string | null) =>
    readTime(reading, { name, zone: zones[sideOf(name)], stored: stored?.[name] ?? null, first: first ?? null })
  for (const [first, second] of timePairs) {
    times[first] = read(first)
    times[second] = read(second, times[first])
  }
  return times
}

/** Whole seconds between the gates, as a flight without a duration of its own counts them. */
function measured({ departure, arrival }: Pick<Times, 'departure' | 'arrival'>): number | null {
  if (departure === null || arrival === null) return null
  return Math.floor((Date.parse(arrival) - Date.parse(departure)) / 1000)
}

const hours = (seconds: number) =>
  `${Math.floor(seconds / 3600)}:${String(Math.floor(seconds / 60) % 60).padStart(2, '0')}`

/** Shown only where it says something that the times do not. */
export const shownDuration = (flight: Flight): string =>
  flight.duration === null || flight.duration === measured(flight) ? '' : hours(flight.duration)

export function readDuration(reading: Reading, stored: Flight | undefined): number | null {
  const text = fieldOf(reading.form, 'duration').trim()
  if (text === '') return null
  if (stored && text === shownDuration(stored)) return stored.duration
  const [, whole, minutes] = /^(\d{1,4}):([0-5]\d)$/.exec(text) ?? []
  if (whole !== undefined) return Number(whole) * 3600 + Number(minutes) * 60
  fault(reading, 'duration', 'Enter hours and minutes, such as 2:55.')
  return null
}
