/** A map that forgets what was not used for longest once it is full. */
export function lru<Value>(capacity: number) {
  const entries = new Map<string, Value>()
  return {
    get(key: string): Value | undefined {
      const value = entries.get(key)
      if (value === undefined) return undefined
      // Written again, it becomes the youngest: a Map keeps the order of insertion.
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key: string, value: Value): void {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size > capacity) entries.delete(entries.keys().next().value!)
    },
    clear: () => entries.clear(),
  }
}
