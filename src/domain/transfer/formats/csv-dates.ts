import { dayAfter, isCalendarDay } from '../../../lib/dates.ts'
import { fold } from '../../../lib/text.ts'
import { english } from '../../../messages/english.ts'
import type { DateFormat } from './csv-fields.ts'
import { type DatePrecision, type Moment, noteProblem, shown } from './row.ts'
import { exactMoment } from './values.ts'

const formNames: Record<DateFormat, string> = { iso: 'YYYY-MM-DD', dmy: 'DD/MM/YYYY', mdy: 'MM/DD/YYYY' }

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/
const COMPACT = /^(\d{4})(\d\d)(\d\d)$/
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)$/
const DAY_MONTH_YEAR = /^(\d{1,2})(?:\.|st|nd|rd|th)?[ -/]*(\p{L}+)[ ./,-]*(\d{4}|\d\d)$/u
const MONTH_DAY_YEAR = /^(\p{L}+)[ .-]*(\d{1,2})(?:st|nd|rd|th)?[ ,.-]+(\d{4}|\d\d)$/u

/** No date, time or both is longer. */
const MAX_LENGTH = 60
const FIRST_YEAR_OF_1900S = 70

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt']
const MONTHS = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2024, month, 1)))
const letters = (text: string) => fold(text).replace(/[^a-z]/g, '')

let monthNames: ReadonlyMap<string, number> | undefined

/** The number of a month, by its name or abbreviation in one of the languages. */
function monthOf(name: string): number | undefined {
  monthNames ??= new Map(
    LANGUAGES.flatMap((language) =>
      (['long', 'short'] as const).flatMap((month) => {
        const { format } = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' })
        return MONTHS.map((date, index) => [letters(format(date)), index + 1] as const)
      }),
    ).concat([
      ['sept', 9],
      ['mrz', 3],
    ]),
  )
  return monthNames.get(letters(name))
}

const isoDay = (year: string, month: number | string, day: string): string => {
  const century = year.length === 4 ? '' : Number(year) < FIRST_YEAR_OF_1900S ? '20' : '19'
  return `${century}${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** Two numbers and a year: the day and the month depend on the format. */
interface YearLast {
  first: string
  second: string
  year: string
}

function yearLast(text: string): YearLast | undefined {
  const [, first, , second, year] = YEAR_LAST.exec(text) ?? []
  return first && second && year ? { first, second, year } : undefined
}

const dayBy = ({ first, second, year }: YearLast, format: DateFormat): string =>
  format === 'mdy' ? isoDay(year, first, second) : isoDay(year, second, first)

/** As YYYY-MM-DD, which may not exist; undefined if the text has another form. A year at the end needs a format. */
function readDay(text: string, format: DateFormat): string | undefined {
  const [, year, , month, day] = YEAR_FIRST.exec(text) ?? []
  if (year) return isoDay(year, month!, day!)
  const compact = COMPACT.exec(text)
  if (compact) return isoDay(compact[1]!, compact[2]!, compact[3]!)
  const numeric = yearLast(text)
  if (numeric) return format === 'iso' ? undefined : dayBy(numeric, format)
  const words = text.replace(/ de /gi, ' ')
  const dayFirst = DAY_MONTH_YEAR.exec(words)
  const monthFirst = dayFirst ? null : MONTH_DAY_YEAR.exec(words)
  const named = dayFirst ? monthOf(dayFirst[2]!) : monthFirst ? monthOf(monthFirst[1]!) : undefined
  if (named === undefined) return undefined
  return dayFirst ? isoDay(dayFirst[3]!, named, dayFirst[1]!) : isoDay(monthFirst![3]!, named, monthFirst![2]!)
}

interface Clock {
  /** HH:MM:SS */
  time: string
  /** Days after the departure: `06:10 +1`. */
  daysLater: number | undefined
}

const CLOCK = /^(\d{1,2})[:.h](\d\d)(?:[:.](\d\d)(?:\.\d{1,9})?)?$/i
const DIGITS = /^(\d{1,2})(\d\d)$/
const HOUR = /^(\d{1,2})$/
const DAYS_LATER = / ?\(?([+-][0-2])\)?$/

/** For a cell beside the date of arrival. */
export const withoutDaysLater = (text: string): string => text.trim().replace(DAYS_LATER, '')

const AM_PM = / ?([ap])\.?m\.?$/i

function readClock(text: string): Clock | undefined {
  const later = DAYS_LATER.exec(text)
  const withoutDays = later ? text.slice(0, later.index) : text
  const period = AM_PM.exec(withoutDays)?.[1]?.toLowerCase()
  const plain = period ? withoutDays.replace(AM_PM, '') : withoutDays
  const match = CLOCK.exec(plain) ?? DIGITS.exec(plain) ?? (period ? HOUR.exec(plain) : null)
  if (!match) return undefined
  const [, hours = '', minute = '00', second = '00'] = match
  const hour = period ? (Number(hours) % 12) + (period === 'p' ? 12 : 0) : Number(hours)
  const isValid = period ? Number(hours) >= 1 && Number(hours) <= 12 : hour <= 23
  if (!isValid || Number(minute) > 59 || Number(second) > 59) return undefined
  const time = `${String(hour).padStart(2, '0')}:${minute}:${second}`
  return { time, daysLater: later ? Number(later[1]) : undefined }
}

/** Every way to divide a text into a date and a time. */
function* divisions(text: string): Generator<[day: string, clock: string]> {
  for (const { index, 0: separator } of text.matchAll(/, ?| |T/g)) {
    yield [text.slice(0, index), text.slice(index + separator.length)]
  }
}

const plain = (text: string) => (text.length > MAX_LENGTH ? '' : text.replace(/\s+/g, ' ').trim())

const readable = (text: string, format: DateFormat) => readDay(text, format) !== undefined

/** The date of a cell, without the time that may follow it. */
function datePart(text: string, format: DateFormat): string {
  if (readable(text, format)) return text
  const [day] = divisions(text).find(([day, clock]) => readable(day, format) && isTime(clock)) ?? []
  return day ?? text
}

const isTime = (text: string) => readClock(text.replace(/ ?(?:Z|[+-]\d\d(?::?\d\d)?)$/, '')) !== undefined

function existing(text: string, day: string | undefined, format: DateFormat): string | null {
  if (day === undefined) return noteProblem(english.import.dateForm({ value: shown(text), form: formNames[format] }))
  return isCalendarDay(day) ? day : noteProblem(english.import.noSuchDay({ value: shown(text) }))
}

/** A date; a time after it is ignored. */
export function dayOfCell(text: string, format: DateFormat): string | null {
  return existing(text, readDay(datePart(plain(text), format), format), format)
}

/** A date, a month or a year. */
export function dateOfCell(text: string, format: DateFormat): { date: string | null; datePrecision: DatePrecision } {
  if (text === '') return { date: noteProblem(english.import.noDate), datePrecision: 'day' }
  const [, year, month] = /^(\d{4})(?:[-/.](\d\d?))?$/.exec(text) ?? []
  if (!year) return { date: dayOfCell(text, format), datePrecision: 'day' }
  const date = existing(text, isoDay(year, month ?? '1', '1'), format)
  return { date, datePrecision: month ? 'month' : 'year' }
}

export interface TimeOfCell {
  moment: Moment | null
  /** The day of the cell, or of the flight. */
  day: string | null
  /** Whether the cell has the day. */
  isExact: boolean
}

const WITH_OFFSET = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*?) ?(?:Z|([+-]\d\d)(?::?(\d\d))?)$/

/** A local time with or without a date, or an instant. A time without a day is useless. */
export function timeOfCell(cell: string, at: 'from' | 'to', day: string | null, format: DateFormat): TimeOfCell {
  const text = plain(cell)
  if (cell === '') return { moment: null, day, isExact: false }
  const [, dateTime, hours, minutes = '00'] = WITH_OFFSET.exec(text) ?? []
  if (dateTime !== undefined) {
    return { moment: exactMoment(dateTime + (hours ? `${hours}:${minutes}` : 'Z')), day, isExact: true }
  }
  const clock = readClock(text)
  if (clock) return localTimeOf(clock, at, day)
  const [written, time] = divisions(text).find(([left, right]) => readable(left, format) && readClock(right)) ?? []
  if (written === undefined || time === undefined) {
    noteProblem(english.import.timeForm({ value: shown(cell), form: 'HH:MM' }))
    return { moment: null, day, isExact: false }
  }
  const own = existing(written, readDay(written, format), format)
  return { ...localTimeOf(readClock(time)!, at, own), isExact: true }
}

function localTimeOf({ time, daysLater }: Clock, at: 'from' | 'to', day: string | null): TimeOfCell {
  const on = day === null || daysLater === undefined ? day : dayAfter(day, daysLater)
  return { moment: on === null ? null : { local: `${on}T${time}`, at }, day: on, isExact: daysLater !== undefined }
}

/** Which format the dates of a file have; undefined if they allow both readings, or neither. */
export function dateFormatDetector() {
  const seen = { dmy: 0, mdy: 0, both: 0, same: 0 }
  return {
    add(cell: string): void {
      const text = plain(cell)
      const numeric = yearLast(text) ?? yearLast(divisions(text).next().value?.[0] ?? '')
      if (!numeric) return
      const [dmy, mdy] = [dayBy(numeric, 'dmy'), dayBy(numeric, 'mdy')]
      const [isDmy, isMdy] = [isCalendarDay(dmy), isCalendarDay(mdy)]
      if (isDmy && isMdy) seen[dmy === mdy ? 'same' : 'both']++
      else if (isDmy) seen.dmy++
      else if (isMdy) seen.mdy++
    },
    format(): DateFormat | undefined {
      const { dmy, mdy, both, same } = seen
      if (dmy > 0 && mdy > 0) return undefined
      if (dmy > 0) return 'dmy'
      if (mdy > 0) return 'mdy'
      if (both > 0) return undefined
      return same > 0 ? 'dmy' : 'iso'
    },
  }
}
