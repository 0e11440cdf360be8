import type { Db } from '../../db/open.ts'
import { fold, words } from '../../lib/text.ts'
import type { Aircraft, Airline, Airport } from '../reference/contract.ts'
import type { FlightFilter } from './filter-contract.ts'

/** The part of the flight filter that SQL cannot say: countries and words, by records that are in memory anyway. */

export type WordRow = [
  id: number,
  fromId: number,
  toId: number,
  airlineId: number | null,
  aircraftId: number | null,
  flightNumber: string | null,
  aircraftReg: string | null,
  note: string | null,
]

interface Records {
  airport: (id: number) => Airport | undefined
  airline: (id: number) => Airline | undefined
  aircraft: (id: number) => Aircraft | undefined
}

type Texts = readonly (string | null | undefined)[]

/** For each wanted word, whether one of the texts has a word that begins with it. */
type Begun = readonly boolean[]

/** A flight number and a registration are also words without their hyphens and spaces. */
const joined = (code: string | null) => code?.replace(/[ -]/g, '')

function remembering<Key>(make: (key: Key) => Begun) {
  const known = new Map<Key, Begun>()
  return (key: Key): Begun => {
    const found = known.get(key) ?? make(key)
    known.set(key, found)
    return found
  }
}

export function wordFilter(db: Db, records: Records) {
  const flights = db.$client
    .prepare(
      // In the order of the list that is given: it is that of the page.
      `select f.id, f.from_id, f.to_id, f.airline_id, f.aircraft_id, f.flight_number, f.aircraft_reg, f.note
       from json_each(?) wanted cross join flights f on f.id = wanted.value order by wanted.key`,
    )
    .raw()
  const people = db.$client
    .prepare(
      `select p.flight_id, coalesce(u.display_name, p.guest_name)
       from passengers p left join users u on u.id = p.user_id where p.flight_id in (select value from json_each(?))`,
    )
    .raw()

  /** Judges flights by id for one filter; undefined where nothing is to be judged. What it learns it keeps for that filter. */
  return function judge({ country, text }: FlightFilter): ((ids: readonly number[]) => number[]) | undefined {
    if (!country && !text) return undefined
    const countries = country && new Set(country)
    const wanted = text ?? []

    const begun = (texts: Texts): Begun => {
      const all = texts.flatMap((each) => (each ? words(fold(each)) : []))
      return wanted.map((word) => all.some((each) => each.startsWith(word)))
    }
    const ofAirport = remembering((id: number) => {
      const { iata, icao, name, municipality } = records.airport(id)!
      return begun([iata, icao, name, municipality])
    })
    const ofAirline = remembering((id: number) => {
      const { name, iata, icao } = records.airline(id)!
      return begun([name, iata, icao])
    })
    const ofAircraft = remembering((id: number) => {
      const { name, icao } = records.aircraft(id)!
      return begun([name, icao])
    })
    const ofName = remembering((name: string) => begun([name]))

    function hasWords(row: WordRow, names: readonly string[]): boolean {
      const [, fromId, toId, airlineId, aircraftId, number, registration, note] = row
      const known = [
        ofAirport(fromId),
        ofAirport(toId),
        ...(airlineId === null ? [] : [ofAirline(airlineId)]),
        ...(aircraftId === null ? [] : [ofAircraft(aircraftId)]),
        ...names.map(ofName),
      ]
      const missing = wanted.filter((_, index) => !known.some((each) => each[index]))
      if (missing.length === 0) return true
      const own = [number, joined(number), registration, joined(registration), note].flatMap((each) =>
        each ? words(fold(each)) : [],
      )
      return missing.every((word) => own.some((each) => each.startsWith(word)))
    }

    const inCountry = (id: number) => countries === undefined || countries.has(records.airport(id)!.country)

    return (ids) => {
      const list = JSON.stringify(ids)
      const names = new Map<number, string[]>()
      if (wanted.length > 0) {
        for (const [flightId, name] of people.all(list) as [number, string][]) {
          const known = names.get(flightId)
          if (known) known.push(name)
          else names.set(flightId, [name])
        }
      }
      return (flights.all(list) as WordRow[])
        .filter((row) => inCountry(row[1]) || inCountry(row[2]))
        .filter((row) => wanted.length === 0 || hasWords(row, names.get(row[0]) ?? []))
        .map(([id]) => id)
    }
  }
}
