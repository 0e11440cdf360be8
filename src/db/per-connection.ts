import type { Db } from './connection.ts'

export function perConnection<Value>(make: (db: Db) => Value): (db: Db) => Value {
  const values = new WeakMap<Db, Value>()
  return (db) => {
    const value = values.get(db) ?? make(db)
    values.set(db, value)
    return value
  }
}
