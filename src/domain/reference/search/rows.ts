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
    // A star marks a shared code.
    iata: sql<string | null>`replace(${airlines.iata}, '*', '')`,
    country: nothing,
    type: nothing,
  },
  aircraft: { municipality: nothing, iata: nothing, country: nothing, type: nothing },
}

export interface StoredRow extends Pick<SearchRow, 'name' | 'municipality' | 'icao' | 'iata' | 'country' | 'type'> {
  id: number
  sourceId: string | null
}

/** Changes of other columns do not affect searches. */
export const searchedColumns: ReadonlySet<string> = new Set([
  'sourceId',
  'name',
  'municipality',
  'icao',
  'iata',
  'country',
  'type',
] satisfies (keyof StoredRow)[])

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
  // With "or" instead of "union" SQLite scans the whole table.
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
    own: (): StoredRow[] => own.all(),
    /** Shipped rows with one of these ids, or with an id above `upTo`. */
    listed: (ids: readonly number[], upTo: number): StoredRow[] => listed.all({ ids: JSON.stringify(ids), upTo }),
    idsOf: (keys: readonly string[]): ReadonlyMap<string | null, number> =>
      new Map(byKeys.all({ keys: JSON.stringify(keys) }).map(({ sourceId, id }) => [sourceId, id])),
    lastId: (): number => last.get() ?? 0,
  }
}
