import type { FlightFilter } from './filter-contract.ts'
import type { Meant } from './filter-words.ts'
import type { Target } from './target.ts'
import { guestMayHaveWord, mayHaveWord, OWN_TEXTS, wordValues } from './text-conditions.ts'
import { IS_COMPLETED } from './times.ts'

/**
 * The one translation of the flight filter to SQL. It is put together at run time and binds lists as JSON, neither of which
 * the query builder can prepare once; values are always bound, never written into the text.
 */

/** Conditions on a flight `f` and, for the log of one user, that user's place `p` on it. Those that cost least come first. */
interface Conditions {
  sql: string[]
  values: Record<string, string | number>
  /** False where the place alone tells. */
  needsFlight: boolean
  /** Whether the filter reads notes or passenger names, which can be long. */
  readsTexts: boolean
}

const oneOf = (column: string, name: string) => `${column} in (select value from json_each(@${name}))`

/** The same in a list of texts, as `jsonTexts` has it. */
const oneText = (column: string, name: string) => `${column} in (select value from json_each(@${name}, '$'))`

/** As `normalizeCode` does it. */
const plain = (column: string) => `replace(replace(upper(${column}), ' ', ''), '-', '')`
export const PLAIN_NUMBER = plain('flight_number')
export const PLAIN_REGISTRATION = plain('aircraft_reg')

const withoutNone = (items: readonly (number | 'none')[]) => items.filter((item) => item !== 'none')

function orNone(isListed: string, column: string, items: readonly unknown[]): string {
  return items.includes('none') ? `(${isListed} or ${column} is null)` : isListed
}

/** Somebody aboard: the id of a user, or a guest's name behind a space. As it stands in passengers_once, which then suffices. */
const PERSON = (place: string) =>
  `case when ${place}.user_id is null then ' ' || ${place}.guest_name else ${place}.user_id end`

/** This user's place, as the index has it; a guest is not found by a name with its space that was given as an id. */
export const isUser = (place: string, name: string) => `${PERSON(place)} = @${name} and substr(@${name}, 1, 1) <> ' '`

/**
 * Those texts of a flight that are its own. Few get as far as `has_word`: most are plain, lack the word, and have not even
 * its letters in this order in their codes, where hyphens and spaces do not count.
 */
function ownWord(index: number): string {
  return `${mayHaveWord(index)} and has_word(${OWN_TEXTS.join(', ')}, @word${index})`
}

/** A word begins a word of a record that the flight has, of the flight itself, or of somebody's name. */
function wordCondition(index: number, word: Meant['words'][number], id: string) {
  const { airports, airlines, aircraft, people, bySlice } = word
  const person = PERSON('x')
  // Only guests come before any other letter than a space.
  const guest = `${person} < '!' and ${guestMayHaveWord(person, index)} and has_word(null, null, ${person}, @word${index})`
  const aboard = (condition: string) => `exists (select 1 from passengers x where x.flight_id = ${id} and ${condition})`
  return `(${[
    ...(airports.length > 0 ? ['f.from_id', 'f.to_id'].map((column) => oneOf(column, `airports${index}`)) : []),
    ...(airlines.length > 0 ? [oneOf('f.airline_id', `airlines${index}`)] : []),
    ...(aircraft.length > 0 ? [oneOf('f.aircraft_id', `aircraft${index}`)] : []),
    bySlice ? oneOf(id, `flights${index}`) : ownWord(index),
    ...(people.length > 0 ? [aboard(oneText(person, `people${index}`))] : []),
    ...(bySlice ? [] : [aboard(guest)]),
  ].join(' or ')})`
}

const PLACE_COLUMNS = { seat: 'seat', seatClass: 'seat_class', flightReason: 'flight_reason' } as const

/** Countries and words have become lists of records and people by then (`filter-words.ts`), and days bound the walk. `@now` is bound there. */
export function conditionsOf(filter: FlightFilter, meant: Meant, target: Target): Conditions {
  const id = target === 'all' ? 'f.id' : 'p.flight_id'
  const ofFlight: string[] = []
  const ofPlace: string[] = []
  const ofOthers: string[] = []
  const values: Conditions['values'] = {}
  const json = (name: string, items: readonly unknown[]) => {
    values[name] = JSON.stringify(items)
  }
  /** One of the columns has one of the list. */
  function listed(name: string, columns: readonly string[], items: readonly (number | 'none')[] | undefined): void {
    if (!items) return
    json(name, withoutNone(items))
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
  listed('inCountries', ['f.from_id', 'f.to_id'], filter.country && meant.inCountries)
  code('flightNumber', 'f.flight_number')
  code('aircraftReg', 'f.aircraft_reg')
  for (const name of ['seat', 'seatClass', 'flightReason'] as const) {
    const items = filter[name]
    if (!items) continue
    json(name, items)
    const column = `${target === 'all' ? 'x' : 'p'}.${PLACE_COLUMNS[name]}`
    const condition = orNone(oneText(column, name), column, items)
    if (target !== 'all') ofPlace.push(condition)
    else ofPlace.push(`exists (select 1 from passengers x where x.flight_id = f.id and ${condition})`)
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
  for (const [index, word] of meant.words.entries()) {
    ofFlight.push(wordCondition(index, word, id))
    for (const kind of ['airports', 'airlines', 'aircraft', 'people'] as const) json(`${kind}${index}`, word[kind])
    Object.assign(values, wordValues(index, word.word))
  }
  const readsTexts = meant.words.length > 0 || (target === 'all' && ofPlace.length > 0)
  return { sql: [...ofPlace, ...ofOthers, ...ofFlight], values, needsFlight: ofFlight.length > 0, readsTexts }
}
