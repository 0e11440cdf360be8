import type { Statement } from '../../../db/engine.ts'
import type { Position } from '../../../lib/cursor.ts'
import type { ResolvedTerms } from './filter-terms.ts'

/**
 * Narrows text filters by the indexes on `flight_words`, for PostgreSQL: it folds case and accents differently, so it returns
 * candidates, which `matchTexts` compares.
 */

/** Shorter words match too many flights. */
const MIN_LETTERS = 3
/** `flight_words` cuts longer words. */
const MAX_LETTERS = 100
/** With more candidates, reading the log until a page is full takes less time. */
export const MAX_CANDIDATES = 10_000
/** A word with more flights by the names of their passengers does not narrow. */
const MAX_BY_NAME = 5_000
/** The longest words are the most selective. */
const MAX_WORDS = 4

/** As in `flight_words`: letters of words, and characters of scripts without spaces. */
const LETTERS = /^[a-z0-9\u03b1-\u03c9\u0430-\u045f\u05d0-\u05ea\u0621-\u064a\u1100-\u11ff]*/
const CHARACTERS = /[\u0904-\u0939\u0e01-\u0e2e\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff]/g

const quoted = (lexeme: string) => `'${lexeme}'`

/** A `tsquery` for all texts in which the folded word may begin a word; undefined if it cannot be narrowed. */
export function lexemesOf(word: string): string | undefined {
  const sigma = word.replaceAll('ς', 'σ')
  const letters = LETTERS.exec(sigma)![0].slice(0, MAX_LETTERS)
  const characters = [...new Set(sigma.match(CHARACTERS))]
  if (letters.length < MIN_LETTERS && characters.length === 0) return undefined
  // PostgreSQL may not remove a mark between the letters.
  const beginnings = Array.from(letters, (_, index) => quoted(`${letters.slice(0, index + 1)}~`))
  const ofLetters = letters === '' ? [] : [`(${[`${quoted(letters)}:*`, ...beginnings].join(' | ')})`]
  return `(${[...ofLetters, ...characters.map(quoted)].join(' & ')}) | '~~'`
}

/** Flights by the names of guests and users. */
const BY_NAME = `
  select flight_id from (
    select flight_id from passengers
      where guest_name is not null and flight_words(null, null, guest_name) @@ @lexemes::tsquery
    union all
    select flight_id from passengers where user_id in (select value from json_each(@people, '$'))) named limit @limit`

interface Condition {
  sql: string
  values: Record<string, string>
}

export function textCandidates(prepared: (sql: string) => Statement) {
  /** Undefined if the word does not narrow. */
  function conditionOf(word: ResolvedTerms['words'][number], index: number): Condition | undefined {
    const lexemes = lexemesOf(word.word)
    if (lexemes === undefined) return undefined
    const people = { lexemes, people: JSON.stringify(word.people), limit: MAX_BY_NAME + 1 }
    const byName = prepared(BY_NAME).pluck().all(people) as number[]
    if (byName.length > MAX_BY_NAME) return undefined
    const lists = [
      ['id', byName],
      ['from_id', word.airports],
      ['to_id', word.airports],
      ['airline_id', word.airlines],
      ['aircraft_id', word.aircraft],
    ] as const
    const used = lists.filter(([, ids]) => ids.length > 0)
    const conditions = used.map(([column]) => `${column} in (select value from json_each(@${column}${index}))`)
    conditions.push(`flight_words(flight_number, aircraft_reg, note) @@ @lexemes${index}::tsquery`)
    const values = used.map(([column, ids]) => [`${column}${index}`, JSON.stringify(ids)])
    return {
      sql: `(${conditions.join(' or ')})`,
      values: { [`lexemes${index}`]: lexemes, ...Object.fromEntries(values) },
    }
  }

  /** Newest first; undefined if there are too many. */
  return function candidates(words: ResolvedTerms['words']): Position[] | undefined {
    const longest = words.toSorted((left, right) => right.word.length - left.word.length).slice(0, MAX_WORDS)
    const conditions = longest.flatMap((word, index) => conditionOf(word, index) ?? [])
    if (conditions.length === 0) return undefined
    const condition = conditions.map(({ sql }) => sql).join(' and ')
    return findPositions(
      prepared,
      `select id, date from flights where ${condition}`,
      Object.assign({}, ...conditions.map(({ values }) => values)),
    )
  }
}

/** All flights of a query, newest first; undefined if there are more than `MAX_CANDIDATES`. For PostgreSQL. */
export function findPositions(
  prepared: (sql: string) => Statement,
  query: string,
  values: object,
): Position[] | undefined {
  // The planner expects matches everywhere and would scan the table up to the limit, so it must not see the limit.
  // One text, because many rows take longer to transfer.
  const find = prepared(
    `with found (id, date) as materialized (${query})
     select string_agg(id || ' ' || date, ',') from (select * from found limit @limit) few`,
  )
  const text = find.pluck().get({ ...values, limit: MAX_CANDIDATES + 1 }) as string | null
  const rows = text?.split(',') ?? []
  return rows.length > MAX_CANDIDATES ? undefined : rows.map(readPosition).sort(byPosition)
}

function readPosition(row: string): Position {
  const space = row.indexOf(' ')
  return [row.slice(space + 1), Number(row.slice(0, space))]
}

const byPosition = ([leftDate, left]: Position, [rightDate, right]: Position) =>
  leftDate === rightDate ? right - left : leftDate < rightDate ? 1 : -1
