import { eq, isNotNull, max } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '../../../db/open.ts'
import { aircraft, airlines, airports, settings } from '../../../db/tables/index.ts'
import type { ReferenceKind } from '../kinds.ts'
import { shippedVersion } from '../shipped.ts'

export const referenceTables = { airports, airlines, aircraft }

/** How the table of a kind differs from the shipped index. */
const Coverage = z.object({
  /** Version of the loaded data. */
  version: z.string(),
  /** Source ids whose row differs from the index, or is missing in the table or in the index. */
  outdated: z.array(z.string()),
  /** The highest id when the data was loaded; later rows are not in the index. */
  upTo: z.number(),
  /** Number of updates since then. */
  updates: z.number(),
})

export type Coverage = z.output<typeof Coverage>

/** The shipped data was not loaded. */
const NONE: Coverage = { version: '', outdated: [], upTo: 0, updates: 0 }

const keyOf = (kind: ReferenceKind) => `search_index_${kind}`

export function readCoverage(db: Db, kind: ReferenceKind): Coverage {
  const stored = db
    .select()
    .from(settings)
    .where(eq(settings.key, keyOf(kind)))
    .get()
  const coverage = stored && Coverage.parse(JSON.parse(stored.value))
  return coverage?.version === shippedVersion() ? coverage : NONE
}

function write(db: Db, kind: ReferenceKind, coverage: Coverage): void {
  const value = JSON.stringify(coverage)
  db.insert(settings)
    .values({ key: keyOf(kind), value })
    .onConflictDoUpdate({ target: settings.key, set: { value } })
    .run()
}

export function shippedWasLoaded(db: Db, kind: ReferenceKind, outdated: readonly string[]): void {
  const { id, sourceId } = referenceTables[kind]
  const last = db
    .select({ id: max(id) })
    .from(referenceTables[kind])
    .where(isNotNull(sourceId))
    .get()
  write(db, kind, { version: shippedVersion(), outdated: [...outdated], upTo: last?.id ?? 0, updates: 0 })
}

/** After an update from a newer file, whose new rows have higher ids. */
export function shippedWasChanged(db: Db, kind: ReferenceKind, outdated: readonly string[]): void {
  const coverage = readCoverage(db, kind)
  if (coverage.version === '') return
  const all = [...new Set([...coverage.outdated, ...outdated])]
  write(db, kind, { ...coverage, outdated: all, updates: coverage.updates + 1 })
}
