import type { Airport } from '../reference/contract.ts'
import type { CompletedFlight } from './rows.ts'

type Precision = CompletedFlight['precision']

interface Days {
  firstDate: string
  lastDate: string
  /** How much of the days is known. */
  firstPrecision: Precision
  lastPrecision: Precision
}

/** What completed flights tell of a country. */
export interface CountryVisits extends Days {
  code: string
  airports: number
  flights: number
}

/** Counts up a log that comes in slices. */
export function countryVisits(airportOf: (id: number) => Airport | undefined) {
  const visits = new Map<string, Days & { airports: Set<number>; flights: number }>()

  function add(slice: readonly CompletedFlight[]): void {
    for (const { date, precision, fromId, toId } of slice) {
      const day = { firstDate: date, lastDate: date, firstPrecision: precision, lastPrecision: precision }
      const ends = new Map([fromId, toId].map((id) => [id, airportOf(id)!.country]))
      for (const country of new Set(ends.values())) {
        const known = visits.get(country) ?? { airports: new Set(), flights: 0, ...day }
        for (const [id, of] of ends) if (of === country) known.airports.add(id)
        known.flights++
        if (date < known.firstDate) Object.assign(known, { firstDate: date, firstPrecision: precision })
        if (date > known.lastDate) Object.assign(known, { lastDate: date, lastPrecision: precision })
        visits.set(country, known)
      }
    }
  }

  const result = (): CountryVisits[] =>
    [...visits].map(([code, { airports, ...rest }]) => ({ code, airports: airports.size, ...rest }))

  return { add, result }
}
