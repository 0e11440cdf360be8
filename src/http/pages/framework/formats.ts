import type { FastifyRequest } from 'fastify'
import type { Flight } from '../../../domain/flights/contract.ts'
import type { Preferences } from '../../../domain/preferences/contract.ts'
import { isoInstant, localTime } from '../../../lib/dates.ts'
import { distanceMeters } from '../../../lib/geo.ts'
import type { Language } from '../../../lib/languages.ts'
import { type Localization, localizationOf } from './localization.ts'

export type Formats = ReturnType<typeof pageFormats>
type Precision = 'day' | 'month' | 'year'

const ALTITUDE_UNIT = { km: 'm', mi: 'ft', nm: 'ft' } as const
/** The width of a column in a histogram. */
const DISTANCE_STEP = { km: 500, mi: 250, nm: 250 } as const
const KM_PER_UNIT = { km: 1, mi: 1.609344, nm: 1.852 } as const

function intlOf(language: Language) {
  const numbers = new Intl.NumberFormat(language)
  const months = (month: 'short' | 'long') => {
    const names = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' })
    return Array.from({ length: 12 }, (_, index) => names.format(Date.UTC(2000, index)))
  }
  const years = new Intl.DateTimeFormat(language, { year: 'numeric', timeZone: 'UTC' })
  return {
    number: (value: number) => numbers.format(value),
    year: (year: string) => years.format(Date.parse(year)),
    months: months('short'),
    monthNames: months('long'),
  }
}

/** Created at the first use of a language, since `Intl` objects take memory. */
const known = new Map<Language, ReturnType<typeof intlOf>>()

function knownIntl(language: Language) {
  const intl = known.get(language) ?? intlOf(language)
  known.set(language, intl)
  return intl
}

/** The first language of the browser. */
function browserLocale(acceptLanguage = ''): Intl.Locale {
  const [first = ''] = acceptLanguage.split(/[,;]/, 1)
  try {
    return new Intl.Locale(first.trim().slice(0, 35))
  } catch {
    return new Intl.Locale('en-GB')
  }
}

/** Decides where a preference is `auto`. A language that the user has chosen comes before other languages of the browser. */
function localeOf(request: FastifyRequest, language: Language): Intl.Locale {
  const { isChosen } = localizationOf(request)
  const locale = browserLocale(request.headers['accept-language'])
  if (!isChosen || locale.language === language) return locale
  return new Intl.Locale(language === 'en' ? 'en-GB' : language)
}

const hasTwelveHours = (locale: Intl.Locale) =>
  new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 === true

/** Dates, times and distances by the user's preferences (contract 4.14), in the language of the page. */
export function pageFormats(
  preferences: Preferences,
  request: FastifyRequest,
  { language, texts }: Localization = localizationOf(request),
) {
  const { dateFormat, timeFormat, distanceUnit, flightTimeDisplay, weekStartsOn } = preferences
  const t = texts.formats
  const { number, year: namedYear, months, monthNames } = knownIntl(language)
  const locale = localeOf(request, language)
  const twelve = timeFormat === '12h' || (timeFormat === 'auto' && hasTwelveHours(locale))

  function day(date: string, precision: Precision = 'day'): string {
    const [year, month, dayOfMonth] = date.split('-') as [string, string, string]
    if (precision === 'year') return dateFormat === 'auto' ? namedYear(year) : year
    const parts = { day: [year, month, dayOfMonth], month: [year, month] }[precision]
    if (dateFormat === 'iso') return parts.join('-')
    if (dateFormat === 'us') return [...parts.slice(1), year].join('/')
    if (dateFormat === 'eu') return parts.toReversed().join('.')
    const name = months[Number(month) - 1]!
    if (precision === 'month') return t.month({ month: name, year })
    const values = { day: String(Number(dayOfMonth)), month: name, year }
    return language === 'en' && locale.region === 'US' ? t.dateMonthFirst(values) : t.date(values)
  }

  /** Other units are converted from whole kilometres, which is how sums are stored. */
  const distance = (km: number): string =>
    t.distance[distanceUnit]({ distance: Math.round(Math.round(km) / KM_PER_UNIT[distanceUnit]) })

  function clock(local: string): string {
    if (!twelve) return local.slice(11, 16)
    const hour = Number(local.slice(11, 13))
    const time = `${hour % 12 || 12}:${local.slice(14, 16)}`
    return hour < 12 ? t.am({ time }) : t.pm({ time })
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
    moment: (instant: string) =>
      t.moment({ day: day(instant.slice(0, 10)), time: clock(isoInstant(Date.parse(instant))) }),
    count: number,
    /** The short names, January first. */
    months,
    /** In full. */
    monthNames,
    distance,
    /** From the airports: the distance in a record is rounded already. */
    distanceOf: ({ from, to, distanceKm }: Pick<Flight, 'from' | 'to' | 'distanceKm'>): string | undefined =>
      distanceKm === null ? undefined : distance(distanceMeters(from, to) / 1000),
    /** In the preferred unit and in kilometres. */
    distanceStep: { size: DISTANCE_STEP[distanceUnit], km: DISTANCE_STEP[distanceUnit] * KM_PER_UNIT[distanceUnit] },
    heightUnit: ALTITUDE_UNIT[distanceUnit],
    weekStartsOnSunday: weekStartsOn === 'sun',
    /** 0 means that no times are known. */
    total(seconds: number): string {
      return seconds === 0 ? t.notKnown : this.duration(seconds)
    },
    duration(seconds: number): string {
      const minutes = Math.floor(seconds / 60)
      if (minutes < 60) return t.minutes({ minutes })
      return t.hours({ hours: Math.floor(minutes / 60), minutes: String(minutes % 60).padStart(2, '0') })
    },
    /** For headlines: whole hours from ten hours on. */
    roundDuration(seconds: number): string {
      const hours = Math.round(seconds / 3600)
      return hours < 10 ? this.duration(seconds) : t.wholeHours({ hours: number(hours) })
    },
    flights: (count: number) => t.flights({ count }),
  }
}
