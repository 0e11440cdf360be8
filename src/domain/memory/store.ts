import type { Db } from '../../db/open.ts'
import { digest } from '../../lib/secret.ts'
import type { Limiter, LimiterOptions } from './limiter.ts'
import { toRetrySeconds } from './limiter.ts'

export interface TemporaryStore<Value> {
  get(key: string): Value | undefined
  take(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
}

/** The clock of the database, because machines must agree. */
const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** The clock of the app in tests. */
const TIME = `coalesce(@now::bigint, ${NOW})`

const IS_OVER = `(${TIME} >= limits.ends_at or ${TIME} < limits.ends_at - @windowMs)`

const COUNT = `
  insert into limits (name, key, ends_at, requests) values (@name, @key, ${TIME} + @windowMs, 1)
  on conflict (name, key) do update set
    requests = case when ${IS_OVER} then 1 else limits.requests + 1 end,
    ends_at = case when ${IS_OVER} then ${TIME} + @windowMs else limits.ends_at end
  returning requests, ends_at - ${TIME} as "leftMs"`

const REMEMBER = `
  insert into remembered (name, key, value, ends_at) values (@name, @key, @value, ${NOW} + @ttlMs)
  on conflict (name, key) do update set value = excluded.value, ends_at = excluded.ends_at`

const SELECTED = `from remembered where name = @name and key = @key and ends_at > ${NOW}`

const CHECK_INTERVAL = 200

/** PostgreSQL only; its migrations create the tables. */
export function memoryStore({ $client: client }: Db) {
  const count = client.prepare(COUNT)
  const remember = client.prepare(REMEMBER)
  const find = client.prepare(`select value ${SELECTED}`).pluck()
  const take = client.prepare(`delete ${SELECTED} returning value`).pluck()
  const forget = client.prepare('delete from remembered where name = @name and key = @key')

  /** Hashed, because keys may be typed secrets or session ids. */
  const keyOf = (name: string, key: string) => ({ name, key: digest(key) })

  function sizeLimiter(table: 'limits' | 'remembered', name: string, maxEntries: number): () => void {
    const drop = client.prepare(
      `delete from ${table} where name = @name and ends_at <= coalesce(
         (select ends_at from ${table} where name = @name order by ends_at desc offset @maxEntries limit 1), ${NOW})`,
    )
    let added = 0
    return () => {
      if (++added % CHECK_INTERVAL === 0) drop.run({ name, maxEntries })
    }
  }

  return {
    limiter(name: string, { limit, windowMs, capacity, now }: LimiterOptions): Limiter {
      const enforceLimit = sizeLimiter('limits', name, capacity)
      return {
        take(key) {
          const row = count.get({ ...keyOf(name, key), windowMs, now: now?.() }) as { requests: number; leftMs: number }
          if (row.requests === 1) enforceLimit()
          return row.requests <= limit ? 0 : toRetrySeconds(row.leftMs)
        },
      }
    },

    store<Value>(name: string, { maxEntries, ttlMs }: { maxEntries: number; ttlMs: number }): TemporaryStore<Value> {
      const enforceLimit = sizeLimiter('remembered', name, maxEntries)
      const parsed = (text: unknown) => (text === undefined ? undefined : (JSON.parse(text as string) as Value))
      return {
        get: (key) => parsed(find.get(keyOf(name, key))),
        take: (key) => parsed(take.get(keyOf(name, key))),
        set(key, value) {
          remember.run({ ...keyOf(name, key), value: JSON.stringify(value), ttlMs })
          enforceLimit()
        },
        delete: (key) => void forget.run(keyOf(name, key)),
      }
    },

    purge(): void {
      client.exec(`delete from limits where ends_at <= ${NOW}; delete from remembered where ends_at <= ${NOW}`)
    },
  }
}
