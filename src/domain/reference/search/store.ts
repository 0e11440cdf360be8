import { and, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { jsonTexts, named, statements } from '../../../db/statements.ts'
import { aircraft, airlines, airports } from '../../../db/tables/index.ts'
import type { ReferenceKind } from '../kinds.ts'

const tables = { airports, airlines, aircraft }

export type SearchedRow = ReturnType<ReturnType<typeof searchRowStore>['custom']>[number]

const nothing = sql<null>`null`
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

export function searchRowStore(db: Db, kind: ReferenceKind) {
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
  const sources = jsonTexts(sql.placeholder('sources'))
  // With "or" instead of "union" SQLite scans the whole table.
  const wanted = sql`select ${id} from ${table} where ${id} > ${sql.placeholder('upTo')}
    union select ${id} from ${table} where ${inArray(sourceId, sources)}`
  const custom = select(isNull(sourceId))
  const outdated = select(and(isNotNull(sourceId), sql`${id} in (${wanted})`))
  const bySources = rows(db.select(named({ id, sourceId })).from(table).where(inArray(sourceId, sources)))
  const last = values(
    db
      .select({ id: sql<number>`coalesce(max(${id}), 0)`.as('id') })
      .from(table)
      .where(isNotNull(sourceId)),
  )
  return {
    lastShippedId: () => last.get() ?? 0,
    custom: () => custom.all(),
    /** Shipped rows with one of these source ids, or with an id above `upTo`. */
    outdated: (list: readonly string[], upTo: number) => outdated.all({ sources: JSON.stringify(list), upTo }),
    idsOf: (list: readonly string[]) =>
      new Map(bySources.all({ sources: JSON.stringify(list) }).map((row) => [row.sourceId, row.id])),
  }
}
