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

type Users = ReadonlySet<string>

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

const same = (a: Users, b: Users) => a.size === b.size && [...a].every((user) => b.has(user))

/** Flights that share a user; guests only are compared with guests only. */
const related = (a: Users, b: Users) => (a.size === 0 ? b.size === 0 : [...a].some((user) => b.has(user)))

/** Each stored flight, given as its key and the users on it, is matched with one row of the file at most. */
export function duplicateFinder(stored: Iterable<[key: string, users: Users]>) {
  const byKey = new Map<string, Users[]>()
  for (const [key, users] of stored) {
    const list = byKey.get(key)
    if (list) list.push(users)
    else byKey.set(key, [users])
  }

  /** True when the log holds the flight already; that flight is not matched again. */
  return function takeDuplicate(key: string, users: Users): boolean {
    const list = byKey.get(key)
    if (!list) return false
    // The flight of the very same people first: another row may share only some of them with it.
    const exact = list.findIndex((theirs) => same(users, theirs))
    const index = exact === -1 ? list.findIndex((theirs) => related(users, theirs)) : exact
    if (index === -1) return false
    list.splice(index, 1)
    return true
  }
}
