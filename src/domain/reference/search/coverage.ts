import { eq } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '../../../db/open.ts'
import { settings } from '../../../db/tables/index.ts'
import type { ReferenceKind } from '../kinds.ts'
import { shippedVersion } from '../shipped.ts'
import { identityOf, orderOf } from './pack.ts'
import { type StoredRow, storedRows } from './rows.ts'
import { shippedIndex } from './shipped-index.ts'

/**
 * How far the index that this version ships tells what the table of a kind holds: it was made from the shipped data, but
 * an update from a newer file changes rows, and rows that have left the data stay.
 */
const Coverage = z.object({
  /** Of the shipped data that was loaded. */
  version: z.string(),
  /** Ids of shipped rows that are not as in the index. */
  changed: z.array(z.number()),
  /** Keys in the index that the table does not have. */
  missing: z.array(z.string()),
  /** The highest id; what was put in by hand since is not in the index. */
  upTo: z.number(),
})
export type Coverage = z.output<typeof Coverage>

/** Nothing of the shipped data was loaded: everything is read from the table. */
const NONE: Coverage = { version: '', changed: [], missing: [], upTo: 0 }

const keyOf = (kind: ReferenceKind) => `search_${kind}`

export function readCoverage(db: Db, kind: ReferenceKind): Coverage {
  const stored = db
    .select()
    .from(settings)
    .where(eq(settings.key, keyOf(kind)))
    .get()
  const coverage = stored && Coverage.parse(JSON.parse(stored.value))
  return coverage?.version === shippedVersion() ? coverage : NONE
}

/** Part of a renewal: compares every row with the index, unless all were put into an empty table from the same data. */
export function writeCoverage(db: Db, kind: ReferenceKind, isFresh: boolean): void {
  const rows = storedRows(db, kind)
  const coverage = isFresh ? NONE : compared(kind, rows.shipped())
  const value = JSON.stringify({ ...coverage, version: shippedVersion(), upTo: rows.lastId() })
  db.insert(settings)
    .values({ key: keyOf(kind), value })
    .onConflictDoUpdate({ target: settings.key, set: { value } })
    .run()
}

function compared(kind: ReferenceKind, rows: Iterable<StoredRow>): Pick<Coverage, 'changed' | 'missing'> {
  const index = shippedIndex(kind)
  const seen = new Uint8Array(index.size)
  const changed: number[] = []
  for (const row of rows) {
    const key = row.sourceId!
    const entry = index.entryOf(key)
    if (entry !== undefined) seen[entry] = 1
    if (entry === undefined || !index.isSame(entry, identityOf({ key, ...row }), orderOf(row.type, row.iata)))
      changed.push(row.id)
  }
  const missing = Array.from(seen.keys()).flatMap((entry) => (seen[entry] === 1 ? [] : [index.keyOf(entry)]))
  return { changed, missing }
}
