import type { Db } from '../../db/open.ts'
import { caseless, fits } from '../../lib/text.ts'
import { LONGEST_NAME } from './contract.ts'
import { iataAircraftCodes } from './shipped.ts'

export type CodeKind = 'icao' | 'iata' | 'name'

/** Open before closed, shipped before custom, larger before smaller, then the oldest row (contract 4.9). */
const BEST_AIRPORT = `order by type = 'closed', source_id is null, case type
  when 'large_airport' then 0 when 'medium_airport' then 1 when 'small_airport' then 2 when 'seaplane_base' then 3
  when 'balloonport' then 4 when 'heliport' then 5 else 6 end, id limit 1`
const BEST_ROW = 'order by source_id is null, id limit 1'

/** Longer than any code or name in the tables, and not looked at any closer. */
const isTooLong = (text: string) => !fits(text, LONGEST_NAME)

/** Finds rows by the codes and names that files and the legacy API use; case never matters. */
export function codeLookup(db: Db) {
  const one = (sql: string) => {
    const statement = db.$client.prepare(sql).pluck()
    return (...values: (string | null)[]) => statement.get(...values) as number | undefined
  }
  const airportByIcao = one(`select id from airports where icao = ? ${BEST_AIRPORT}`)
  const airportByIata = one(`select id from airports where iata = ? ${BEST_AIRPORT}`)
  const airlineByIcao = one(`select id from airlines where icao = ? ${BEST_ROW}`)
  // A star behind a stored code marks one that several carriers share; it is ignored.
  const airlineByIata = one(`select id from airlines where iata in (?, ?) ${BEST_ROW}`)
  const airlineByName = one(`select id from airlines where name_key = ? ${BEST_ROW}`)
  const aircraftByIcao = one(`select id from aircraft where icao = ? ${BEST_ROW}`)
  const aircraftByName = one(`select id from aircraft where name_key = ? ${BEST_ROW}`)
  const same = {
    airline: one('select id from airlines where name_key = ? and icao is ?'),
    aircraft: one('select id from aircraft where name_key = ? and icao is ?'),
  }
  let iataTypes: Map<string, string> | undefined

  function aircraftByIata(code: string): number | undefined {
    iataTypes ??= iataAircraftCodes()
    const icao = iataTypes.get(code)
    return icao === undefined ? undefined : aircraftByIcao(icao)
  }

  return {
    airport(code: string, by: 'icao' | 'iata' | 'code' = 'code'): number | undefined {
      if (isTooLong(code)) return undefined
      const upper = code.toUpperCase()
      if (by === 'iata') return airportByIata(upper)
      return airportByIcao(upper) ?? (by === 'code' ? airportByIata(upper) : undefined)
    },
    airline(value: string, by: CodeKind): number | undefined {
      if (isTooLong(value)) return undefined
      if (by === 'name') return airlineByName(caseless(value))
      const code = value.toUpperCase().replace(/\*$/, '')
      return by === 'icao' ? airlineByIcao(code) : airlineByIata(code, `${code}*`)
    },
    aircraft(value: string, by: CodeKind): number | undefined {
      if (isTooLong(value)) return undefined
      if (by === 'name') return aircraftByName(caseless(value))
      return (by === 'icao' ? aircraftByIcao : aircraftByIata)(value.toUpperCase())
    },
    /** The one row with this name and this ICAO code, or without one: codes alone are shared by several. */
    same: (kind: 'airline' | 'aircraft', name: string, icao: string | null) =>
      isTooLong(name) ? undefined : same[kind](caseless(name), icao),
  }
}
