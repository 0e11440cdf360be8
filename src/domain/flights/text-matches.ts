import type { Db } from '../../db/open.ts'
import type { Target } from './target.ts'
import { guestMayHaveWord, mayHaveWord, OWN_TEXTS, wordValues } from './text-conditions.ts'

type Texts = [number: string | null, registration: string | null, note: string | null]

/** Texts judged before others have their turn. */
const AT_ONCE = 1000

/**
 * Which flights have a word in their own texts or in the name of a guest, where the database cannot call what judges that:
 * PostgreSQL narrows it down, and the rest is judged here. Its own ways to fold case and accents are not ours.
 */
export function textMatches(db: Db, hasWord: (texts: Texts, word: string) => boolean) {
  const inLog = (id: string) => `and ${id} in (select flight_id from passengers where user_id = @userId)`
  const statements = (target: 'all' | 'own') => ({
    flights: db.$client
      .prepare(
        `select f.id, f.id, ${OWN_TEXTS.join(', ')} from flights f
         where f.id > @after and ${mayHaveWord(0)} ${target === 'all' ? '' : inLog('f.id')} order by f.id limit ${AT_ONCE}`,
      )
      .raw(),
    guests: db.$client
      .prepare(
        `select p.id, p.flight_id, null, null, p.guest_name from passengers p
         where p.id > @after and p.guest_name is not null and ${guestMayHaveWord('p.guest_name', 0)}
           ${target === 'all' ? '' : inLog('p.flight_id')} order by p.id limit ${AT_ONCE}`,
      )
      .raw(),
  })
  const [ofAll, ofOne] = [statements('all'), statements('own')]

  /** Stops after some texts. */
  return function* flightsWith(word: string, target: Target): Generator<undefined, number[]> {
    const found = new Set<number>()
    const { flights, guests } = target === 'all' ? ofAll : ofOne
    const values = { ...wordValues(0, word), ...(target !== 'all' && target) }
    for (const statement of [flights, guests]) {
      for (let after = 0; ; ) {
        const rows = statement.all({ ...values, after }) as [place: number, flightId: number, ...Texts][]
        for (const [, flightId, ...texts] of rows) if (hasWord(texts, word)) found.add(flightId)
        yield
        if (rows.length < AT_ONCE) break
        after = rows.at(-1)![0]
      }
    }
    return [...found]
  }
}
