import type { Caller } from '../../access/caller.ts'
import type { Flight } from '../../domain/flights/contract.ts'
import type { MemoryService } from '../../domain/memory/service.ts'
import { DAY_MS } from '../../lib/dates.ts'
import { AppError } from '../../lib/errors.ts'
import { digestText } from '../../lib/secret.ts'

/** Thousands of forms, each for as long as others do not drive it out. */
export const SENT_FORMS = { maxBytes: 512 * 1024, maxEntries: 4096, sizeOf: () => 128, ttlMs: DAY_MS }

class SentMeanwhile extends AppError {
  constructor() {
    super('conflict', 'This form was sent twice, and its flight is gone already. Send it once more.')
  }
}

/**
 * Forms that have made something: a second press of the button, or a page that is loaded again, sends them again, and
 * must not make it twice. It is the same form where all of it is the same: its CSRF value is another one each time it is
 * shown.
 */
export function sentForms(memory: MemoryService, name: string) {
  const made = memory.store<number>(name, SENT_FORMS)

  /** Undefined also when the flight has been deleted since. */
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
    /** Taken before the form is worked on, which fills some of it in. */
    keyOf: ({ userId }: Caller, form: URLSearchParams): string => digestText(`${userId} ${form.toString()}`),
    /** `create` calls back inside its transaction: of two that come at once, to one process or to two, one is undone. */
    async once(
      key: string,
      get: (id: number) => Flight,
      create: (created: (flight: Flight) => void) => Promise<Flight>,
    ): Promise<Flight> {
      const before = madeBy(key, get)
      if (before) return before
      let mine: number | undefined
      try {
        return await create(({ id }) => {
          // A transaction may be done again: what it left in memory the first time is no other form.
          if (made.get(key) !== mine && madeBy(key, get)) throw new SentMeanwhile()
          made.set(key, id)
          mine = id
        })
      } catch (error) {
        // Nothing was committed, and the next flight may get this id.
        if (mine !== undefined && made.get(key) === mine) made.delete(key)
        const other = error instanceof SentMeanwhile ? madeBy(key, get) : undefined
        if (!other) throw error
        return other
      }
    },
  }
}
