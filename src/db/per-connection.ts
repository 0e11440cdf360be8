import type { Db } from './connection.ts'

/** Makes something once for each connection, so that everybody on it shares the same. */
export function perConnection<Made>(make: (db: Db) => Made): (db: Db) => Made {
  const known = new WeakMap<Db, Made>()
  return (db) => {
    const made = known.get(db) ?? make(db)
    known.set(db, made)
    return made
  }
}
