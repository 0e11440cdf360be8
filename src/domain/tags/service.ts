import type { Caller } from '../../access/caller.ts'
import { dataCache } from '../../db/data-cache.ts'
import type { DataVersion } from '../../db/data-version.ts'
import type { Db } from '../../db/open.ts'

const MAX_CACHE_BYTES = 2 * 1024 * 1024
const BYTES_OF_TAG = 400
const LONGEST_ADDRESS = 500

export type TagService = ReturnType<typeof tagService>

/** The tag of an answer that was read meanwhile: the kept one, or one that is made of its bytes and kept. */
export type TagOf = (caller: Caller, address: string, make: () => string) => string

/**
 * The tags of answers that stored data and the caller alone decide: until anything is written, the same caller gets the
 * same answer at the same address, and who has it already can be told so before anything is read.
 */
export function tagService({ db }: { db: Db }) {
  const cache = dataCache<{ caller: Caller; tag: string }>(db, {
    part: 'everything',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: () => BYTES_OF_TAG,
  })
  const keyOf = ({ credential }: Caller, address: string) => `${credential.id} ${address}`

  /** A caller is the very same object only while its rights are the same. */
  function getForVersion(version: DataVersion, caller: Caller, address: string): string | undefined {
    const kept = cache.getForVersion(version, keyOf(caller, address))
    return kept?.caller === caller ? kept.tag : undefined
  }

  return {
    of: (caller: Caller, address: string) => getForVersion(cache.version(), caller, address),
    /** To be called before an answer is read. */
    reading(): TagOf {
      const readUnder = cache.version()
      return (caller, address, make) => {
        // Who came after a write has got another answer than one that was begun before it.
        const known = cache.version() === readUnder ? getForVersion(readUnder, caller, address) : undefined
        if (known !== undefined) return known
        const tag = make()
        if (address.length <= LONGEST_ADDRESS) cache.set(keyOf(caller, address), { caller, tag }, readUnder)
        return tag
      }
    },
  }
}
