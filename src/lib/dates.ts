import { Temporal } from 'temporal-polyfill'

const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00.000Z')
export const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z')

const INSTANT =
  /^(\d{4}-\d\d-\d\d)T((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.(\d+))?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** A valid day as YYYY-MM-DD, years 0001 to 9999. */
export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < '0001') return false
  const midnight = Date.parse(text)
  // Date.parse accepts February 30.
  return !Number.isNaN(midnight) && dayOf(midnight) === text
}

/** Milliseconds of an ISO 8601 date-time with an offset (contract 1.7). */
export function parseInstant(text: string): number | undefined {
  const [, day = '', time, second = '00', fraction = '', offset] = INSTANT.exec(text) ?? []
  if (!isCalendarDay(day)) return undefined
  const instant = Date.parse(`${day}T${time}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`)
  return instant < FIRST_INSTANT || instant > LAST_INSTANT ? undefined : instant
}

/** The instant as stored and sent: UTC with milliseconds. */
export function normalizeInstant(text: string): string | undefined {
  const instant = parseInstant(text)
  return instant === undefined ? undefined : isoInstant(instant)
}

export const isoInstant = (milliseconds: number): string => new Date(milliseconds).toISOString()

export const dayOf = (milliseconds: number): string => isoInstant(milliseconds).slice(0, 10)

const zoneCache = new Map<string, string | undefined>()

/** Cached because opening a zone is slow. Offsets such as +01:00 are not zones. */
function resolveZone(name: string): string | undefined {
  if (zoneCache.has(name)) return zoneCache.get(name)
  let zone: string | undefined
  try {
    zone = /^[A-Za-z]/.test(name) ? new Temporal.ZonedDateTime(0n, name).timeZoneId : undefined
  } catch {
    // Unknown zones throw.
  }
  if (zoneCache.size > 1000) zoneCache.clear()
  zoneCache.set(name, zone)
  return zone
}

export const isZone = (name: string): boolean => resolveZone(name) !== undefined

/** The zone of a stored row may be missing from a newer runtime. */
const orUtc = (zone: string): string => resolveZone(zone) ?? 'UTC'

/** Skipped times move forward by the gap; of times that occur twice, the first counts (contract 13.1). */
export function localInstant(day: string, clock: string, zone: string): number {
  const local = Temporal.PlainDateTime.from(`${day}T${clock}`)
  return local.toZonedDateTime(orUtc(zone), { disambiguation: 'compatible' }).epochMilliseconds
}

export const DAY_MS = 86_400_000
/** Relative to the departure day; across the date line, arrival can be the day before. */
const [FIRST_ARRIVAL_DAY, LAST_ARRIVAL_DAY] = [-1, 2]

export const dayAfter = (day: string, days = 1): string => dayOf(Date.parse(day) + days * DAY_MS)

export const daysBetween = (first: string, second: string): number | undefined =>
  isCalendarDay(first) && isCalendarDay(second) ? (Date.parse(second) - Date.parse(first)) / DAY_MS : undefined

/** The day with the shortest positive duration, from the day before departure to two days after it, else the last. */
export function findArrivalDay(departureDay: string, clock: string, zone: string, departure: number) {
  let found = { day: departureDay, instant: Number.NEGATIVE_INFINITY }
  for (let days = FIRST_ARRIVAL_DAY; days <= LAST_ARRIVAL_DAY && found.instant <= departure; days++) {
    const day = dayAfter(departureDay, days)
    if (isCalendarDay(day)) found = { day, instant: localInstant(day, clock, zone) }
  }
  return found
}

/** As YYYY-MM-DDTHH:MM. */
export function localTime(instant: string, zone: string): string {
  const milliseconds = Date.parse(instant)
  // Only the offset needs Temporal, which takes twice as long for the rest.
  const { offsetNanoseconds } = new Temporal.ZonedDateTime(BigInt(milliseconds) * 1_000_000n, orUtc(zone))
  return isoInstant(milliseconds + Math.floor(offsetNanoseconds / 1_000_000)).slice(0, -':00.000Z'.length)
}

export function endOfPeriod(day: string, period: 'month' | 'year', zone: string): number {
  const date = Temporal.PlainDate.from(day)
  const first = period === 'month' ? date.with({ day: 1 }) : date.with({ month: 1, day: 1 })
  const next = first.add(period === 'month' ? { months: 1 } : { years: 1 })
  return next.toZonedDateTime(orUtc(zone)).epochMilliseconds - 1
}
