interface Keyed {
  date: string
  datePrecision: string
  fromId: number
  toId: number
  flightNumber: string | null
  departure: string | null
}

/** What makes two flights of one traveller the same one (contract 5.1). */
export function naturalKey({ date, datePrecision, fromId, toId, flightNumber, departure }: Keyed): string {
  const number = (flightNumber ?? '').toUpperCase().replace(/[\s-]/g, '')
  // Only without a number does the minute of departure tell two flights of a day apart.
  const minute = number === '' && departure !== null ? departure.slice(0, 16) : ''
  return [date, datePrecision, fromId, toId, number, minute].join('|')
}

export type Users = ReadonlySet<string>

/** Most flights of a log have the same people on them: each such set is held once. */
export function sharedSets() {
  const known = new Map<string, Users>()
  return (users: readonly string[]): Users => {
    const key = users.join(' ')
    const found = known.get(key) ?? new Set(users)
    known.set(key, found)
    return found
  }
}

const setKey = (users: Users) => [...users].sort().join(' ')

/** Takes the flights of one key, each once. A log may hold thousands of equal ones: none is looked at twice. */
function takerOf(stored: readonly Users[]) {
  const isTaken = new Uint8Array(stored.length)
  let left = stored.length
  const [bySet, byUser] = [new Map<string, number[]>(), new Map<string, number[]>()]
  // From the end, so that the first of them can be popped.
  for (const [index, users] of [...stored.entries()].reverse()) {
    for (const [places, key] of [
      [bySet, setKey(users)] as const,
      ...[...users].map((user) => [byUser, user] as const),
    ]) {
      const list = places.get(key)
      if (list) list.push(index)
      else places.set(key, [index])
    }
  }
  function firstOf(list: number[] = []): number | undefined {
    while (list.length > 0 && isTaken[list.at(-1)!] === 1) list.pop()
    return list.at(-1)
  }

  return {
    isEmpty: () => left === 0,
    take(users: Users): boolean {
      // The flight of the very same people first: another row may share only some of them with it.
      const found =
        firstOf(bySet.get(setKey(users))) ??
        [...users].reduce<number | undefined>((first, user) => {
          const place = firstOf(byUser.get(user))
          return first === undefined || (place !== undefined && place < first) ? place : first
        }, undefined)
      if (found === undefined) return false
      isTaken[found] = 1
      left--
      return true
    },
  }
}

/** Whether one is the flight of the other: somebody is on both, or nobody on either. */
const shareUser = (one: Users, other: Users) =>
  one.size === 0 ? other.size === 0 : [...one].some((user) => other.has(user))

/** Each stored flight, given as its key and the users on it, is matched with one row of the file at most. */
export function duplicateFinder(stored: Iterable<[key: string, users: Users]>) {
  /** Nearly all keys have one flight, and a log may have fifty thousand: a list for each would take several megabytes. */
  const byKey = new Map<string, Users | Users[] | ReturnType<typeof takerOf>>()
  for (const [key, users] of stored) {
    const found = byKey.get(key) as Users | Users[] | undefined
    if (Array.isArray(found)) found.push(users)
    else byKey.set(key, found ? [found, users] : users)
  }

  /** True when the log holds the flight already; that flight is not matched again. */
  return function takeDuplicate(key: string, users: Users): boolean {
    const found = byKey.get(key)
    if (!found) return false
    if (found instanceof Set) return shareUser(found, users) && byKey.delete(key)
    const flights = Array.isArray(found) ? takerOf(found) : (found as ReturnType<typeof takerOf>)
    const isDuplicate = flights.take(users)
    if (flights.isEmpty()) byKey.delete(key)
    else byKey.set(key, flights)
    return isDuplicate
  }
}

/** For files whose flights are all of one user: each key counts once, in the log and in the file. */
export function repeatedKeyFinder(stored: Iterable<[key: string, users: Users]>) {
  const known = new Set<string>()
  for (const [key] of stored) known.add(key)
  return function isRepeated(keys: readonly string[]): boolean {
    const isKnown = keys.some((key) => known.has(key))
    for (const key of keys) known.add(key)
    return isKnown
  }
}
