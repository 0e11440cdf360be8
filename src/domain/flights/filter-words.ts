import { asc, gt, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../db/open.ts'
import { sqliteOf } from '../../db/sqlite.ts'
import { named, statements } from '../../db/statements.ts'
import { users } from '../../db/tables/users.ts'
import { fold, words } from '../../lib/text.ts'
import { idsInFlights, type RecordIds, type ReferenceKind, referenceKinds } from '../reference/kinds.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { FlightFilter } from './filter-contract.ts'

/**
 * What the countries and words of a flight filter mean. There are few different airports, airlines, types and users: each
 * is judged once, and SQL looks for flights with one of them.
 */

/** The records in use that lie in the countries, or have a word that begins with the wanted one, and so the users. */
export interface Meant {
  inCountries: number[]
  words: {
    word: string
    airports: number[]
    airlines: number[]
    aircraft: number[]
    people: string[]
    /** Whether matches are found slice by slice in JavaScript, where SQL cannot fold the text. */
    bySlice: boolean
  }[]
}

type Texts = readonly (string | null | undefined)[]
type HasWord = [number: string | null, registration: string | null, note: string | null, word: string]

/** Records judged before others have their turn. */
const AT_ONCE = 1000
/** Size of the cache of folded names. */
const MAX_NAME_BYTES = 512 * 1024

/** Every word of some texts behind a space, so that a word begins where a space is. */
const spaced = (texts: Texts) => ` ${words(fold(texts.filter(Boolean).join(' '))).join(' ')}`

/** A flight number and a registration are also words without their hyphens and spaces. */
const joined = (code: string | null) => code?.replace(/[ -]/g, '')

/** The next record after an id that flights have, found by the index however many flights have it. */
const nextAfter: Record<ReferenceKind, (id: string) => string> = {
  airports: (id) =>
    `(select min(id) from (select min(from_id) as id from flights where from_id > ${id}
        union all select min(to_id) from flights where to_id > ${id}) ends)`,
  airlines: (id) => `(select min(airline_id) from flights where airline_id > ${id})`,
  aircraft: (id) => `(select min(aircraft_id) from flights where aircraft_id > ${id})`,
}

/** The records of each kind that flights have, after these ids. The builder knows no recursion. */
const USED_AFTER = `with recursive ${referenceKinds.map(
  (kind) =>
    `used_${kind} (id) as (select ${nextAfter[kind](`@${kind}`)}
       union all select ${nextAfter[kind](`used_${kind}.id`)} from used_${kind} where used_${kind}.id is not null)`,
)}
  ${referenceKinds
    .map(
      (kind) => `select * from (select '${kind}', id from used_${kind} where id is not null limit ${AT_ONCE}) ${kind}`,
    )
    .join(' union all ')}`

/** No id is higher. */
const END = Number.MAX_SAFE_INTEGER

export function filterWords(db: Db, { batch }: Pick<ReferenceService['records'], 'batch'>) {
  const client = db.$client
  // The words of a filter are looked for in one flight after the other.
  let last: { texts: Texts; all: string } = { texts: [], all: '' }
  // Every word is compared with every guest name, and a flight can have 500 guests.
  const names = new LRUCache<string, string>({
    maxSize: MAX_NAME_BYTES,
    sizeCalculation: (all) => 4 * all.length,
    memoMethod: (name) => spaced([name]),
  })
  function allWords(number: string | null, registration: string | null, note: string | null): string {
    if (number === null && registration === null && note !== null) return names.memo(note)
    const texts = [number, registration, note]
    if (texts.some((text, index) => text !== last.texts[index]))
      last = { texts, all: spaced([number, joined(number), registration, joined(registration), note]) }
    return last.all
  }
  const hasWord = (number: string | null, registration: string | null, note: string | null, word: string): boolean =>
    allWords(number, registration, note).includes(` ${word}`)
  const file = sqliteOf(db)
  // SQLite takes the number of arguments from the function.
  file?.function('has_word', { deterministic: true }, (number, registration, note, word) =>
    Number(hasWord(...([number, registration, note, word] as HasWord))),
  )
  const usedAfter = client.prepare(USED_AFTER).raw()
  const namesAfter = statements(db).rows(
    db
      .select(named({ id: users.id, name: users.displayName }))
      .from(users)
      .where(gt(users.id, sql.placeholder('after')))
      .orderBy(asc(users.id))
      .limit(AT_ONCE),
  )

  /** Every record in use, some at a time. */
  function* inUse(kinds: readonly ReferenceKind[]): Generator<RecordIds> {
    const after = Object.fromEntries(referenceKinds.map((kind) => [kind, kinds.includes(kind) ? 0 : END]))
    while (Object.values(after).some((id) => id !== END)) {
      const ids = idsInFlights([])
      for (const [kind, id] of usedAfter.all(after) as [ReferenceKind, number][]) ids[kind].add(id)
      yield ids
      for (const kind of referenceKinds) after[kind] = ids[kind].size < AT_ONCE ? END : [...ids[kind]].at(-1)!
    }
  }

  /** Stops after some records, so that others have their turn. */
  function* meantBy({ country = [], text = [] }: FlightFilter): Generator<undefined, Meant> {
    const meant: Meant = {
      inCountries: [],
      words: text.map((word) => ({ word, airports: [], airlines: [], aircraft: [], people: [], bySlice: !file })),
    }
    function wordsIn(texts: Texts): Meant['words'] {
      if (text.length === 0) return []
      const all = spaced(texts)
      return meant.words.filter(({ word }) => all.includes(` ${word}`))
    }
    if (country.length === 0 && text.length === 0) return meant
    const countries = new Set(country)
    const records = batch()
    for (const ids of inUse(text.length > 0 ? referenceKinds : ['airports'])) {
      records.add(ids)
      for (const id of ids.airports) {
        const airport = records.airport(id)!
        if (countries.has(airport.country)) meant.inCountries.push(id)
        for (const { airports } of wordsIn([airport.iata, airport.icao, airport.name, airport.municipality]))
          airports.push(id)
      }
      for (const id of ids.airlines) {
        const { name, iata, icao } = records.airline(id)!
        for (const { airlines } of wordsIn([name, iata, icao])) airlines.push(id)
      }
      for (const id of ids.aircraft) {
        const { name, icao } = records.aircraft(id)!
        for (const { aircraft } of wordsIn([name, icao])) aircraft.push(id)
      }
      yield
    }
    if (text.length === 0) return meant
    for (let after = ''; ; ) {
      const some = namesAfter.all({ after })
      for (const { id, name } of some) for (const { people } of wordsIn([name])) people.push(id)
      yield
      if (some.length < AT_ONCE) break
      after = some.at(-1)!.id
    }
    // What fewest records have comes first: most flights are told by it alone.
    const size = ({ airports, airlines, aircraft }: Meant['words'][number]) =>
      airports.length + airlines.length + aircraft.length
    meant.words.sort((left, right) => size(left) - size(right) || right.word.length - left.word.length)
    return meant
  }

  return { meantBy, hasWord }
}
