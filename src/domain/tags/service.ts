import type { Caller } from '../../access/caller.ts'
import { dataCache } from '../../db/data-cache.ts'
import type { Db } from '../../db/open.ts'

const MAX_CACHE_BYTES = 2 * 1024 * 1024
const BYTES_OF_TAG = 400
const LONGEST_ADDRESS = 500

export type TagService = ReturnType<typeof tagService>

/** Keeps the tag of an answer, unless anything was written since it began to be read. */
export type KeepTag = (caller: Caller, address: string, tag: string) => void

/**
 * The tags of answers that stored data and the caller alone decide: until anything is written, the same caller gets the
 * same answer at the same address, and who has it already can be told so before anything is read.
 */
export function tagService({ db }: { db: Db }) {
  const cache = dataCache<{ caller: Caller; tag: string }>(db, {
    part: 'everything',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: () => BYTES_OF_TAG + 2 * LONGEST_ADDRESS,
  })
  const keyOf = ({ credential }: Caller, address: string) => `${credential.id} ${address}`

  return {
    /** To be called before an answer is read. */
    reading(): KeepTag {
      const readUnder = cache.version()
      return (caller, address, tag) => {
        if (address.length <= LONGEST_ADDRESS) cache.set(keyOf(caller, address), { caller, tag }, readUnder)
      }
    },
    /** A caller is the very same object only while its rights are the same. */
    of(caller: Caller, address: string): string | undefined {
      const kept = cache.get(keyOf(caller, address))
      return kept?.caller === caller ? kept.tag : undefined
    },
  }
}
