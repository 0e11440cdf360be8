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

export type Users = ReadonlySet<string>

/** Interns sets of users: most flights of a log have the same passengers. */
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

/** Matches the flights of one key, each once. Linear, also for thousands of equal flights. */
function takerOf(stored: readonly Users[]) {
  const isTaken = new Uint8Array(stored.length)
  let left = stored.length
  const [bySet, byUser] = [new Map<string, number[]>(), new Map<string, number[]>()]
  // In reverse order, so that the first flight can be popped.
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
      // Prefer a flight with exactly these users: another row may share only some of them.
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

/** Whether they share a user, or neither has any. */
const shareUser = (one: Users, other: Users) =>
  one.size === 0 ? other.size === 0 : [...one].some((user) => other.has(user))

/** Matches each stored flight with at most one row of the file. */
export function duplicateFinder(stored: Iterable<[key: string, users: Users]>) {
  /** Nearly all keys have one flight; a list for each of 50,000 would take several megabytes. */
  const byKey = new Map<string, Users | Users[] | ReturnType<typeof takerOf>>()
  for (const [key, users] of stored) {
    const found = byKey.get(key) as Users | Users[] | undefined
    if (Array.isArray(found)) found.push(users)
    else byKey.set(key, found ? [found, users] : users)
  }

  /** True for a duplicate. Its stored flight is not matched again. */
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

/** For files of one user: each key counts once, in the log and in the file. */
export function repeatedKeyFinder(stored: Iterable<[key: string, users: Users]>) {
  const known = new Set<string>()
  for (const [key] of stored) known.add(key)
  return function isRepeated(keys: readonly string[]): boolean {
    const isKnown = keys.some((key) => known.has(key))
    for (const key of keys) known.add(key)
    return isKnown
  }
}
