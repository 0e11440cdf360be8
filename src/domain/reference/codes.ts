import { and, asc, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { named, statements } from '../../db/statements.ts'
import { aircraft, airlines, airports } from '../../db/tables/index.ts'
import { foldCase, isWithinLength } from '../../lib/text.ts'
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
  const { rows, values } = statements(db)
  const code = sql.placeholder('code')
  const name = sql.placeholder('name')
  const shippedFirst = (table: typeof airports | typeof airlines | typeof aircraft) =>
    [asc(isNull(table.sourceId)), asc(table.id)] as const

  // Contract 4.9.
  const size = sql`case ${airports.type} when 'large_airport' then 0 when 'medium_airport' then 1
    when 'small_airport' then 2 when 'seaplane_base' then 3 when 'balloonport' then 4 when 'heliport' then 5 else 6 end`
  const airportBy = (condition: SQL | undefined, ...first: SQL[]) =>
    values(
      db
        .select({ id: airports.id })
        .from(airports)
        .where(condition)
        .orderBy(...first, eq(airports.type, 'closed'), isNull(airports.sourceId), size, airports.id)
        .limit(1),
    )
  const [hasIcao, hasIata] = [eq(airports.icao, code), eq(airports.iata, code)]
  const airportHolding = {
    icao: airportBy(hasIcao),
    iata: airportBy(hasIata),
    code: airportBy(or(hasIcao, hasIata), desc(hasIcao)),
  }

  const carriers = () => db.select(named({ id: airlines.id, sourceId: airlines.sourceId })).from(airlines)
  const holders = {
    icao: rows(carriers().where(eq(airlines.icao, code))),
    // A star marks a shared code and is ignored.
    iata: rows(carriers().where(or(eq(airlines.iata, code), eq(airlines.iata, sql.placeholder('starred'))))),
  }

  const typeByIcao = values(
    db
      .select({ id: aircraft.id })
      .from(aircraft)
      .where(eq(aircraft.icao, code))
      .orderBy(...shippedFirst(aircraft))
      .limit(1),
  )
  const byName = (table: typeof airlines | typeof aircraft) =>
    values(
      db
        .select({ id: table.id })
        .from(table)
        .where(eq(table.nameKey, name))
        .orderBy(...shippedFirst(table))
        .limit(1),
    )
  const names = { airline: byName(airlines), aircraft: byName(aircraft) }
  const sameRow = (table: typeof airlines | typeof aircraft) =>
    values(
      db
        .select({ id: table.id })
        .from(table)
        .where(and(eq(table.nameKey, name), sql`${table.icao} is ${code}`)),
    )
  const same = { airline: sameRow(airlines), aircraft: sameRow(aircraft) }
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
    const found = holders[by].all({ code: upper, starred: `${upper}*` })
    if (found.length < 2) return found.map(({ id }) => id)
    const place = ({ sourceId }: { sourceId: string | null }) =>
      sourceId === null ? Number.MAX_SAFE_INTEGER : (places().get(sourceId) ?? Number.MAX_SAFE_INTEGER - 1)
    return found.toSorted((a, b) => place(a) - place(b) || a.id - b.id).map(({ id }) => id)
  }

  /** Falls back to former codes. */
  function airport(value: string, by: 'icao' | 'iata' | 'code' = 'code'): number | undefined {
    if (isTooLong(value)) return undefined
    const upper = value.toUpperCase()
    const holding = airportHolding[by].get({ code: upper })
    if (holding !== undefined) return holding
    const today = formerCodes().get(upper)
    return today === undefined ? undefined : airportHolding.icao.get({ code: today })
  }

  return {
    airport,
    /** The airport with a code on a day, for routes that have moved to a new airport. */
    airportOn(icao: string, date: string): number | undefined {
      const move = moves().get(icao)
      return airport(move && date >= move.since ? move.to : icao)
    },
    airlinesWith,
    /** Airlines whose flights are sold under this IATA code: those that operate this number, and those that may. */
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
      return typeByIcao.get({ code: by === 'icao' ? upper : (iataTypes().get(upper) ?? '') })
    },
    /** By name and ICAO code, which may be null: several rows may share a code. */
    same: (kind: 'airline' | 'aircraft', value: string, icao: string | null) =>
      isTooLong(value) ? undefined : same[kind].get({ name: foldCase(value), code: icao }),
  }
}
