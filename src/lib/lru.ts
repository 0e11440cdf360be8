/** A map that forgets what was not used for longest once it is full; what is too heavy for it alone is not kept. */
export function lru<Value>(capacity: number, weigh: (value: Value) => number = () => 1) {
  const entries = new Map<string, { value: Value; weight: number }>()
  let total = 0

  function forget(key: string): void {
    total -= entries.get(key)?.weight ?? 0
    entries.delete(key)
  }

  return {
    get(key: string): Value | undefined {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      // Written again, it becomes the youngest: a Map keeps the order of insertion.
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key: string, value: Value): void {
      forget(key)
      const weight = weigh(value)
      entries.set(key, { value, weight })
      total += weight
      for (const oldest of entries.keys()) {
        if (total <= capacity) break
        forget(oldest)
      }
    },
    clear(): void {
      entries.clear()
      total = 0
    },
  }
}
