import { and, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { jsonList, jsonTexts, named, statements } from '../../../db/statements.ts'
import { aircraft, airlines, airports } from '../../../db/tables/index.ts'
import type { ReferenceKind } from '../kinds.ts'
import type { SearchRow } from './pack.ts'

const nothing = sql<null>`null`

const tables = { airports, airlines, aircraft }
const columns = {
  airports: {
    municipality: airports.municipality,
    iata: airports.iata,
    country: airports.country,
    type: airports.type,
  },
  airlines: {
    municipality: nothing,
    // A star marks a code that several carriers share; it is ignored.
    iata: sql<string | null>`replace(${airlines.iata}, '*', '')`,
    country: nothing,
    type: nothing,
  },
  aircraft: { municipality: nothing, iata: nothing, country: nothing, type: nothing },
}

/** A row of a table, as far as searches look at it. */
export interface StoredRow extends Pick<SearchRow, 'name' | 'municipality' | 'icao' | 'iata' | 'country' | 'type'> {
  id: number
  sourceId: string | null
}

/** A row that differs in none of these is found as before. */
export const searchedColumns: ReadonlySet<string> = new Set([
  'sourceId',
  'name',
  'municipality',
  'icao',
  'iata',
  'country',
  'type',
] satisfies (keyof StoredRow)[])

/** The rows of a kind. */
export function storedRows(db: Db, kind: ReferenceKind) {
  const { rows, values } = statements(db)
  const table = tables[kind] as typeof airports
  const { id, sourceId, name, icao } = table
  const select = (condition?: SQL) =>
    rows(
      db
        .select(named({ id, sourceId, name, icao, ...(columns[kind] as typeof columns.airports) }))
        .from(table)
        .where(condition)
        .orderBy(id),
    )
  const own = select(isNull(sourceId))
  // With "or" instead of "union" SQLite goes through the whole table, which would fill its cache at every start.
  const wanted = sql`select ${id} from ${table} where ${id} > ${sql.placeholder('upTo')}
    union select value from ${jsonList(sql.placeholder('ids'))} listed`
  const listed = select(and(sql`${sourceId} is not null`, sql`${id} in (${wanted})`))
  const byKeys = rows(
    db
      .select(named({ id, sourceId }))
      .from(table)
      .where(inArray(sourceId, jsonTexts(sql.placeholder('keys')))),
  )
  const last = values(
    db
      .select({ id: sql<number>`coalesce(max(${id}), 0)`.as('id') })
      .from(table)
      .where(isNotNull(sourceId)),
  )
  return {
    /** Those of the instance. */
    own: (): StoredRow[] => own.all(),
    /** Those of the shipped data with one of these ids, or with a higher one than the data had when it was loaded. */
    listed: (ids: readonly number[], upTo: number): StoredRow[] => listed.all({ ids: JSON.stringify(ids), upTo }),
    idsOf: (keys: readonly string[]): ReadonlyMap<string | null, number> =>
      new Map(byKeys.all({ keys: JSON.stringify(keys) }).map(({ sourceId, id }) => [sourceId, id])),
    /** The highest id of a shipped row. */
    lastId: (): number => last.get() ?? 0,
  }
}
