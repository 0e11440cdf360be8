import type { Airport } from '../reference/contract.ts'
import type { CompletedFlight } from './rows.ts'

type Precision = CompletedFlight['precision']

const columns = ['date', 'precision', 'fromId', 'toId'] as const

interface Days {
  firstDate: string
  lastDate: string
  firstPrecision: Precision
  lastPrecision: Precision
}

export interface CountryVisits extends Days {
  code: string
  airports: number
  flights: number
}

/** Takes flights oldest first. */
export function countryVisits(airportOf: (id: number) => Airport | undefined) {
  const visits = new Map<string, Days & { airports: Set<number>; flights: number }>()

  function visit(airportId: number, country: string, date: string, precision: Precision): void {
    const known = visits.get(country)
    if (!known) {
      const day = { firstDate: date, lastDate: date, firstPrecision: precision, lastPrecision: precision }
      visits.set(country, { airports: new Set([airportId]), flights: 1, ...day })
      return
    }
    known.airports.add(airportId)
    known.flights++
    if (date > known.lastDate) Object.assign(known, { lastDate: date, lastPrecision: precision })
  }

  function add(slice: readonly CompletedFlight<(typeof columns)[number]>[]): void {
    for (const { date, precision, fromId, toId } of slice) {
      const [from, to] = [airportOf(fromId)!.country, airportOf(toId)!.country]
      visit(fromId, from, date, precision)
      if (to === from) visits.get(to)!.airports.add(toId)
      else visit(toId, to, date, precision)
    }
  }

  const result = (): CountryVisits[] =>
    [...visits].map(([code, { airports, ...rest }]) => ({ code, airports: airports.size, ...rest }))

  return { columns, add, result }
}
