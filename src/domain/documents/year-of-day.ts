import { dayAfter, dayOf, daysBetween, isCalendarDay } from '../../lib/dates.ts'

/** A pass can be read before its flight. */
const MAX_DAYS_AHEAD = 14
/** Two leap years end with the same digit at most twenty years apart; years with an odd digit never have day 366. */
const MAX_YEARS_BACK = 20
/** A difference of day numbers above half a year is a change of the year. */
const HALF_YEAR = 183

const yearOf = (day: string) => Number(day.slice(0, 4))
const numberOf = (day: string) => daysBetween(`${day.slice(0, 4)}-01-01`, day)! + 1

/** The day with a number from 1 to 366; undefined if the year does not have it. */
function dayOfYear(year: number, number: number): string | undefined {
  const first = `${String(year).padStart(4, '0')}-01-01`
  if (number < 1 || number > 366 || !isCalendarDay(first) || year > 9998) return undefined
  const day = dayAfter(first, number - 1)
  return yearOf(day) === year ? day : undefined
}

function latestDay(number: number, reference: string, hasDigit: (year: number) => boolean): string | undefined {
  const last = dayOf(Math.min(Date.parse(reference) + MAX_DAYS_AHEAD * 86_400_000, Date.parse('9998-12-31')))
  const years = Array.from({ length: MAX_YEARS_BACK + 1 }, (_, index) => yearOf(last) - index)
  return years
    .filter(hasDigit)
    .map((year) => dayOfYear(year, number))
    .find((day) => day !== undefined && day <= last)
}

/** The day of issue from the last digit of its year (contract 17.5). */
export const issueDay = (digit: number, number: number, reference: string): string | undefined =>
  latestDay(number, reference, (year) => year % 10 === digit)

/** In the latest year in which the day is at most 14 days after the reference (contract 17.5). */
export const dayNear = (number: number, reference: string): string | undefined =>
  latestDay(number, reference, () => true)

/** The first such day on or after the day of issue; undefined if that year does not have it. */
export const dayFrom = (number: number, issue: string): string | undefined =>
  dayOfYear(number >= numberOf(issue) ? yearOf(issue) : yearOf(issue) + 1, number)

/** The day of a later leg, in the year that is nearest to the leg before. */
export function dayAfterLeg(number: number, before: string): string | undefined {
  const difference = number - numberOf(before)
  const years = difference > HALF_YEAR ? -1 : difference < -HALF_YEAR ? 1 : 0
  return dayOfYear(yearOf(before) + years, number)
}
