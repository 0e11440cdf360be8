import type { BreakdownGroup } from '../../../../../domain/stats/contract.ts'
import { addressOf, type PageFilter, queryWith } from '../../../components/filter-bar/filter.ts'

type Changes = Parameters<typeof queryWith>[1]
type Key = BreakdownGroup['key']

const padYear = (year: number) => String(year).padStart(4, '0')

const allowedIds = (ids: readonly number[], filter: readonly number[] | undefined) =>
  ids.filter((id) => !filter || filter.includes(id)).join(',')

/** Links from a group of flights to the log, on top of the active filter; undefined if no filter matches the group. */
export function logLinks(shown: PageFilter, basePath: string, today: string) {
  const { filter, values } = shown
  const at = (changes: Changes) => basePath + addressOf('/', queryWith(shown, changes))
  // Statistics leave out planned flights, but the log includes them.
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

  const connection = (...ids: number[]): string =>
    flown({ fromId: allowedIds(ids, filter.fromId), toId: allowedIds(ids, filter.toId) })

  /** A list of airports matches any of them, so that two airports need a filter for origin and destination. */
  function airport(id: number): string | undefined {
    if (!filter.airportId) return flown({ airportId: String(id) })
    const [chosen, ...more] = filter.airportId
    if (more.length > 0 || chosen === undefined) return undefined
    return chosen === id ? flown({}) : connection(chosen, id)
  }

  /** A list of companions matches flights with all of them. Guests have no filter. */
  function companion(key: Key): string | undefined {
    if (typeof key !== 'string' || key.startsWith('guest:')) return undefined
    return flown({ companion: [...new Set([...(filter.companion ?? []), key])].join(',') })
  }

  const one = (name: 'airlineId' | 'aircraftId' | 'seat' | 'seatClass' | 'flightReason') => (key: Key) =>
    flown({ [name]: key === null ? 'none' : String(key) })

  return {
    year: (year: number) => period(`${padYear(year)}-01-01`, `${padYear(year)}-12-31`),
    /** Only if the filter has a year: no filter matches a month of all years. */
    month: (number: number) => (values.year ? month(values.year, number) : undefined),
    day: (date: string) => period(date, date),
    monthOf: (name: string) => month(name.slice(0, 4), Number(name.slice(5, 7))),
    airport,
    connection,
    country: (code: string) =>
      !filter.country || filter.country.join() === code ? flown({ country: code }) : undefined,
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
