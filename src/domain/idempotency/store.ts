import { asc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { idempotentAnswers } from '../../db/tables/index.ts'
import type { Clock } from '../../lib/clock.ts'
import { DAY_MS } from '../../lib/dates.ts'
import { AppError } from '../../lib/errors.ts'

/** Serializable, because it is sent to a worker. */
export interface RequestKey {
  id: Uint8Array
  userId: string
  request: Uint8Array
}

export interface StoredAnswer {
  status: number
  /** JSON; null for a record that is read again by its id. */
  body: string | null
  createdId: number | null
}

const LIFETIME_MS = DAY_MS
/** Small batches, so that other writes can run in between. */
const PURGE_BATCH_SIZE = 200

export function answerStore(db: Db, clock: Clock) {
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
    .where(inArray(table.id, oldest.orderBy(asc(table.createdAt)).limit(PURGE_BATCH_SIZE)))
    .prepare()

  function findActive(id: Uint8Array) {
    const found = find.get({ id: Buffer.from(id) })
    return found && found.createdAt > clock() - LIFETIME_MS ? found : undefined
  }

  return {
    find: findActive,
    /** Called in the transaction of the write, which fails if another process was first. */
    save: ({ id, userId, request }: RequestKey, answer: StoredAnswer): void => {
      if (findActive(id))
        throw new AppError('conflict', 'Another request with this Idempotency-Key was answered meanwhile.')
      const row = { id: Buffer.from(id), userId, request: Buffer.from(request), ...answer, createdAt: clock() }
      // An expired answer may still be stored.
      db.insert(table).values(row).onConflictDoUpdate({ target: table.id, set: row }).run()
    },
    purge: (): void => {
      clear.run({ before: clock() - LIFETIME_MS })
    },
  }
}
