import { type ReferenceKind, referenceKinds } from '../kinds.ts'
import { readShippedSearch } from '../shipped.ts'
import { openPacked, type Packed } from './packed.ts'

const opened = new Map<ReferenceKind, Packed>()

/** Shared by all databases of the process. */
export function shippedIndex(kind: ReferenceKind): Packed {
  const known = opened.get(kind) ?? openPacked(readShippedSearch(kind))
  opened.set(kind, known)
  return known
}

/** To be called first at startup, to limit the peak memory. */
export function openShippedIndexes(): void {
  for (const kind of referenceKinds) shippedIndex(kind)
}
