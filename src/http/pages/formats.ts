import { LRUCache } from 'lru-cache'
import type { Flight } from '../../domain/flights/contract.ts'
import type { Preferences } from '../../domain/preferences/contract.ts'
import { isoInstant, localTime } from '../../lib/dates.ts'
import { formatNumber, pluralize } from '../../lib/english.ts'
import { distanceMeters } from '../../lib/geo.ts'

export type Formats = ReturnType<typeof pageFormats>
type Precision = 'day' | 'month' | 'year'

/** Whoever reads miles reads feet. */
const HEIGHTS_IN = { km: 'm', mi: 'ft', nm: 'ft' } as const
const KM_IN = { km: 1, mi: 1.609344, nm: 1.852 } as const
export const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

// A figure and its unit stay on one line.
const NO_BREAK = '\u00a0'

interface Habits {
  twelve: boolean
  monthFirst: boolean
}

function localeOf(tag: string): Intl.Locale {
  try {
    return new Intl.Locale(tag)
  } catch {
    // Intl says "not a language" only by throwing.
    return new Intl.Locale('en-GB')
  }
}

function habitsIn(locale: Intl.Locale): Habits {
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
  return { twelve: hour12 === true, monthFirst: locale.region === 'US' }
}

// Asking the runtime takes longer than most of a page.
const habits = new LRUCache<string, Habits>({ max: 128, memoMethod: (tag) => habitsIn(localeOf(tag)) })

/** By the first language of the browser, as far as this runtime knows it: it decides where a preference is `auto`. */
function habitsOf(acceptLanguage = ''): Habits {
  const [first = ''] = acceptLanguage.split(/[,;]/, 1)
  return habits.memo(first.trim().slice(0, 35))
}

function wordedDay(year: string, month: string, day: string, precision: Precision, monthFirst: boolean): string {
  const name = MONTHS[Number(month) - 1]!
  if (precision === 'month') return `${name} ${year}`
  return monthFirst ? `${name} ${Number(day)}, ${year}` : `${Number(day)} ${name} ${year}`
}

/** How one person reads days, times and distances (contract 4.14). */
export function pageFormats(preferences: Preferences, acceptLanguage?: string) {
  const { dateFormat, timeFormat, distanceUnit, flightTimeDisplay, weekStartsOn } = preferences
  const { monthFirst, ...language } = habitsOf(acceptLanguage)
  const twelve = timeFormat === '12h' || (timeFormat === 'auto' && language.twelve)

  function day(date: string, precision: Precision = 'day'): string {
    const [year, month, dayOfMonth] = date.split('-') as [string, string, string]
    if (precision === 'year') return year
    const parts = { day: [year, month, dayOfMonth], month: [year, month] }[precision]
    if (dateFormat === 'iso') return parts.join('-')
    if (dateFormat === 'us') return [...parts.slice(1), year].join('/')
    if (dateFormat === 'eu') return parts.toReversed().join('.')
    return wordedDay(year, month, dayOfMonth, precision, monthFirst)
  }

  /** Other units are converted from whole kilometres, which is how sums are stored. */
  const distance = (km: number): string =>
    `${formatNumber(Math.round(Math.round(km) / KM_IN[distanceUnit]))}${NO_BREAK}${distanceUnit}`

  function clock(local: string): string {
    const [hour = 0, minute = '00'] = [Number(local.slice(11, 13)), local.slice(14, 16)]
    if (!twelve) return local.slice(11, 16)
    return `${hour % 12 || 12}:${minute}${NO_BREAK}${hour < 12 ? 'am' : 'pm'}`
  }

  return {
    day,
    clock,
    twelve,
    /** Everything is written alike where this is equal. */
    style: [dateFormat, distanceUnit, flightTimeDisplay, twelve, monthFirst].join(' '),
    /** Times of a flight: at the airport, in UTC, or in the browser's zone, which only a script can tell. */
    shownIn: flightTimeDisplay,
    /** The wall clock of an instant, and the calendar day it falls on there. */
    time(instant: string, zone: string): { day: string; text: string } {
      const local = localTime(instant, flightTimeDisplay === 'airport' ? zone : 'UTC')
      return { day: local.slice(0, 10), text: clock(local) }
    },
    moment: (instant: string) => `${day(instant.slice(0, 10))}, ${clock(isoInstant(Date.parse(instant)))} UTC`,
    count: formatNumber,
    distance,
    /** From its airports: the distance in a record is rounded already, and would be rounded twice. */
    distanceOf: ({ from, to, distanceKm }: Pick<Flight, 'from' | 'to' | 'distanceKm'>): string | undefined =>
      distanceKm === null ? undefined : distance(distanceMeters(from, to) / 1000),
    heightUnit: HEIGHTS_IN[distanceUnit],
    weekStartsOnSunday: weekStartsOn === 'sun',
    /** Of all flights together: nothing means that no times are known, for no flight takes none. */
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
