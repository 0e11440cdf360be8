import * as z from 'zod'
import type { Db } from '../../../db/open.ts'
import { readSetting, writeSetting } from '../../../db/settings.ts'
import type { ReferenceKind } from '../kinds.ts'
import { shippedVersion } from '../shipped.ts'
import { searchRowStore } from './store.ts'

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
  const stored = readSetting(db, keyOf(kind))
  const coverage = stored === undefined ? NONE : Coverage.parse(JSON.parse(stored))
  return coverage.version === shippedVersion() ? coverage : NONE
}

function writeCoverage(db: Db, kind: ReferenceKind, coverage: Coverage): void {
  writeSetting(db, keyOf(kind), JSON.stringify(coverage))
}

export function shippedWasLoaded(db: Db, kind: ReferenceKind, outdated: readonly string[]): void {
  const upTo = searchRowStore(db, kind).lastShippedId()
  writeCoverage(db, kind, { version: shippedVersion(), outdated: [...outdated], upTo, updates: 0 })
}

/** After an update from a newer file, whose new rows have higher ids. */
export function shippedWasChanged(db: Db, kind: ReferenceKind, outdated: readonly string[]): void {
  const coverage = readCoverage(db, kind)
  if (coverage.version === '') return
  const all = [...new Set([...coverage.outdated, ...outdated])]
  writeCoverage(db, kind, { ...coverage, outdated: all, updates: coverage.updates + 1 })
}
