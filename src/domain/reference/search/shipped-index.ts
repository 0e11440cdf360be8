import type { ReferenceKind } from '../kinds.ts'
import { readShippedSearch } from '../shipped.ts'
import { openPacked, type Packed } from './packed.ts'

const opened = new Map<ReferenceKind, Packed>()

/** The index that this version ships; it never changes, so one is enough for every database of the process. */
export function shippedIndex(kind: ReferenceKind): Packed {
  const known = opened.get(kind) ?? openPacked(readShippedSearch(kind))
  opened.set(kind, known)
  return known
}
