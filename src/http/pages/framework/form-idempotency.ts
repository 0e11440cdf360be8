import type { Caller } from '../../../access/caller.ts'
import type { Flight } from '../../../domain/flights/contract.ts'
import type { MemoryService } from '../../../domain/memory/service.ts'
import { DAY_MS } from '../../../lib/dates.ts'
import { AppError } from '../../../lib/errors.ts'
import { digestText } from '../../../lib/secret.ts'
import type { PageTexts } from '../texts/languages.ts'

export const FORM_STORE_OPTIONS = { maxBytes: 512 * 1024, maxEntries: 4096, sizeOf: () => 128, ttlMs: DAY_MS }

class SentConcurrently extends AppError {
  constructor({ errors }: PageTexts) {
    super('conflict', errors.sentTwice)
  }
}

/**
 * Creates one flight for a form that is sent several times, by a double click or a reload. Forms are compared as a whole,
 * since each rendered form has its own CSRF token.
 */
export function formIdempotency(memory: MemoryService, name: string) {
  const made = memory.store<number>(name, FORM_STORE_OPTIONS)

  /** Undefined if the flight has been deleted since. */
  function madeBy(key: string, get: (id: number) => Flight): Flight | undefined {
    const id = made.get(key)
    try {
      return id === undefined ? undefined : get(id)
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return undefined
      throw error
    }
  }

  return {
    /** To be called before the form is processed, which fills in fields. */
    keyOf: ({ userId }: Caller, form: URLSearchParams): string => digestText(`${userId} ${form.toString()}`),
    /** `create` calls back inside its transaction, so that one of two concurrent requests is rolled back. */
    async once(
      texts: PageTexts,
      key: string,
      get: (id: number) => Flight,
      create: (created: (flight: Flight) => void) => Promise<Flight>,
    ): Promise<Flight> {
      const before = madeBy(key, get)
      if (before) return before
      let mine: number | undefined
      try {
        return await create(({ id }) => {
          // A retried transaction finds the id of its own first attempt.
          if (made.get(key) !== mine && madeBy(key, get)) throw new SentConcurrently(texts)
          made.set(key, id)
          mine = id
        })
      } catch (error) {
        // Nothing was committed, and another flight may get this id.
        if (mine !== undefined && made.get(key) === mine) made.delete(key)
        const other = error instanceof SentConcurrently ? madeBy(key, get) : undefined
        if (!other) throw error
        return other
      }
    },
  }
}
