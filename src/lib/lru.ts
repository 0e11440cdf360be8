type Key = string | number

interface Entry<Value> {
  key: Key
  value: Value
  size: number
  older: Entry<Value> | undefined
  newer: Entry<Value> | undefined
}

/**
 * A map that forgets what was not used for longest once it holds too many bytes; a value larger than that is not kept.
 * The order is a list of its own: that of a Map, which begins with the gaps of all that was taken out, has to be walked
 * from there to find the oldest.
 */
export function lru<Value>(maxBytes: number, sizeOf: (value: Value, key: Key) => number) {
  const entries = new Map<Key, Entry<Value>>()
  let oldest: Entry<Value> | undefined
  let newest: Entry<Value> | undefined
  let total = 0

  function takeOut(entry: Entry<Value>): void {
    if (entry.older) entry.older.newer = entry.newer
    else oldest = entry.newer
    if (entry.newer) entry.newer.older = entry.older
    else newest = entry.older
  }

  function putLast(entry: Entry<Value>): void {
    entry.older = newest
    entry.newer = undefined
    if (newest) newest.newer = entry
    else oldest = entry
    newest = entry
  }

  function forget(key: Key): void {
    const entry = entries.get(key)
    if (!entry) return
    takeOut(entry)
    entries.delete(key)
    total -= entry.size
  }

  return {
    get(key: Key): Value | undefined {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      if (entry !== newest) {
        takeOut(entry)
        putLast(entry)
      }
      return entry.value
    },
    set(key: Key, value: Value): void {
      forget(key)
      const size = sizeOf(value, key)
      if (size > maxBytes) return
      const entry = { key, value, size, older: undefined, newer: undefined }
      entries.set(key, entry)
      putLast(entry)
      total += size
      while (oldest && total > maxBytes) forget(oldest.key)
    },
    delete: forget,
    clear(): void {
      entries.clear()
      oldest = undefined
      newest = undefined
      total = 0
    },
  }
}
