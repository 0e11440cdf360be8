import { LRUCache } from 'lru-cache'
import type { Db } from './connection.ts'
import { type DataPart, type DataVersion, dataVersion } from './version.ts'

interface Options<Value> {
  part: DataPart
  maxBytes: number
  /** Approximate size in memory. The size of the key is added, because it may contain a whole filter. */
  sizeOf: (value: Value) => number
}

/**
 * Caches values read from the database. A value is valid for the data version taken before it was read, so a concurrent
 * write never leaves a stale value.
 */
export function dataCache<Value extends NonNullable<unknown>>(db: Db, { part, maxBytes, sizeOf }: Options<Value>) {
  const { of } = dataVersion(db)
  const entries = new LRUCache<string | number, Value>({
    maxSize: maxBytes,
    sizeCalculation: (value, key) => sizeOf(value) + String(key).length,
  })
  const loading = new Map<string, { version: DataVersion; value: Promise<Value> }>()
  let current: DataVersion

  /** Take it before a read and pass it to `set`. Drops values of older versions. */
  function version(): DataVersion {
    const now = of(part)
    if (now !== undefined && now !== current) {
      entries.clear()
      current = now
    }
    return now
  }

  const getForVersion = (version: DataVersion, key: string | number) =>
    version === undefined ? undefined : entries.get(key)
  const get = (key: string | number) => getForVersion(version(), key)

  function set(key: string | number, value: Value, versionBefore: DataVersion): void {
    if (versionBefore !== undefined && versionBefore === current) entries.set(key, value)
  }

  function read(key: string | number, make: () => Value): Value {
    const versionBefore = version()
    const cached = getForVersion(versionBefore, key)
    if (cached !== undefined) return cached
    const value = make()
    set(key, value, versionBefore)
    return value
  }

  async function startLoad(key: string, versionBefore: DataVersion, make: () => Promise<Value>): Promise<Value> {
    try {
      const value = await Promise.resolve().then(make)
      set(key, value, versionBefore)
      return value
    } finally {
      if (loading.get(key)?.version === versionBefore) loading.delete(key)
    }
  }

  /** Concurrent callers share one load. */
  function load(key: string, make: () => Promise<Value>): Promise<Value> {
    const versionBefore = version()
    const cached = getForVersion(versionBefore, key)
    if (cached !== undefined) return Promise.resolve(cached)
    const running = loading.get(key)
    if (running && versionBefore !== undefined && running.version === versionBefore) return running.value
    const value = startLoad(key, versionBefore, make)
    loading.set(key, { version: versionBefore, value })
    return value
  }

  return { version, get, getForVersion, set, read, load, delete: (key: string | number) => entries.delete(key) }
}
