import { LRUCache } from 'lru-cache'
import type { Db } from '../../db/open.ts'
import { postgresOf } from '../../db/postgres/open.ts'
import { createLimiter, type Limiter, type LimiterOptions } from './limiter.ts'
import { type Kept, memoryStore } from './store.ts'

export type MemoryService = ReturnType<typeof memoryService>

interface KeptOptions<Value> {
  /** In memory the bytes of all values; in the database, where each has at most 64 KiB, their number. */
  bytes: number
  most: number
  sizeOf: (value: Value) => number
  /** How long a value is of use. */
  keptMs: number
}

function keptInMemory<Value extends NonNullable<unknown>>({ bytes, sizeOf }: KeptOptions<Value>): Kept<Value> {
  const values = new LRUCache<string, Value>({ maxSize: bytes, sizeCalculation: sizeOf })
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
 * What is remembered for a short while and may be forgotten: requests that count towards a limit, and what one page tells
 * the next. With a file one process serves all that needs it, and has it in memory. With PostgreSQL the next request may
 * come to another machine, so it lies in tables there that are neither logged nor replicated.
 */
export function memoryService({ db }: { db: Db }) {
  const store = postgresOf(db) ? memoryStore(db) : undefined
  return {
    /** Counts under a name that no other limit has. */
    limiter: (name: string, options: LimiterOptions): Limiter =>
      store ? store.limiter(name, options) : createLimiter(options),
    kept: <Value extends NonNullable<unknown>>(name: string, options: KeptOptions<Value>): Kept<Value> =>
      store ? store.kept<Value>(name, options) : keptInMemory(options),
    /** Takes away what has run out. */
    purge: (): void => store?.purge(),
  }
}
