import { type Flight, type TimeName, timePairs } from '../../../domain/flights/contract.ts'
import { isCalendarDay, isoInstant, LAST_INSTANT, localInstant, localTime } from '../../../lib/dates.ts'
import { parseClock } from '../../../lib/wall-clock.ts'
import { fieldOf } from '../form.ts'
import { fault, type Reading } from './reading.ts'

type Times = Record<TimeName, string | null>
type Zones = Record<'from' | 'to', string | undefined>

const arrivals: ReadonlySet<TimeName> = new Set(timePairs.map(([, second]) => second))
const sideOf = (name: TimeName) => (arrivals.has(name) ? 'to' : 'from')

/** In an order in which each may lean on those before it. */
const names = timePairs.flat()

/** The day that is meant where none is given: so that a flight over night needs it only once. */
function usualDay(form: URLSearchParams, name: TimeName): string {
  const departed = fieldOf(form, 'departure.day') || fieldOf(form, 'date')
  if (name === 'departure') return fieldOf(form, 'date')
  if (name === 'arrival' || sideOf(name) === 'from') return departed
  return fieldOf(form, 'arrival.day') || departed
}

/** The clocks of a flight at its airports. */
export function showTimes(form: URLSearchParams, flight: Flight): void {
  for (const name of names) {
    const instant = flight[name]
    if (instant === null) continue
    const [day = '', clock = ''] = localTime(instant, flight[sideOf(name)].timezone).split('T')
    if (day !== usualDay(form, name)) form.set(`${name}.day`, day)
    form.set(`${name}.clock`, clock)
  }
}

function readTime(reading: Reading, name: TimeName, zone: string | undefined, stored: string | null): string | null {
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
  const day = ownDay || usualDay(form, name)
  if (!isCalendarDay(day)) return ownDay === '' ? null : wrong('Enter a day that exists.')
  // Without its airport a clock cannot be read; that the airport is missing is said there.
  if (zone === undefined) return null
  // An hour that occurs twice, or seconds that no clock shows: what was not changed stays the same instant.
  if (stored !== null && localTime(stored, zone) === `${day}T${time}`) return stored
  const instant = localInstant(day, time, zone)
  return instant > LAST_INSTANT ? wrong('Must lie before the year 10000.') : isoInstant(instant)
}

/** Local clocks as instants (contract 13.1). */
export function readTimes(reading: Reading, zones: Zones, stored: Flight | undefined): Times {
  const known = names.map((name) => [name, readTime(reading, name, zones[sideOf(name)], stored?.[name] ?? null)])
  return Object.fromEntries(known) as Times
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
