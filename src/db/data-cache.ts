import { LRUCache } from 'lru-cache'
import type { Db } from './connection.ts'
import { type DataPart, type DataVersion, dataVersion } from './data-version.ts'

interface Options<Value> {
  /** What the values are read from. */
  part: DataPart
  maxBytes: number
  /** About how many bytes of memory a value takes. Those of its key are added: one may hold a whole filter. */
  sizeOf: (value: Value) => number
}

/**
 * The one way to keep in memory what was read from the database. A value counts only under the version of the data that
 * it was read under, and that is taken before the read: whatever is written meanwhile, nobody is given what was before.
 */
export function dataCache<Value extends NonNullable<unknown>>(db: Db, { part, maxBytes, sizeOf }: Options<Value>) {
  const { of } = dataVersion(db)
  const entries = new LRUCache<string | number, Value>({
    maxSize: maxBytes,
    sizeCalculation: (value, key) => sizeOf(value) + String(key).length,
  })
  const loading = new Map<string, { version: DataVersion; value: Promise<Value> }>()
  let current: DataVersion

  /** The version to be handed to `set` after a read that begins now; drops what was kept under an older one. */
  function version(): DataVersion {
    const now = of(part)
    if (now !== undefined && now !== current) {
      entries.clear()
      current = now
    }
    return now
  }

  /** The same as `get`, for many looks under a version that was taken just before. */
  const keptUnder = (now: DataVersion, key: string | number) => (now === undefined ? undefined : entries.get(key))
  const get = (key: string | number) => keptUnder(version(), key)

  function set(key: string | number, value: Value, readUnder: DataVersion): void {
    if (readUnder !== undefined && readUnder === current) entries.set(key, value)
  }

  /** The kept value, or the one that is read now. */
  function read(key: string | number, make: () => Value): Value {
    const readUnder = version()
    const known = keptUnder(readUnder, key)
    if (known !== undefined) return known
    const value = make()
    set(key, value, readUnder)
    return value
  }

  async function started(key: string, readUnder: DataVersion, make: () => Promise<Value>): Promise<Value> {
    try {
      const value = await Promise.resolve().then(make)
      set(key, value, readUnder)
      return value
    } finally {
      if (loading.get(key)?.version === readUnder) loading.delete(key)
    }
  }

  /** The same for a read that takes several turns: whoever asks for it meanwhile waits for the same one. */
  function load(key: string, make: () => Promise<Value>): Promise<Value> {
    const readUnder = version()
    const known = keptUnder(readUnder, key)
    if (known !== undefined) return Promise.resolve(known)
    const running = loading.get(key)
    if (running && readUnder !== undefined && running.version === readUnder) return running.value
    const value = started(key, readUnder, make)
    loading.set(key, { version: readUnder, value })
    return value
  }

  return { version, get, keptUnder, set, read, load, delete: (key: string | number) => entries.delete(key) }
}
