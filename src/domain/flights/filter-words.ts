import { asc, gt, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../db/open.ts'
import { fileOf } from '../../db/sqlite.ts'
import { named, statements } from '../../db/statements.ts'
import { users } from '../../db/tables/users.ts'
import { fold, words } from '../../lib/text.ts'
import type { Aircraft, Airline, Airport } from '../reference/contract.ts'
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

interface Records {
  airport: (id: number) => Airport | undefined
  airline: (id: number) => Airline | undefined
  aircraft: (id: number) => Aircraft | undefined
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

/** From one value of an indexed column to the next, however many flights have each. The builder knows no recursion. */
const usedAfter = (column: string) =>
  `with recursive used (id) as (
     select min(${column}) from flights where ${column} > @after
     union all
     select (select min(${column}) from flights where ${column} > used.id) from used where used.id is not null
   ) select id from used where id is not null limit ${AT_ONCE}`

export function filterWords(db: Db, records: Records) {
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
  const file = fileOf(db)
  // SQLite takes the number of arguments from the function.
  file?.function('has_word', { deterministic: true }, (number, registration, note, word) =>
    Number(hasWord(...([number, registration, note, word] as HasWord))),
  )
  const used = {
    from: client.prepare(usedAfter('from_id')).pluck(),
    to: client.prepare(usedAfter('to_id')).pluck(),
    airline: client.prepare(usedAfter('airline_id')).pluck(),
    aircraft: client.prepare(usedAfter('aircraft_id')).pluck(),
  }
  const namesAfter = statements(db).rows(
    db
      .select(named({ id: users.id, name: users.displayName }))
      .from(users)
      .where(gt(users.id, sql.placeholder('after')))
      .orderBy(asc(users.id))
      .limit(AT_ONCE),
  )

  /** Every record in use, some at a time. */
  function* inUse(kind: keyof typeof used): Generator<number[]> {
    for (let after = 0; ; ) {
      const ids = used[kind].all({ after }) as number[]
      yield ids
      if (ids.length < AT_ONCE) return
      after = ids.at(-1)!
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
    const seen = new Set<number>()
    for (const end of ['from', 'to'] as const) {
      for (const ids of inUse(end)) {
        for (const id of ids.filter((each) => !seen.has(each))) {
          seen.add(id)
          const airport = records.airport(id)!
          if (countries.has(airport.country)) meant.inCountries.push(id)
          for (const { airports } of wordsIn([airport.iata, airport.icao, airport.name, airport.municipality]))
            airports.push(id)
        }
        yield
      }
    }
    if (text.length === 0) return meant
    for (const ids of inUse('airline')) {
      for (const id of ids) {
        const { name, iata, icao } = records.airline(id)!
        for (const { airlines } of wordsIn([name, iata, icao])) airlines.push(id)
      }
      yield
    }
    for (const ids of inUse('aircraft')) {
      for (const id of ids) {
        const { name, icao } = records.aircraft(id)!
        for (const { aircraft } of wordsIn([name, icao])) aircraft.push(id)
      }
      yield
    }
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
