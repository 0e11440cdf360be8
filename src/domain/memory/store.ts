import type { Db } from '../../db/open.ts'
import { digest } from '../../lib/secret.ts'
import type { Limiter, LimiterOptions } from './limiter.ts'
import { secondsOf } from './limiter.ts'

export interface Kept<Value> {
  get(key: string): Value | undefined
  /** The same, and forgets it. */
  take(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
}

/** The time of the database, since machines that count together must agree on one. */
const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** The same, or the time that the app was given to go by. */
const TIME = `coalesce(@now::bigint, ${NOW})`

const IS_OVER = `(${TIME} >= limits.ends_at or ${TIME} < limits.ends_at - @windowMs)`

const COUNT = `
  insert into limits (name, key, ends_at, requests) values (@name, @key, ${TIME} + @windowMs, 1)
  on conflict (name, key) do update set
    requests = case when ${IS_OVER} then 1 else limits.requests + 1 end,
    ends_at = case when ${IS_OVER} then ${TIME} + @windowMs else limits.ends_at end
  returning requests, ends_at - ${TIME} as "leftMs"`

const REMEMBER = `
  insert into remembered (name, key, value, ends_at) values (@name, @key, @value, ${NOW} + @keptMs)
  on conflict (name, key) do update set value = excluded.value, ends_at = excluded.ends_at`

const KEPT = `from remembered where name = @name and key = @key and ends_at > ${NOW}`

/** How many of one name may be added before somebody looks whether there are too many. */
const LOOK_AFTER = 200

/** What several machines remember together; only with PostgreSQL, whose migrations have the tables. */
export function memoryStore({ $client: client }: Db) {
  const count = client.prepare(COUNT)
  const remember = client.prepare(REMEMBER)
  const find = client.prepare(`select value ${KEPT}`).pluck()
  const take = client.prepare(`delete ${KEPT} returning value`).pluck()
  const forget = client.prepare('delete from remembered where name = @name and key = @key')

  /** Keys are digested: they may be names that were typed by mistake, or secrets of sessions. */
  const keyOf = (name: string, key: string) => ({ name, key: digest(key) })

  /** Leaves the newest. */
  function bounded(table: 'limits' | 'remembered', name: string, most: number): () => void {
    const drop = client.prepare(
      `delete from ${table} where name = @name and ends_at <= coalesce(
         (select ends_at from ${table} where name = @name order by ends_at desc offset @most limit 1), ${NOW})`,
    )
    let added = 0
    return () => {
      if (++added % LOOK_AFTER === 0) drop.run({ name, most })
    }
  }

  return {
    limiter(name: string, { limit, windowMs, capacity, now }: LimiterOptions): Limiter {
      const bound = bounded('limits', name, capacity)
      return {
        take(key) {
          const row = count.get({ ...keyOf(name, key), windowMs, now: now?.() }) as { requests: number; leftMs: number }
          if (row.requests === 1) bound()
          return row.requests <= limit ? 0 : secondsOf(row.leftMs)
        },
      }
    },

    kept<Value>(name: string, { most, keptMs }: { most: number; keptMs: number }): Kept<Value> {
      const bound = bounded('remembered', name, most)
      const parsed = (text: unknown) => (text === undefined ? undefined : (JSON.parse(text as string) as Value))
      return {
        get: (key) => parsed(find.get(keyOf(name, key))),
        take: (key) => parsed(take.get(keyOf(name, key))),
        set(key, value) {
          remember.run({ ...keyOf(name, key), value: JSON.stringify(value), keptMs })
          bound()
        },
        delete: (key) => void forget.run(keyOf(name, key)),
      }
    },

    purge(): void {
      client.exec(`delete from limits where ends_at <= ${NOW}; delete from remembered where ends_at <= ${NOW}`)
    },
  }
}
