import type { Flight } from '../../../domain/flights/contract.ts'
import type { Preferences } from '../../../domain/preferences/contract.ts'
import { isoInstant, localTime } from '../../../lib/dates.ts'
import { formatNumber, pluralize } from '../../../lib/english.ts'
import { distanceMeters } from '../../../lib/geo.ts'

export type Formats = ReturnType<typeof pageFormats>
type Precision = 'day' | 'month' | 'year'

const ALTITUDE_UNIT = { km: 'm', mi: 'ft', nm: 'ft' } as const
const KM_PER_UNIT = { km: 1, mi: 1.609344, nm: 1.852 } as const
export const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

const NO_BREAK = '\u00a0'

/** The first language of the browser decides where a preference is `auto`. */
function localeOf(acceptLanguage = ''): Intl.Locale {
  const [first = ''] = acceptLanguage.split(/[,;]/, 1)
  try {
    return new Intl.Locale(first.trim().slice(0, 35))
  } catch {
    return new Intl.Locale('en-GB')
  }
}

const hasTwelveHours = (locale: Intl.Locale) =>
  new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 === true

/** Dates, times and distances by the user's preferences (contract 4.14). */
export function pageFormats(preferences: Preferences, acceptLanguage?: string) {
  const { dateFormat, timeFormat, distanceUnit, flightTimeDisplay, weekStartsOn } = preferences
  const locale = localeOf(acceptLanguage)
  const twelve = timeFormat === '12h' || (timeFormat === 'auto' && hasTwelveHours(locale))

  function day(date: string, precision: Precision = 'day'): string {
    const [year, month, dayOfMonth] = date.split('-') as [string, string, string]
    if (precision === 'year') return year
    const parts = { day: [year, month, dayOfMonth], month: [year, month] }[precision]
    if (dateFormat === 'iso') return parts.join('-')
    if (dateFormat === 'us') return [...parts.slice(1), year].join('/')
    if (dateFormat === 'eu') return parts.toReversed().join('.')
    const name = MONTHS[Number(month) - 1]!
    if (precision === 'month') return `${name} ${year}`
    const number = Number(dayOfMonth)
    return locale.region === 'US' ? `${name} ${number}, ${year}` : `${number} ${name} ${year}`
  }

  /** Other units are converted from whole kilometres, which is how sums are stored. */
  const distance = (km: number): string =>
    `${formatNumber(Math.round(Math.round(km) / KM_PER_UNIT[distanceUnit]))}${NO_BREAK}${distanceUnit}`

  function clock(local: string): string {
    if (!twelve) return local.slice(11, 16)
    const hour = Number(local.slice(11, 13))
    return `${hour % 12 || 12}:${local.slice(14, 16)}${NO_BREAK}${hour < 12 ? 'am' : 'pm'}`
  }

  return {
    day,
    clock,
    twelve,
    shownIn: flightTimeDisplay,
    time(instant: string, zone: string): { day: string; text: string } {
      const local = localTime(instant, flightTimeDisplay === 'airport' ? zone : 'UTC')
      return { day: local.slice(0, 10), text: clock(local) }
    },
    moment: (instant: string) => `${day(instant.slice(0, 10))}, ${clock(isoInstant(Date.parse(instant)))} UTC`,
    count: formatNumber,
    distance,
    /** From the airports: the distance in a record is rounded already. */
    distanceOf: ({ from, to, distanceKm }: Pick<Flight, 'from' | 'to' | 'distanceKm'>): string | undefined =>
      distanceKm === null ? undefined : distance(distanceMeters(from, to) / 1000),
    heightUnit: ALTITUDE_UNIT[distanceUnit],
    weekStartsOnSunday: weekStartsOn === 'sun',
    /** 0 means that no times are known. */
    total(seconds: number): string {
      return seconds === 0 ? 'not known' : this.duration(seconds)
    },
    duration(seconds: number): string {
      const minutes = Math.floor(seconds / 60)
      if (minutes < 60) return `${minutes}${NO_BREAK}min`
      const hours = `${formatNumber(Math.floor(minutes / 60))}${NO_BREAK}h`
      return `${hours} ${String(minutes % 60).padStart(2, '0')}${NO_BREAK}min`
    },
    flights: (count: number) => pluralize(count, 'flight'),
  }
}
