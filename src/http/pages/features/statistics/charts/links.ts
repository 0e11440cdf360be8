import type { BreakdownGroup } from '../../../../../domain/stats/contract.ts'
import { addressOf, type PageFilter, queryWith } from '../../../components/filter-bar/filter.ts'

type Changes = Parameters<typeof queryWith>[1]
type Key = BreakdownGroup['key']

const NONE = 'none'
const isUser = (key: Key): key is string => typeof key === 'string' && !key.startsWith('guest:')

/** Of two lists what both have; one that is absent lets everything through. */
const inBoth = (ids: readonly number[], others: readonly number[] | undefined) =>
  others ? ids.filter((id) => others.includes(id)) : [...ids]

/** The address of the log with the flights of one bar alone, under the filter that is active; undefined where no filter can say it. */
export function logLinks(shown: PageFilter, basePath: string, today: string) {
  const { filter, values } = shown
  const at = (changes: Changes) => basePath + addressOf('/', queryWith(shown, changes))
  // Statistics count what was flown, and the log has more than that.
  const flown = (changes: Changes) => at({ completed: 'true', ...changes })

  function period(from: string, to: string): string {
    const first = filter.dateFrom !== undefined && filter.dateFrom > from ? filter.dateFrom : from
    const last = filter.dateTo !== undefined && filter.dateTo < to ? filter.dateTo : to
    const year = first.slice(0, 4)
    const isYear = first === `${year}-01-01` && last === `${year}-12-31`
    const days = isYear
      ? { year, dateFrom: undefined, dateTo: undefined }
      : { year: undefined, dateFrom: first, dateTo: last }
    return last < today ? at(days) : flown(days)
  }

  function month(year: string, number: number): string {
    const name = `${year}-${String(number).padStart(2, '0')}`
    return period(`${name}-01`, `${name}-${new Date(Date.UTC(Number(year), number, 0)).getUTCDate()}`)
  }

  function connection(...ids: number[]): string {
    return flown({ fromId: inBoth(ids, filter.fromId).join(','), toId: inBoth(ids, filter.toId).join(',') })
  }

  /** A list of airports means one or the other: both are said by the two ends. */
  function airport(id: number): string | undefined {
    if (!filter.airportId) return flown({ airportId: String(id) })
    const [chosen, ...more] = filter.airportId
    if (more.length > 0 || chosen === undefined) return undefined
    return chosen === id ? flown({}) : connection(chosen, id)
  }

  function country(code: string): string | undefined {
    return !filter.country || filter.country.join() === code ? flown({ country: code }) : undefined
  }

  /** A list of people means all of them. */
  function companion(key: Key): string | undefined {
    if (!isUser(key)) return undefined
    const known = filter.companion ?? []
    return flown({ companion: [...new Set([...known, key])].join(',') })
  }

  const one = (name: 'airlineId' | 'aircraftId' | 'seat' | 'seatClass' | 'flightReason') => (key: Key) =>
    flown({ [name]: key === null ? NONE : String(key) })

  return {
    year: (year: number) => period(`${String(year).padStart(4, '0')}-01-01`, `${String(year).padStart(4, '0')}-12-31`),
    /** Only of the year that is chosen: no filter knows a month of all years. */
    month: (number: number) => (values.year ? month(values.year, number) : undefined),
    day: (date: string) => period(date, date),
    monthOf: (name: string) => month(name.slice(0, 4), Number(name.slice(5, 7))),
    airport,
    connection,
    country,
    companion,
    airline: one('airlineId'),
    aircraft: one('aircraftId'),
    seat: one('seat'),
    seatClass: one('seatClass'),
    flightReason: one('flightReason'),
    registration: (key: Key) => (key === null ? undefined : flown({ aircraftReg: String(key) })),
  }
}

export type LogLinks = ReturnType<typeof logLinks>
