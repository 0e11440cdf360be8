import type { Caller } from '../../../access/caller.ts'
import type { FlightService } from '../../../domain/flights/service.ts'
import type { Airport } from '../../../domain/reference/contract.ts'
import { countryName } from '../../../lib/english.ts'
import { fold, words } from '../../../lib/text.ts'

const nameWords = ({ iata, icao, name, municipality, country }: Airport): string[] =>
  words(fold([iata, icao, name, municipality, countryName(country)].join(' ')))

/** The airports of the caller's own log, most often used first. */
export function ownAirports({ routes }: FlightService, caller: Caller): Airport[] {
  if (!caller.permissions.has('flight.read.own')) return []
  const uses = new Map<number, { airport: Airport; count: number }>()
  for (const { from, to, count } of routes.of(caller.userId)) {
    for (const airport of [from, to]) {
      const use = uses.get(airport.id) ?? { airport, count: 0 }
      uses.set(airport.id, { airport, count: use.count + count })
    }
  }
  return [...uses.values()].sort((left, right) => right.count - left.count).map(({ airport }) => airport)
}

/** Whether every word of a text begins a word of the airport's codes, names or places. */
export function beginsWords(airport: Airport, text: string): boolean {
  const [asked, known] = [words(fold(text)), nameWords(airport)]
  return asked.length > 0 && asked.every((word) => known.some((each) => each.startsWith(word)))
}
