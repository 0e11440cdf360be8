import type { Statement } from '../../../db/engine.ts'
import { IS_COMPLETED } from '../times.ts'
import type { FlightFilter } from './filter-contract.ts'
import type { FlightTexts, ResolvedTerms } from './filter-terms.ts'
import type { Target } from './target.ts'

/**
 * Translates the flight filter to SQL text, since the query builder cannot prepare statements with lists once. Values are
 * always bound.
 */

/** Conditions on a flight `f` and, for the log of one user, the passenger `p`. The cheapest come first. */
interface Conditions {
  sql: string[]
  values: Record<string, string | number>
  needsFlight: boolean
  readsTexts: boolean
}

const oneOf = (column: string, name: string) => `${column} in (select value from json_each(@${name}))`

/** For texts, like `jsonTexts`. */
const oneText = (column: string, name: string) => `${column} in (select value from json_each(@${name}, '$'))`

const plain = (column: string) => `replace(replace(upper(${column}), ' ', ''), '-', '')`
export const PLAIN_NUMBER = plain('flight_number')
export const PLAIN_REGISTRATION = plain('aircraft_reg')

function orNone(isListed: string, column: string, items: readonly unknown[]): string {
  return items.includes('none') ? `(${isListed} or ${column} is null)` : isListed
}

/** A user id, or a guest name after a space: the expression of the index passengers_once. */
const personOf = (passenger: string) =>
  `case when ${passenger}.user_id is null then ' ' || ${passenger}.guest_name else ${passenger}.user_id end`

/** An id that starts with a space must not match a guest. */
export const isUser = (passenger: string, name: string) =>
  `${personOf(passenger)} = @${name} and substr(@${name}, 1, 1) <> ' '`

/** LIKE ignores case only in ASCII. */
const isNotAscii = (text: string) => `octet_length(${text}) <> length(${text})`

const FLIGHT_TEXTS = ['f.flight_number', 'f.aircraft_reg', 'f.note'] as const

/** A cheap condition before `has_word`. Codes may have hyphens and spaces between the letters of the word. */
function mayHaveWord(index: number): string {
  const codes = FLIGHT_TEXTS.slice(0, 2).map((code) => `${code} like @letters${index}`)
  return `(${[...codes, `f.note like @like${index}`, ...FLIGHT_TEXTS.map(isNotAscii)].join(' or ')})`
}

const guestMayHaveWord = (name: string, index: number) => `(${name} like @like${index} or ${isNotAscii(name)})`

/** The cost of LIKE grows with the pattern, and a prefix is selective enough. */
const MAX_PATTERN_LETTERS = 8

function wordValues(index: number, word: string) {
  const letters = [...word].slice(0, MAX_PATTERN_LETTERS)
  return {
    [`word${index}`]: word,
    [`like${index}`]: `%${letters.join('')}%`,
    [`letters${index}`]: `%${letters.join('%')}%`,
  }
}

/**
 * Selects the candidates among some flights and matches them in JavaScript, for PostgreSQL: it folds case and accents
 * differently and cannot call `has_word`.
 */
export function matchTexts(
  prepared: (sql: string) => Statement,
  hasWord: (texts: FlightTexts, word: string) => boolean,
) {
  return function matchesIn(ids: string, words: readonly string[], values: object): number[][] {
    const anyWord = (condition: (index: number) => string) => words.map((_, index) => condition(index)).join(' or ')
    // Arrays, because the planner would join the whole table with a subquery.
    const candidates = prepared(
      `select f.id as id, ${FLIGHT_TEXTS.join(', ')} from flights f where f.id = any(array(${ids})) and (${anyWord(mayHaveWord)})
       union all
       select x.flight_id, null, null, x.guest_name from passengers x where x.flight_id = any(array(${ids})) and x.guest_name is not null
         and (${anyWord((index) => guestMayHaveWord('x.guest_name', index))})`,
    ).raw()
    const found = words.map((): number[] => [])
    for (const [id, ...texts] of candidates.all(values) as [flightId: number, ...FlightTexts][])
      for (const [index, word] of words.entries()) if (hasWord(texts, word)) found[index]!.push(id)
    return found
  }
}

/** The word begins a word of a record of the flight, of its own texts, or of a passenger's name. */
function wordCondition(index: number, word: ResolvedTerms['words'][number], id: string) {
  const { airports, airlines, aircraft, people, matchInProcess } = word
  const person = personOf('x')
  // Guests start with a space, which sorts before all other characters.
  const guest = `${person} < '!' and ${guestMayHaveWord(person, index)} and has_word(null, null, ${person}, @word${index})`
  const aboard = (condition: string) => `exists (select 1 from passengers x where x.flight_id = ${id} and ${condition})`
  return `(${[
    ...(airports.length > 0 ? ['f.from_id', 'f.to_id'].map((column) => oneOf(column, `airports${index}`)) : []),
    ...(airlines.length > 0 ? [oneOf('f.airline_id', `airlines${index}`)] : []),
    ...(aircraft.length > 0 ? [oneOf('f.aircraft_id', `aircraft${index}`)] : []),
    matchInProcess
      ? oneOf(id, `flights${index}`)
      : `${mayHaveWord(index)} and has_word(${FLIGHT_TEXTS.join(', ')}, @word${index})`,
    ...(people.length > 0 ? [aboard(oneText(person, `people${index}`))] : []),
    ...(matchInProcess ? [] : [aboard(guest)]),
  ].join(' or ')})`
}

const PASSENGER_COLUMNS = { seat: 'seat', seatClass: 'seat_class', flightReason: 'flight_reason' } as const

/** All conditions but the dates, which bound the walk. `@now` is bound by the walk. */
export function conditionsOf(filter: FlightFilter, terms: ResolvedTerms, target: Target): Conditions {
  const id = target === 'all' ? 'f.id' : 'p.flight_id'
  const ofFlight: string[] = []
  const ofPassenger: string[] = []
  const ofOthers: string[] = []
  const values: Conditions['values'] = {}
  const json = (name: string, items: readonly unknown[]) => {
    values[name] = JSON.stringify(items)
  }
  function listed(name: string, columns: readonly string[], items: readonly (number | 'none')[] | undefined): void {
    if (!items) return
    json(
      name,
      items.filter((item) => item !== 'none'),
    )
    ofFlight.push(`(${columns.map((column) => orNone(oneOf(column, name), column, items)).join(' or ')})`)
  }
  function code(name: 'flightNumber' | 'aircraftReg', column: string): void {
    if (filter[name] === undefined) return
    values[name] = filter[name]
    ofFlight.push(`${plain(column)} = @${name}`)
  }
  if (filter.completed !== undefined) {
    ofFlight.push(filter.completed ? IS_COMPLETED : `not (${IS_COMPLETED})`)
  }
  listed('fromId', ['f.from_id'], filter.fromId)
  listed('toId', ['f.to_id'], filter.toId)
  listed('airlineId', ['f.airline_id'], filter.airlineId)
  listed('aircraftId', ['f.aircraft_id'], filter.aircraftId)
  listed('airportId', ['f.from_id', 'f.to_id'], filter.airportId)
  listed('inCountries', ['f.from_id', 'f.to_id'], filter.country && terms.inCountries)
  code('flightNumber', 'f.flight_number')
  code('aircraftReg', 'f.aircraft_reg')
  for (const name of ['seat', 'seatClass', 'flightReason'] as const) {
    const items = filter[name]
    if (!items) continue
    json(name, items)
    const column = `${target === 'all' ? 'x' : 'p'}.${PASSENGER_COLUMNS[name]}`
    const condition = orNone(oneText(column, name), column, items)
    if (target !== 'all') ofPassenger.push(condition)
    else ofPassenger.push(`exists (select 1 from passengers x where x.flight_id = f.id and ${condition})`)
  }
  if (filter.tripId && target !== 'all') {
    json(
      'tripId',
      filter.tripId.filter((item) => item !== 'none'),
    )
    ofPassenger.push(orNone(oneOf('p.trip_id', 'tripId'), 'p.trip_id', filter.tripId))
  }
  if (filter.hasTrack !== undefined) {
    const exists = `exists (select 1 from flight_tracks t where t.flight_id = ${id})`
    ofOthers.push(filter.hasTrack ? exists : `not ${exists}`)
  }
  for (const [index, userId] of (filter.companion ?? []).entries()) {
    ofOthers.push(
      `exists (select 1 from passengers x where x.flight_id = ${id} and ${isUser('x', `companion${index}`)})`,
    )
    values[`companion${index}`] = userId
  }
  for (const [index, word] of terms.words.entries()) {
    ofFlight.push(wordCondition(index, word, id))
    for (const kind of ['airports', 'airlines', 'aircraft', 'people'] as const) json(`${kind}${index}`, word[kind])
    Object.assign(values, wordValues(index, word.word))
  }
  const readsTexts = terms.words.length > 0 || (target === 'all' && ofPassenger.length > 0)
  return { sql: [...ofPassenger, ...ofOthers, ...ofFlight], values, needsFlight: ofFlight.length > 0, readsTexts }
}
