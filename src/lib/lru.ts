/** A map that forgets what was not used for longest once it holds too many bytes; a value larger than that is not kept. */
export function lru<Value>(maxBytes: number, sizeOf: (value: Value) => number) {
  const entries = new Map<string | number, { value: Value; size: number }>()
  let total = 0

  function forget(key: string | number): void {
    total -= entries.get(key)?.size ?? 0
    entries.delete(key)
  }

  return {
    get(key: string | number): Value | undefined {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      // Written again, it becomes the youngest: a Map keeps the order of insertion.
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key: string | number, value: Value): void {
      forget(key)
      const size = sizeOf(value)
      if (size > maxBytes) return
      entries.set(key, { value, size })
      total += size
      for (const oldest of entries.keys()) {
        if (total <= maxBytes) break
        forget(oldest)
      }
    },
    delete: forget,
    clear(): void {
      entries.clear()
      total = 0
    },
  }
}
