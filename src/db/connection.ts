import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { Engine } from './engine.ts'

export type Db = BetterSQLite3Database & { $client: Engine }

export function perConnection<Value>(make: (db: Db) => Value): (db: Db) => Value {
  const values = new WeakMap<Db, Value>()
  return (db) => {
    const value = values.get(db) ?? make(db)
    values.set(db, value)
    return value
  }
}
