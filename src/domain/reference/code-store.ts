import { and, asc, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { jsonTexts, named, statements } from '../../db/statements.ts'
import { aircraft, airlines, airports } from '../../db/tables/index.ts'

/** Custom airports may share a code. */
const MAX_HOLDERS = 20

/** Statements that find rows by code or folded name. */
export function codeStore(db: Db) {
  const { rows, values } = statements(db)
  const code = sql.placeholder('code')
  const name = sql.placeholder('name')
  const shippedFirst = (table: typeof airports | typeof airlines | typeof aircraft) =>
    [asc(isNull(table.sourceId)), asc(table.id)] as const

  // Contract 4.9.
  const size = sql`case ${airports.type} when 'large_airport' then 0 when 'medium_airport' then 1
    when 'small_airport' then 2 when 'seaplane_base' then 3 when 'balloonport' then 4 when 'heliport' then 5 else 6 end`
  const daysOf = ({ validFrom, validUntil }: typeof airports | typeof airlines) => ({ validFrom, validUntil })
  const airportsWhere = (condition: SQL | undefined, ...first: SQL[]) =>
    rows(
      db
        .select(named({ id: airports.id, ...daysOf(airports) }))
        .from(airports)
        .where(condition)
        .orderBy(...first, eq(airports.type, 'closed'), isNull(airports.sourceId), size, airports.id)
        .limit(MAX_HOLDERS),
    )
  const [hasIcao, hasIata] = [eq(airports.icao, code), eq(airports.iata, code)]
  const airportBy = {
    icao: airportsWhere(hasIcao),
    iata: airportsWhere(hasIata),
    code: airportsWhere(or(hasIcao, hasIata), desc(hasIcao)),
  }

  const carriers = () =>
    db.select(named({ id: airlines.id, sourceId: airlines.sourceId, ...daysOf(airlines) })).from(airlines)
  const airlinesBy = {
    icao: rows(carriers().where(eq(airlines.icao, code))),
    // A star marks a shared code and is ignored.
    iata: rows(carriers().where(or(eq(airlines.iata, code), eq(airlines.iata, sql.placeholder('starred'))))),
  }

  const bySource = (table: typeof airports | typeof airlines) =>
    values(
      db
        .select({ id: table.id })
        .from(table)
        .where(eq(table.sourceId, sql.placeholder('sourceId'))),
    )
  const sources = { airports: bySource(airports), airlines: bySource(airlines) }

  /** Rows with one of these codes or source ids. With "or" instead of "union" SQLite scans the whole table. */
  const withAnyCode = (table: typeof airports | typeof airlines) => {
    const { id, sourceId, icao, iata } = table
    const list = (name: string) => jsonTexts(sql.placeholder(name))
    const wanted = sql`select ${id} from ${table} where ${inArray(iata, list('iatas'))}
      union select ${id} from ${table} where ${inArray(icao, list('icaos'))}
      union select ${id} from ${table} where ${inArray(sourceId, list('sources'))}`
    return rows(
      db
        .select(named({ id, sourceId, icao, iata, ...daysOf(table) }))
        .from(table)
        .where(sql`${id} in (${wanted})`)
        .orderBy(id),
    )
  }
  const having = { airports: withAnyCode(airports), airlines: withAnyCode(airlines) }

  const types = values(
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
  const byNameAndCode = (table: typeof airlines | typeof aircraft) =>
    values(
      db
        .select({ id: table.id })
        .from(table)
        .where(and(eq(table.nameKey, name), sql`${table.icao} is ${code}`)),
    )
  const same = { airline: byNameAndCode(airlines), aircraft: byNameAndCode(aircraft) }
  return { airports: airportBy, airlines: airlinesBy, sources, having, types, names, same }
}
