import type { Airport } from '../reference/contract.ts'
import type { CompletedFlight } from './rows.ts'

/** What completed flights tell of a country. */
export interface CountryVisits {
  code: string
  airports: number
  flights: number
  firstDate: string
  lastDate: string
}

/** Counts up a log that comes in slices. */
export function countryVisits(airportOf: (id: number) => Airport | undefined) {
  const visits = new Map<string, { airports: Set<number>; flights: number; firstDate: string; lastDate: string }>()

  function add(slice: readonly CompletedFlight[]): void {
    for (const { date, fromId, toId } of slice) {
      const ends = new Map([fromId, toId].map((id) => [id, airportOf(id)!.country]))
      for (const country of new Set(ends.values())) {
        const known = visits.get(country) ?? { airports: new Set(), flights: 0, firstDate: date, lastDate: date }
        for (const [id, of] of ends) if (of === country) known.airports.add(id)
        known.flights++
        if (date < known.firstDate) known.firstDate = date
        if (date > known.lastDate) known.lastDate = date
        visits.set(country, known)
      }
    }
  }

  const result = (): CountryVisits[] =>
    [...visits].map(([code, { airports, ...rest }]) => ({ code, airports: airports.size, ...rest }))

  return { add, result }
}
