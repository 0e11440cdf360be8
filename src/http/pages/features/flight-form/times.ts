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
import { addFieldError, type Reading } from './reading.ts'

type Times = Record<TimeName, string | null>
export type Zones = Record<'from' | 'to', string | undefined>

const arrivals: ReadonlySet<TimeName> = new Set(timePairs.map(([, second]) => second))
const sideOf = (name: TimeName) => (arrivals.has(name) ? 'to' : 'from')

export const departureDayIn = (form: URLSearchParams): string => fieldOf(form, 'departure.day') || fieldOf(form, 'date')

/** The default day of a time; `first` is the known time of departure or take-off that belongs to it. */
function defaultDay(form: URLSearchParams, name: TimeName, first: string | null): string {
  if (name === 'departure') return fieldOf(form, 'date')
  const isAfterArrival = name !== 'arrival' && sideOf(name) === 'to' && first === null
  return (isAfterArrival && fieldOf(form, 'arrival.day')) || departureDayIn(form)
}

/** Without the first time of a pair, the second is on the default day. */
function dayFrom(base: string, clock: string, zone: string, first: string | null): string {
  if (first === null) return base
  const wholeMinute = Math.floor(Date.parse(first) / 60_000) * 60_000
  return findArrivalDay(base, clock, zone, wholeMinute).day
}

/** Fills in local times. The day is shown only if it cannot be worked out, or if the flight arrives on another day. */
export function showTimes(form: URLSearchParams, flight: Flight): void {
  const show = (name: TimeName, first: string | null) => {
    const instant = flight[name]
    if (instant === null) return
    const zone = flight[sideOf(name)].timezone
    const [day = '', clock = ''] = localTime(instant, zone).split('T')
    const base = defaultDay(form, name, first)
    if (day !== dayFrom(base, clock, zone, first) || (name === 'arrival' && day !== base)) form.set(`${name}.day`, day)
    form.set(`${name}.clock`, clock)
  }
  for (const [first, second] of timePairs) {
    show(first, null)
    show(second, flight[first])
  }
}

/** Replaces a local time that a clock change skips, and asks the user to confirm. */
function replaceSkippedTime(reading: Reading, name: TimeName, day: string, clock: string, replacement: string): void {
  const [newDay = '', newClock = ''] = replacement.split('T')
  reading.form.set(`${name}.clock`, newClock)
  if (newDay !== day) reading.form.set(`${name}.day`, newDay)
  const { skippedTime, skippedDay } = reading.texts
  addFieldError(reading, name, newDay === day ? skippedTime({ time: clock, replacement: newClock }) : skippedDay)
}

interface TimeSource {
  name: TimeName
  zone: string | undefined
  stored: string | null
  /** The departure or take-off that belongs to an arrival or landing. */
  first: string | null
}

function readTime(reading: Reading, { name, zone, stored, first }: TimeSource): string | null {
  const { form, texts } = reading
  const clock = fieldOf(form, `${name}.clock`).trim()
  const givenDay = fieldOf(form, `${name}.day`).trim()
  const refuse = (message: string) => {
    addFieldError(reading, name, message)
    return null
  }
  if (clock === '') return givenDay === '' ? null : refuse(texts.enterTime)
  const time = parseClock(clock)
  if (time === undefined) return refuse(texts.invalidTime)
  const base = givenDay || defaultDay(form, name, first)
  if (!isCalendarDay(base)) return givenDay === '' ? null : refuse(texts.invalidDate)
  // The missing airport has its own error.
  if (zone === undefined) return null
  const day = givenDay || dayFrom(base, time, zone, first)
  const local = `${day}T${time}`
  // An unchanged time keeps its instant, because an hour may occur twice and the field shows no seconds.
  if (stored !== null && localTime(stored, zone) === local) return stored
  const instant = localInstant(day, time, zone)
  if (instant > LAST_INSTANT) return refuse(texts.tooLate)
  const actual = localTime(isoInstant(instant), zone)
  if (actual !== local) {
    replaceSkippedTime(reading, name, day, time, actual)
    return null
  }
  if (name === 'arrival' && day !== base) form.set('arrival.day', day)
  return isoInstant(instant)
}

/** Local times as instants (contract 13.1), except that a time which does not exist must be confirmed. */
export function readTimes(reading: Reading, zones: Zones, stored: Flight | undefined): Times {
  const times = {} as Times
  const read = (name: TimeName, first: string | null) =>
    readTime(reading, { name, zone: zones[sideOf(name)], stored: stored?.[name] ?? null, first })
  for (const [first, second] of timePairs) {
    times[first] = read(first, null)
    times[second] = read(second, times[first])
  }
  return times
}

/** The default duration in seconds. */
function calculatedDuration({ departure, arrival }: Flight): number | null {
  if (departure === null || arrival === null) return null
  return Math.floor((Date.parse(arrival) - Date.parse(departure)) / 1000)
}

/** Empty if the duration follows from the times. */
export function shownDuration(flight: Flight): string {
  const { duration } = flight
  if (duration === null || duration === calculatedDuration(flight)) return ''
  return `${Math.floor(duration / 3600)}:${String(Math.floor(duration / 60) % 60).padStart(2, '0')}`
}

export function readDuration(reading: Reading, stored: Flight | undefined): number | null {
  const text = fieldOf(reading.form, 'duration').trim()
  if (text === '') return null
  if (stored && text === shownDuration(stored)) return stored.duration
  const [, hours, minutes] = /^(\d{1,4}):([0-5]\d)$/.exec(text) ?? []
  if (hours !== undefined) return Number(hours) * 3600 + Number(minutes) * 60
  addFieldError(reading, 'duration', reading.texts.invalidDuration)
  return null
}
