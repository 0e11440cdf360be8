import { eq } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '../../../db/open.ts'
import { settings } from '../../../db/tables/index.ts'
import type { ReferenceKind } from '../kinds.ts'
import type { Changes } from '../renew.ts'
import { shippedVersion } from '../shipped.ts'
import { storedRows } from './rows.ts'

/**
 * How far the index that this version ships tells what the table of a kind holds: it was made from the shipped data, but
 * an update from a newer file changes rows, and rows that have left the data stay.
 */
const Coverage = z.object({
  /** Of the shipped data that was loaded. */
  version: z.string(),
  /** Ids of shipped rows that are not as in the index. */
  changed: z.array(z.number()),
  /** Sources that the table does not have; not all of them are in the index. */
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

function write(db: Db, kind: ReferenceKind, coverage: Coverage): void {
  const value = JSON.stringify(coverage)
  db.insert(settings)
    .values({ key: keyOf(kind), value })
    .onConflictDoUpdate({ target: settings.key, set: { value } })
    .run()
}

/** Part of a renewal from the data that this version ships. */
export function shippedWasLoaded(db: Db, kind: ReferenceKind, { differingIds, missingSources }: Changes): void {
  const upTo = storedRows(db, kind).lastId()
  write(db, kind, { version: shippedVersion(), changed: differingIds, missing: missingSources, upTo })
}

/** Part of a renewal from a newer file. What it puts in has higher ids. */
export function shippedWasChanged(db: Db, kind: ReferenceKind, { renamedIds, missingSources }: Changes): void {
  const { changed, missing, ...coverage } = readCoverage(db, kind)
  if (coverage.version === '') return
  write(db, kind, {
    ...coverage,
    changed: [...new Set([...changed, ...renamedIds])],
    missing: [...new Set([...missing, ...missingSources])],
  })
}
