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

/** The columns of flights that refer to records of reference data. */
const REFERENCES = [
  { column: 'from_id', kind: 'airports' },
  { column: 'to_id', kind: 'airports' },
  { column: 'airline_id', kind: 'airlines' },
  { column: 'aircraft_id', kind: 'aircraft' },
] as const satisfies { column: string; kind: ReferenceKind }[]
type Column = (typeof REFERENCES)[number]['column']

const nextId = (column: Column, after: string) => `(select min(${column}) from flights where ${column} > ${after})`

/**
 * The ids in use after the given ids, as one text per column, because many rows take longer to transfer. The query builder
 * has no recursion.
 */
const USED_AFTER = `with recursive ${REFERENCES.map(
  ({ column }) =>
    `used_${column} (id) as (select ${nextId(column, `@${column}`)}
       union all select ${nextId(column, `used_${column}.id`)} from used_${column} where used_${column}.id is not null)`,
)}
  ${REFERENCES.map(
    ({ column }) =>
      `select '${column}', string_agg(cast(id as text), ',')
         from (select id from used_${column} where id is not null limit ${CHUNK_SIZE}) ${column}`,
  ).join(' union all ')}`

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

  /** Each id once. */
  function* inUse(kinds: readonly ReferenceKind[]): Generator<RecordIds> {
    const columns = REFERENCES.filter(({ kind }) => kinds.includes(kind))
    const all = idsInFlights([])
    const after = Object.fromEntries(REFERENCES.map(({ column }) => [column, MAX_ID]))
    for (const { column } of columns) after[column] = 0
    while (Object.values(after).some((id) => id !== MAX_ID)) {
      const found = new Map(usedAfter.all(after) as [Column, string | null][])
      const ids = idsInFlights([])
      for (const { column, kind } of columns) {
        const some = found.get(column)?.split(',').map(Number) ?? []
        for (const id of some) if (!all[kind].has(id)) ids[kind].add(id)
        after[column] = some.length < CHUNK_SIZE ? MAX_ID : some.at(-1)!
      }
      for (const kind of kinds) for (const id of ids[kind]) all[kind].add(id)
      yield ids
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
