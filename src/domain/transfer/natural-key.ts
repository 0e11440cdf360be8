interface Keyed {
  date: string
  datePrecision: string
  fromId: number
  toId: number
  flightNumber: string | null
  departure: string | null
}

/** Flights of one traveller with equal keys are duplicates (contract 5.1). */
export function naturalKey({ date, datePrecision, fromId, toId, flightNumber, departure }: Keyed): string {
  const number = (flightNumber ?? '').toUpperCase().replace(/[\s-]/g, '')
  // Two flights without a number on the same day differ by the minute of departure.
  const minute = number === '' && departure !== null ? departure.slice(0, 16) : ''
  return [date, datePrecision, fromId, toId, number, minute].join('|')
}

type Users = readonly string[]
type StoredKeys = IteratorObject<[key: string, users: Users]>

/** Called once per row, in file order, with all natural keys of the row. */
export type IsDuplicate = (keys: readonly string[], users: Users) => boolean

/** Matches the flights of one key, each once. Linear, also for thousands of equal flights. */
function matcherOf(stored: readonly Users[]) {
  const keysOf = (users: Users) => [`all ${users.toSorted().join(' ')}`, ...users.map((user) => `one ${user}`)]
  // In reverse order, so that the first flight can be popped.
  const places = [...stored.entries()]
    .reverse()
    .flatMap(([index, users]) => keysOf(users).map((key) => ({ key, index })))
  const byKey = Map.groupBy(places, ({ key }) => key)
  const matched = new Set<number>()

  function firstOf(key: string): number {
    const list = byKey.get(key) ?? []
    while (list.length > 0 && matched.has(list.at(-1)!.index)) list.pop()
    return list.at(-1)?.index ?? Infinity
  }

  return (users: Users): boolean => {
    const [same = Infinity, ...sharing] = keysOf(users).map(firstOf)
    // Prefer a flight with exactly these users: another row may share only some of them.
    const found = same < Infinity ? same : Math.min(...sharing)
    matched.add(found)
    return found < Infinity
  }
}

/** For backups: each stored flight is matched with at most one row, so equal rows are as many flights. */
export function duplicateFinder(stored: StoredKeys): IsDuplicate {
  const byKey = Map.groupBy(stored, ([key]) => key)
  const matchers = new Map<string, (users: Users) => boolean>()
  return (keys, users) =>
    keys.some((key) => {
      const flights = byKey.get(key)
      if (!flights) return false
      const matches = matchers.get(key) ?? matcherOf(flights.map(([, theirs]) => theirs))
      matchers.set(key, matches)
      return matches(users)
    })
}

/** For files of one user: each key counts once, in the log and in the file. */
export function repeatedKeyFinder(stored: StoredKeys): IsDuplicate {
  const known = new Set(stored.map(([key]) => key))
  return (keys) => {
    const isKnown = keys.some((key) => known.has(key))
    for (const key of keys) known.add(key)
    return isKnown
  }
}
