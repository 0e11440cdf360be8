import type { Db } from '../../db/open.ts'
import { foldCase, isWithinLength } from '../../lib/text.ts'
import { codeStore } from './code-store.ts'
import { MAX_NAME_LENGTH } from './contract.ts'
import {
  airlinePlaces,
  carriersSoldUnder,
  formerAirportCodes,
  iataAircraftCodes,
  movedAirports,
  type SoldUnder,
} from './shipped.ts'

export type CodeKind = 'icao' | 'iata' | 'name'

const isTooLong = (text: string) => !isWithinLength(text, MAX_NAME_LENGTH)

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}

/** Finds rows by the codes and names in files and in the legacy API, ignoring case. */
export function codeLookup(db: Db) {
  const { airports, airlines, types, names, same } = codeStore(db)
  const formerCodes = once(formerAirportCodes)
  const places = once(airlinePlaces)
  const iataTypes = once(iataAircraftCodes)
  const moves = once(movedAirports)
  const soldUnder = once(carriersSoldUnder)

  /**
   * All airlines with a code, the most likely one first: in the order of the shipped data, then rows that have left it,
   * then custom rows.
   */
  function airlinesWith(value: string, by: 'icao' | 'iata'): number[] {
    if (isTooLong(value)) return []
    const upper = value.toUpperCase().replace(/\*$/, '')
    const found = airlines[by].all({ code: upper, starred: `${upper}*` })
    if (found.length < 2) return found.map(({ id }) => id)
    const place = ({ sourceId }: { sourceId: string | null }) =>
      sourceId === null ? Number.MAX_SAFE_INTEGER : (places().get(sourceId) ?? Number.MAX_SAFE_INTEGER - 1)
    return found.toSorted((a, b) => place(a) - place(b) || a.id - b.id).map(({ id }) => id)
  }

  /** Falls back to former codes. */
  function airport(value: string, by: 'icao' | 'iata' | 'code' = 'code'): number | undefined {
    if (isTooLong(value)) return undefined
    const upper = value.toUpperCase()
    const holding = airports[by].get({ code: upper })
    if (holding !== undefined) return holding
    const today = formerCodes().get(upper)
    return today === undefined ? undefined : airports.icao.get({ code: today })
  }

  return {
    airport,
    /** The airport with a code on a day, for routes that have moved to a new airport. */
    airportOn(icao: string, date: string): number | undefined {
      const move = moves().get(icao)
      return airport(move && date >= move.since ? move.to : icao)
    },
    airlinesWith,
    /** Airlines that operate flights sold under this IATA code: `flying` operate this number, `others` may. */
    airlinesSoldUnder(iata: string, number: number): { flying: number[]; others: number[] } {
      const carriers = soldUnder().get(iata) ?? []
      const idsOf = (list: readonly SoldUnder[]) =>
        list.flatMap(({ airline }) => airlinesWith(airline, 'icao').slice(0, 1))
      return {
        flying: idsOf(carriers.filter(({ numbers: [first, last] = [1, 0] }) => first <= number && number <= last)),
        others: idsOf(carriers.filter(({ numbers }) => numbers === undefined)),
      }
    },
    airline(value: string, by: CodeKind): number | undefined {
      if (by !== 'name') return airlinesWith(value, by)[0]
      return isTooLong(value) ? undefined : names.airline.get({ name: foldCase(value) })
    },
    aircraft(value: string, by: CodeKind): number | undefined {
      if (isTooLong(value)) return undefined
      if (by === 'name') return names.aircraft.get({ name: foldCase(value) })
      const upper = value.toUpperCase()
      return types.get({ code: by === 'icao' ? upper : (iataTypes().get(upper) ?? '') })
    },
    /** By name and ICAO code, which may be null: several rows may share a code. */
    same: (kind: 'airline' | 'aircraft', value: string, icao: string | null) =>
      isTooLong(value) ? undefined : same[kind].get({ name: foldCase(value), code: icao }),
  }
}
