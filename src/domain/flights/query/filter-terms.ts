import { LRUCache } from 'lru-cache'
import type { Db } from '../../../db/open.ts'
import { sqliteOf } from '../../../db/sqlite/sqlite.ts'
import { fold, words } from '../../../lib/text.ts'
import { idsInFlights, type RecordIds, type ReferenceKind, referenceKinds } from '../../reference/kinds.ts'
import type { ReferenceService } from '../../reference/service.ts'
import { logStore } from '../store/log-store.ts'
import type { FlightFilter } from './filter-contract.ts'

/** The countries and words of a flight filter, resolved to the records and users that match them. */
export interface ResolvedTerms {
  inCountries: number[]
  words: {
    word: string
    airports: number[]
    airlines: number[]
    aircraft: number[]
    people: string[]
    /** Whether texts are matched in JavaScript because SQL has no `has_word`. */
    matchInProcess: boolean
  }[]
}

type Texts = readonly (string | null | undefined)[]
/** Of a flight; the name of a guest is passed as a note. */
export type FlightTexts = [number: string | null, registration: string | null, note: string | null]

const CHUNK_SIZE = 1000
const MAX_NAME_BYTES = 512 * 1024

const spaced = (texts: Texts) => ` ${words(fold(texts.filter(Boolean).join(' '))).join(' ')}`

/** A code also matches without hyphens and spaces. */
const joined = (code: string | null) => code?.replace(/[ -]/g, '')

const nextAfter: Record<ReferenceKind, (id: string) => string> = {
  airports: (id) =>
    `(select min(id) from (select min(from_id) as id from flights where from_id > ${id}
        union all select min(to_id) from flights where to_id > ${id}) ends)`,
  airlines: (id) => `(select min(airline_id) from flights where airline_id > ${id})`,
  aircraft: (id) => `(select min(aircraft_id) from flights where aircraft_id > ${id})`,
}

/** The ids in use after the given ids, by kind. The query builder has no recursion. */
const USED_AFTER = `with recursive ${referenceKinds.map(
  (kind) =>
    `used_${kind} (id) as (select ${nextAfter[kind](`@${kind}`)}
       union all select ${nextAfter[kind](`used_${kind}.id`)} from used_${kind} where used_${kind}.id is not null)`,
)}
  ${referenceKinds
    .map(
      (kind) =>
        `select * from (select '${kind}', id from used_${kind} where id is not null limit ${CHUNK_SIZE}) ${kind}`,
    )
    .join(' union all ')}`

const MAX_ID = Number.MAX_SAFE_INTEGER

export function termResolver(db: Db, { batch }: Pick<ReferenceService['records'], 'batch'>) {
  let last: { texts: Texts; all: string } = { texts: [], all: '' }
  // A flight can have 500 guests.
  const names = new LRUCache<string, string>({
    maxSize: MAX_NAME_BYTES,
    sizeCalculation: (all) => 4 * all.length,
    memoMethod: (name) => spaced([name]),
  })
  function allWords(texts: FlightTexts): string {
    const [number, registration, note] = texts
    if (number === null && registration === null && note !== null) return names.memo(note)
    if (texts.some((text, index) => text !== last.texts[index]))
      last = { texts, all: spaced([number, joined(number), registration, joined(registration), note]) }
    return last.all
  }
  const hasWord = (texts: FlightTexts, word: string): boolean => allWords(texts).includes(` ${word}`)
  const file = sqliteOf(db)
  file?.function('has_word', { deterministic: true }, (number, registration, note, word) =>
    Number(hasWord([number, registration, note] as FlightTexts, String(word))),
  )
  const usedAfter = db.$client.prepare(USED_AFTER).raw()
  const { usersAfter } = logStore(db)

  function* inUse(kinds: readonly ReferenceKind[]): Generator<RecordIds> {
    const after = Object.fromEntries(referenceKinds.map((kind) => [kind, kinds.includes(kind) ? 0 : MAX_ID]))
    while (Object.values(after).some((id) => id !== MAX_ID)) {
      const ids = idsInFlights([])
      for (const [kind, id] of usedAfter.all(after) as [ReferenceKind, number][]) ids[kind].add(id)
      yield ids
      for (const kind of referenceKinds) after[kind] = ids[kind].size < CHUNK_SIZE ? MAX_ID : [...ids[kind]].at(-1)!
    }
  }

  /** Yields an empty slice after each chunk of records. */
  function* resolveTerms({ country = [], text = [] }: FlightFilter): Generator<never[], ResolvedTerms> {
    const terms: ResolvedTerms = {
      inCountries: [],
      words: text.map((word) => {
        return { word, airports: [], airlines: [], aircraft: [], people: [], matchInProcess: !file }
      }),
    }
    function wordsIn(texts: Texts): ResolvedTerms['words'] {
      if (text.length === 0) return []
      const all = spaced(texts)
      return terms.words.filter(({ word }) => all.includes(` ${word}`))
    }
    if (country.length === 0 && text.length === 0) return terms
    const countries = new Set(country)
    const records = batch()
    for (const ids of inUse(text.length > 0 ? referenceKinds : ['airports'])) {
      records.add(ids)
      for (const id of ids.airports) {
        const airport = records.airport(id)!
        if (countries.has(airport.country)) terms.inCountries.push(id)
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
      yield []
    }
    if (text.length === 0) return terms
    for (let after = ''; ; ) {
      const some = usersAfter(after, CHUNK_SIZE)
      for (const { id, name } of some) for (const { people } of wordsIn([name])) people.push(id)
      yield []
      if (some.length < CHUNK_SIZE) break
      after = some.at(-1)!.id
    }
    const size = ({ airports, airlines, aircraft }: ResolvedTerms['words'][number]) =>
      airports.length + airlines.length + aircraft.length
    terms.words.sort((left, right) => size(left) - size(right) || right.word.length - left.word.length)
    return terms
  }

  return { resolveTerms, hasWord }
}
