import type { Statement } from '../../db/engine.ts'
import { guestMayHaveWord, mayHaveWord, OWN_TEXTS } from './text-conditions.ts'

type Texts = [number: string | null, registration: string | null, note: string | null]

interface Dependencies {
  prepared: (sql: string) => Statement
  hasWord: (texts: Texts, word: string) => boolean
}

/**
 * Which flights have a word in their own texts or in the name of a guest, where the database cannot call what judges that:
 * PostgreSQL narrows it down, and the rest is judged here. Its own ways to fold case and accents are not ours.
 */
export function textMatches({ prepared, hasWord }: Dependencies) {
  /** Matches each word against the flights of one slice. */
  return function matchesIn(ids: string, words: readonly string[], values: object): Map<string, number[]> {
    const anyWord = (condition: (index: number) => string) => words.map((_, index) => condition(index)).join(' or ')
    const candidates = prepared(
      `select f.id as id, ${OWN_TEXTS.join(', ')} from flights f where f.id in (${ids}) and (${anyWord(mayHaveWord)})
       union all
       select x.flight_id, null, null, x.guest_name from passengers x where x.flight_id in (${ids}) and x.guest_name is not null
         and (${anyWord((index) => guestMayHaveWord('x.guest_name', index))})`,
    ).raw()
    const found = new Map(words.map((word) => [word, new Set<number>()]))
    for (const [id, ...texts] of candidates.all(values) as [flightId: number, ...Texts][])
      for (const [word, ids] of found) if (!ids.has(id) && hasWord(texts, word)) ids.add(id)
    return new Map([...found].map(([word, ids]) => [word, [...ids]]))
  }
}
