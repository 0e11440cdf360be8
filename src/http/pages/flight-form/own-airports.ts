import type { Caller } from '../../../access/caller.ts'
import type { FlightService } from '../../../domain/flights/service.ts'
import type { Airport } from '../../../domain/reference/contract.ts'
import { countryName } from '../../../lib/english.ts'
import { fold, words } from '../../../lib/text.ts'

/** Records are kept in memory as long as they are in use, and their words with them. */
const wordsOf = new WeakMap<Airport, string[]>()

function nameWords(airport: Airport): string[] {
  let found = wordsOf.get(airport)
  if (found === undefined) {
    const { iata, icao, name, municipality, country } = airport
    found = words(fold([iata, icao, name, municipality, countryName(country)].join(' ')))
    wordsOf.set(airport, found)
  }
  return found
}

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
  const asked = words(fold(text))
  return asked.length > 0 && asked.every((word) => nameWords(airport).some((each) => each.startsWith(word)))
}
