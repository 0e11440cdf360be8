import type { Caller } from '../../../access/caller.ts'
import type { FlightService } from '../../../domain/flights/service.ts'
import type { Airport } from '../../../domain/reference/contract.ts'
import { countryName } from '../../../lib/english.ts'
import { fold, words } from '../../../lib/text.ts'
import { forEachYielding } from '../../../lib/yield.ts'

const MAX_AIRPORTS = 1_000

const nameWords = ({ iata, icao, name, municipality, country }: Airport): string[] =>
  words(fold([iata, icao, name, municipality, countryName(country)].join(' ')))

/** Airports of the caller's own log, most used first. */
export async function ownAirports({ log }: FlightService, caller: Caller): Promise<Airport[]> {
  if (!caller.permissions.has('flight.read.own')) return []
  const uses = new Map<number, { airport: Airport; count: number }>()
  const use = (airport: Airport, count: number) => {
    const known = uses.get(airport.id)
    if (known) known.count += count
    else uses.set(airport.id, { airport, count })
  }
  await forEachYielding(await log.routes(caller.userId), ({ from, to, count }) => {
    use(from, count)
    use(to, count)
  })
  const ordered = [...uses.values()].sort((left, right) => right.count - left.count)
  return ordered.slice(0, MAX_AIRPORTS).map(({ airport }) => airport)
}

/** Whether every word of a text begins a word of the airport's codes, names or places. */
export function beginsWords(airport: Airport, text: string): boolean {
  const [asked, known] = [words(fold(text)), nameWords(airport)]
  return asked.length > 0 && asked.every((word) => known.some((each) => each.startsWith(word)))
}
