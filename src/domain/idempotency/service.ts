import { createHash } from 'node:crypto'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { type KeptAnswer, keptAnswers, type RequestKey } from './answers.ts'

export type IdempotencyService = ReturnType<typeof idempotencyService>

/** The first request with this key is still being worked on. */
export class StillRunning extends AppError {
  constructor() {
    super('conflict', 'A request with this Idempotency-Key is still being worked on; try again in a second.')
  }
}

/** Bodies above this are made again from what was created. */
const LARGEST_BODY = 1024 * 1024

const digestOf = (parts: readonly (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256')
  // The length before each part keeps two of them from running into each other.
  for (const part of parts) hash.update(`${part.length}:`).update(part)
  return hash.digest()
}

interface Sent {
  userId: string
  operation: string
  key: string
  query: unknown
  /** As it was sent: what becomes of it is for the operation to judge. */
  bodyDigest: Buffer | undefined
}

export function idempotencyService({ db, clock }: { db: Db; clock: Clock }) {
  const answers = keptAnswers(db, clock)
  const running = new Set<string>()

  const keyOf = ({ userId, operation, key, query, bodyDigest }: Sent): RequestKey => ({
    id: digestOf([userId, operation, key]),
    userId,
    request: digestOf([JSON.stringify(query ?? null), bodyDigest ?? '']),
  })

  function given(key: RequestKey): KeptAnswer | undefined {
    const found = answers.find(key.id)
    if (found && !found.request.equals(Buffer.from(key.request))) {
      throw new AppError('validation_failed', 'This Idempotency-Key was used for another request.')
    }
    return found
  }

  /** The answer that was given before, or undefined for the first: then `end` must follow. */
  function begin(key: RequestKey): KeptAnswer | undefined {
    const name = Buffer.from(key.id).toString('base64')
    if (running.has(name)) throw new StillRunning()
    const found = given(key)
    if (!found) running.add(name)
    return found
  }

  /** After a failure: what another process has answered meanwhile, which then counts. Else a refusal is kept. */
  async function settle(key: RequestKey, refusal: KeptAnswer | undefined): Promise<KeptAnswer | undefined> {
    if (!refusal) return given(key)
    return write(db, 'uncached', () => {
      const found = given(key)
      if (!found) answers.keep(key, refusal)
      return found
    })
  }

  return {
    keyOf,
    begin,
    settle,
    end: ({ id }: RequestKey): void => void running.delete(Buffer.from(id).toString('base64')),
    /** Part of the transaction of the write. */
    keep: (key: RequestKey, { body, ...answer }: KeptAnswer): void => {
      const isLarge = answer.createdId !== null && (body?.length ?? 0) > LARGEST_BODY
      answers.keep(key, { ...answer, body: isLarge ? null : body })
    },
    purge: (): Promise<void> => write(db, 'uncached', answers.purge),
  }
}
