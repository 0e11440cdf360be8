import { createHash } from 'node:crypto'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { answerStore, type RequestKey, type StoredAnswer } from './store.ts'

export type { RequestKey, StoredAnswer }

export type IdempotencyService = ReturnType<typeof idempotencyService>

export class StillRunning extends AppError {
  constructor() {
    super('conflict', 'A request with this Idempotency-Key is still running. Try again in a second.')
  }
}

/** Larger bodies are read again from the created record. */
const MAX_STORED_LENGTH = 1024 * 1024

function digestOf(parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256')
  // Lengths keep parts distinct.
  for (const part of parts) hash.update(`${part.length}:`).update(part)
  return hash.digest()
}

interface IdempotentRequest {
  userId: string
  operation: string
  key: string
  query: unknown
  bodyDigest: Buffer | undefined
}

export function idempotencyService({ db, clock }: { db: Db; clock: Clock }) {
  const answers = answerStore(db, clock)
  const running = new Set<string>()

  const keyOf = ({ userId, operation, key, query, bodyDigest }: IdempotentRequest): RequestKey => ({
    id: digestOf([userId, operation, key]),
    userId,
    request: digestOf([JSON.stringify(query ?? null), bodyDigest ?? '']),
  })

  function findAnswer(key: RequestKey): StoredAnswer | undefined {
    const found = answers.find(key.id)
    if (found && !found.request.equals(Buffer.from(key.request))) {
      throw new AppError('validation_failed', 'This Idempotency-Key was used for another request.')
    }
    return found
  }

  /** Returns the earlier answer. Without one, `end` must follow. */
  function begin(key: RequestKey): StoredAnswer | undefined {
    const name = Buffer.from(key.id).toString('base64')
    if (running.has(name)) throw new StillRunning()
    const found = findAnswer(key)
    if (!found) running.add(name)
    return found
  }

  /** After a failure: returns the answer of another process, or stores the error. */
  async function settle(key: RequestKey, error: StoredAnswer | undefined): Promise<StoredAnswer | undefined> {
    if (!error) return findAnswer(key)
    return write(db, 'uncached', () => {
      const found = findAnswer(key)
      if (!found) answers.save(key, error)
      return found
    })
  }

  return {
    keyOf,
    begin,
    settle,
    end: ({ id }: RequestKey): void => void running.delete(Buffer.from(id).toString('base64')),
    save: (key: RequestKey, { body, ...answer }: StoredAnswer): void => {
      const isLarge = answer.createdId !== null && (body?.length ?? 0) > MAX_STORED_LENGTH
      answers.save(key, { ...answer, body: isLarge ? null : body })
    },
    purge: (): Promise<void> => write(db, 'uncached', answers.purge),
  }
}
