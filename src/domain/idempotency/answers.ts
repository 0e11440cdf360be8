import { asc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { idempotentAnswers } from '../../db/tables/index.ts'
import type { Clock } from '../../lib/clock.ts'
import { DAY_MS } from '../../lib/dates.ts'
import { AppError } from '../../lib/errors.ts'

/** A request that may be sent again: plain, so that it can go to another thread. */
export interface RequestKey {
  /** Digest of user, operation and key. */
  id: Uint8Array
  userId: string
  /** Digest of query and body. */
  request: Uint8Array
}

export interface KeptAnswer {
  status: number
  /** JSON; null for a record that is read again by its id. */
  body: string | null
  createdId: number | null
}

const LIFETIME_MS = DAY_MS
/** Answers cleared at a time: others may write in between. */
const AT_ONCE = 200

export function keptAnswers(db: Db, clock: Clock) {
  const table = idempotentAnswers
  const find = db
    .select()
    .from(table)
    .where(eq(table.id, sql.placeholder('id')))
    .prepare()
  const oldest = db
    .select({ id: table.id })
    .from(table)
    .where(lt(table.createdAt, sql.placeholder('before')))
  const clear = db
    .delete(table)
    .where(inArray(table.id, oldest.orderBy(asc(table.createdAt)).limit(AT_ONCE)))
    .prepare()

  function living(id: Uint8Array) {
    const found = find.get({ id: Buffer.from(id) })
    return found && found.createdAt > clock() - LIFETIME_MS ? found : undefined
  }

  return {
    find: living,
    /** Part of the transaction of the write that is answered, which it undoes where another process was first. */
    keep: ({ id, userId, request }: RequestKey, answer: KeptAnswer): void => {
      if (living(id))
        throw new AppError('conflict', 'Another request with this Idempotency-Key was answered meanwhile.')
      const row = { id: Buffer.from(id), userId, request: Buffer.from(request), ...answer, createdAt: clock() }
      // One that has run out may still be there.
      db.insert(table).values(row).onConflictDoUpdate({ target: table.id, set: row }).run()
    },
    /** Clears the oldest of those that have run out. */
    purge: (): void => {
      clear.run({ before: clock() - LIFETIME_MS })
    },
  }
}
