import { LRUCache } from 'lru-cache'
import type { Db } from '../../db/open.ts'
import { postgresOf } from '../../db/postgres/open.ts'
import { purgeWriters } from '../../db/postgres/writers.ts'
import { createLimiter, type Limiter, type LimiterOptions } from './limiter.ts'
import { memoryStore, type TemporaryStore } from './store.ts'

export type MemoryService = ReturnType<typeof memoryService>

interface StoreOptions<Value> {
  /** Applies in memory. In PostgreSQL `maxEntries` applies, with at most 64 KiB per entry. */
  maxBytes: number
  maxEntries: number
  sizeOf: (value: Value) => number
  /** Applies in PostgreSQL. */
  ttlMs: number
}

function inMemoryStore<Value extends NonNullable<unknown>>({
  maxBytes,
  sizeOf,
}: StoreOptions<Value>): TemporaryStore<Value> {
  const values = new LRUCache<string, Value>({ maxSize: maxBytes, sizeCalculation: sizeOf })
  return {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
    delete: (key) => void values.delete(key),
    take(key) {
      const value = values.get(key)
      values.delete(key)
      return value
    },
  }
}

/**
 * Short-lived data: rate limits and data passed between pages. In memory with SQLite; with PostgreSQL in unlogged
 * tables, because the next request may reach another machine.
 */
export function memoryService({ db }: { db: Db }) {
  const postgres = postgresOf(db)
  const store = postgres && memoryStore(db)
  return {
    limiter: (name: string, options: LimiterOptions): Limiter =>
      store ? store.limiter(name, options) : createLimiter(options),
    store: <Value extends NonNullable<unknown>>(name: string, options: StoreOptions<Value>): TemporaryStore<Value> =>
      store ? store.store<Value>(name, options) : inMemoryStore(options),
    purge(): void {
      store?.purge()
      if (postgres) purgeWriters(postgres)
    },
  }
}
