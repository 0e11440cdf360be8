import { Temporal } from 'temporal-polyfill'

const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00.000Z')
export const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z')
const MINUTE = 60_000

const INSTANT =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d+))?)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/

const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** YYYY-MM-DD, years 0001 to 9999, and a day that exists; counted here, since making a Date takes five times as long. */
export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))]
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

interface LocalTime {
  /** By its own clock, as if that were UTC. */
  local: string
  /** How far that clock is ahead of UTC. */
  aheadMs: number
}

function readInstant(text: string): LocalTime | undefined {
  const match = INSTANT.exec(text)
  if (!match) return undefined
  const [, day = '', hour, minute, second = '00', fraction = '', sign, hours, minutes] = match
  if (!isCalendarDay(day)) return undefined
  const local = `${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * MINUTE
  return { local, aheadMs: sign === '-' ? -offset : offset }
}

function instantOf({ local, aheadMs }: LocalTime): number | undefined {
  const instant = Date.parse(local) - aheadMs
  return instant < FIRST_INSTANT || instant > LAST_INSTANT ? undefined : instant
}

/** Milliseconds of an ISO 8601 date-time with an offset, or undefined when it has another form (contract 1.7). */
export function parseInstant(text: string): number | undefined {
  const read = readInstant(text)
  return read && instantOf(read)
}

/** An instant in the one form in which instants are stored and sent, or undefined when it cannot be read. */
export function normalInstant(text: string): string | undefined {
  const read = readInstant(text)
  // Most are in UTC, and need no calculation.
  if (!read || read.aheadMs === 0) return read?.local
  const instant = instantOf(read)
  return instant === undefined ? undefined : isoInstant(instant)
}

/** The one form in which instants are stored and sent. */
export const isoInstant = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** The day of the calendar in UTC. */
export const dayOf = (milliseconds: number): string => isoInstant(milliseconds).slice(0, 10)

const MOST_ZONES = 1000
const openedZones = new Map<string, string | undefined>()

/**
 * The zone of this name as Temporal opens it and keeps it open for the times that follow, since each takes long to open;
 * undefined where this runtime does not know it. An offset such as +01:00 is none, though Temporal would take it.
 */
function openedZone(name: string): string | undefined {
  if (openedZones.has(name)) return openedZones.get(name)
  let zone: string | undefined
  try {
    zone = /^[A-Za-z]/.test(name) ? new Temporal.ZonedDateTime(0n, name).timeZoneId : undefined
  } catch {
    // Temporal says "unknown zone" only by throwing.
  }
  // The names come from stored rows and from administrators, so the map stays small in practice.
  if (openedZones.size > MOST_ZONES) openedZones.clear()
  openedZones.set(name, zone)
  return zone
}

/** An IANA zone name that this runtime knows. */
export const isZone = (name: string): boolean => openedZone(name) !== undefined

/** Of a stored row, whose zone may have gone from the runtime since. */
const orUtc = (zone: string): string => openedZone(zone) ?? 'UTC'

/**
 * The instant of a local time. A time that the zone skips moves forward by the length of the gap,
 * one that occurs twice is its first occurrence (contract 13.1); Temporal calls this "compatible".
 */
export function localInstant(day: string, clock: string, zone: string): number {
  const local = Temporal.PlainDateTime.from(`${day}T${clock}`)
  return local.toZonedDateTime(orUtc(zone), { disambiguation: 'compatible' }).epochMilliseconds
}

export const DAY_MS = 86_400_000
/** Relative to the day of departure; across the date line it can be the day before. */
const [FIRST_ARRIVAL_DAY, LAST_ARRIVAL_DAY] = [-1, 2]

/** A day of the calendar so many days after another; past the end of the calendar it is no day. */
export const dayAfter = (day: string, days = 1): string => dayOf(Date.parse(day) + days * DAY_MS)

/** How many days of the calendar lie between two days; undefined where one is none. */
export const daysBetween = (first: string, second: string): number | undefined =>
  isCalendarDay(first) && isCalendarDay(second) ? (Date.parse(second) - Date.parse(first)) / DAY_MS : undefined

/**
 * The day of an arrival of which only the clock is known: from the day before the departure to two days after it, the one
 * with the shortest positive duration. Where none is positive it is the last of them.
 */
export function findArrivalDay(departureDay: string, clock: string, zone: string, departure: number) {
  let found = { day: departureDay, instant: Number.NEGATIVE_INFINITY }
  for (let days = FIRST_ARRIVAL_DAY; days <= LAST_ARRIVAL_DAY && found.instant <= departure; days++) {
    const day = dayAfter(departureDay, days)
    if (isCalendarDay(day)) found = { day, instant: localInstant(day, clock, zone) }
  }
  return found
}

/** The wall clock of an instant in a zone, as YYYY-MM-DDTHH:MM. */
export function localTime(instant: string, zone: string): string {
  const milliseconds = Date.parse(instant)
  // Only the offset needs to know the zone; the rest of the way through Temporal takes twice as long.
  const { offsetNanoseconds } = new Temporal.ZonedDateTime(BigInt(milliseconds) * 1_000_000n, orUtc(zone))
  return isoInstant(milliseconds + Math.floor(offsetNanoseconds / 1_000_000)).slice(0, -':00.000Z'.length)
}

/** The last millisecond of the month or year of a day, in a zone. */
export function endOfPeriod(day: string, period: 'month' | 'year', zone: string): number {
  const date = Temporal.PlainDate.from(day)
  const first = period === 'month' ? date.with({ day: 1 }) : date.with({ month: 1, day: 1 })
  const next = first.add(period === 'month' ? { months: 1 } : { years: 1 })
  return next.toZonedDateTime(orUtc(zone)).epochMilliseconds - 1
}
