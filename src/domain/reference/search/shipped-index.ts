import { type ReferenceKind, referenceKinds } from '../kinds.ts'
import { readShippedSearch } from '../shipped.ts'
import { openPacked, type Packed } from './packed.ts'

const opened = new Map<ReferenceKind, Packed>()

/** The index that this version ships; it never changes, so one is enough for every database of the process. */
export function shippedIndex(kind: ReferenceKind): Packed {
  const known = opened.get(kind) ?? openPacked(readShippedSearch(kind))
  opened.set(kind, known)
  return known
}

/**
 * For a server, before it does anything else: what unpacking leaves behind is gone by the time that the rest of the start
 * needs the memory.
 */
export function openShippedIndexes(): void {
  for (const kind of referenceKinds) shippedIndex(kind)
}
