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

interface Logged {
  /** Users on the flight; empty for guests only. */
  users: ReadonlySet<string>
}

const nobody: ReadonlySet<string> = new Set()

/** Each stored flight is matched with one row of the file at most. */
export function duplicateFinder(stored: Iterable<[key: string, users: ReadonlySet<string>]>) {
  const byKey = new Map<string, Logged[]>()
  for (const [key, users] of stored) {
    const list = byKey.get(key)
    if (list) list.push({ users })
    else byKey.set(key, [{ users }])
  }

  /** True when the log holds the flight already; that flight is not matched again. */
  return function takeDuplicate(key: string, users: ReadonlySet<string> = nobody): boolean {
    const list = byKey.get(key)
    if (!list) return false
    const shared = ({ users: theirs }: Logged) =>
      users.size === 0 ? theirs.size === 0 : [...users].some((user) => theirs.has(user))
    const index = list.findIndex(shared)
    if (index === -1) return false
    list.splice(index, 1)
    return true
  }
}
