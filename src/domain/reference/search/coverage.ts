import { eq } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '../../../db/open.ts'
import { settings } from '../../../db/tables/index.ts'
import type { ReferenceKind } from '../kinds.ts'
import type { Changes } from '../renew.ts'
import { shippedVersion } from '../shipped.ts'
import { storedRows } from './rows.ts'

/** How the table of a kind differs from the shipped index, after updates from newer files. */
const Coverage = z.object({
  /** Version of the loaded data. */
  version: z.string(),
  /** Ids of shipped rows that differ from the index. */
  changed: z.array(z.number()),
  /** Source ids that are not in the table. */
  missing: z.array(z.string()),
  /** The highest id; later rows are not in the index. */
  upTo: z.number(),
})
export type Coverage = z.output<typeof Coverage>

/** The shipped data was not loaded. */
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

export function shippedWasLoaded(db: Db, kind: ReferenceKind, { differingIds, missingSources }: Changes): void {
  const upTo = storedRows(db, kind).lastId()
  write(db, kind, { version: shippedVersion(), changed: differingIds, missing: missingSources, upTo })
}

/** After an update from a newer file, whose new rows have higher ids. */
export function shippedWasChanged(db: Db, kind: ReferenceKind, { renamedIds, missingSources }: Changes): void {
  const { changed, missing, ...coverage } = readCoverage(db, kind)
  if (coverage.version === '') return
  write(db, kind, {
    ...coverage,
    changed: [...new Set([...changed, ...renamedIds])],
    missing: [...new Set([...missing, ...missingSources])],
  })
}
