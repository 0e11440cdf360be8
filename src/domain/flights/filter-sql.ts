import type { FlightFilter } from './filter-contract.ts'
import type { Meant } from './filter-words.ts'
import type { Target } from './target.ts'

/**
 * The one translation of the flight filter to SQL. It is put together at run time and binds lists as JSON, neither of which
 * the query builder can prepare once; values are always bound, never written into the text.
 */

/** A condition on a flight `f` and, for the log of one user, that user's place `p` on it. */
interface Conditions {
  sql: string
  values: Record<string, string | number>
  /** True when a condition is about the user's own place. */
  needsPlace: boolean
}

const oneOf = (column: string, name: string) => `${column} in (select value from json_each(@${name}))`

/** As `plainCode` of the contract does it. */
const plain = (column: string) => `replace(replace(upper(${column}), ' ', ''), '-', '')`
export const PLAIN_NUMBER = plain('flight_number')
export const PLAIN_REGISTRATION = plain('aircraft_reg')

function orNone(column: string, name: string, items: readonly unknown[]): string {
  return items.includes('none') ? `(${oneOf(column, name)} or ${column} is null)` : oneOf(column, name)
}

const PLACE_COLUMNS = { seat: 'seat', seatClass: 'seat_class', flightReason: 'flight_reason' } as const

/** Somebody aboard: the id of a user, or a guest's name behind a space. As it stands in passengers_once. */
export const PERSON = "case when x.user_id is null then ' ' || x.guest_name else x.user_id end"

/** A word without spaces and hyphens is in a text only if it is in the text without them; LIKE ignores case. */
const contains = (column: string, name: string) => `replace(replace(${column}, ' ', ''), '-', '') like @${name}`

/** Those texts of a flight that are its own. Few get as far as `has_word`: others are plain letters and lack the word. */
function ownWord(index: number): string {
  const columns = ['f.flight_number', 'f.aircraft_reg', 'f.note']
  const text = columns.map((column) => `coalesce(${column}, '')`).join(' || ')
  const maybe = columns.map((column) => contains(column, `like${index}`)).join(' or ')
  return `(${maybe} or octet_length(${text}) <> length(${text})) and has_word(${columns.join(', ')}, @word${index})`
}

/** A word begins a word of a record that the flight has, of the flight itself, or of somebody's name. */
const wordCondition = (index: number) =>
  `(${[
    oneOf('f.from_id', `airports${index}`),
    oneOf('f.to_id', `airports${index}`),
    oneOf('f.airline_id', `airlines${index}`),
    oneOf('f.aircraft_id', `aircraft${index}`),
    `@people${index} <> '[]' and exists (select 1 from passengers x where x.flight_id = f.id and ${oneOf(PERSON, `people${index}`)})`,
    ownWord(index),
  ].join(' or ')})`

/** Countries and words have become lists of records by then, and people are bound for each slice (`filter-words.ts`). */
export function conditionsOf(filter: FlightFilter, meant: Meant, target: Target, now: number): Conditions {
  const all: string[] = []
  const values: Conditions['values'] = {}
  const json = (name: string, items: readonly unknown[]) => {
    values[name] = JSON.stringify(items)
  }
  const { airportId, fromId, toId, airlineId, aircraftId, flightNumber, aircraftReg, companion } = filter
  if (filter.dateFrom !== undefined) {
    all.push('f.date >= @dateFrom')
    values.dateFrom = filter.dateFrom
  }
  if (filter.dateTo !== undefined) {
    all.push('f.date <= @dateTo')
    values.dateTo = filter.dateTo
  }
  if (airportId) {
    all.push(`(${oneOf('f.from_id', 'airportId')} or ${oneOf('f.to_id', 'airportId')})`)
    json('airportId', airportId)
  }
  if (fromId) {
    all.push(oneOf('f.from_id', 'fromId'))
    json('fromId', fromId)
  }
  if (toId) {
    all.push(oneOf('f.to_id', 'toId'))
    json('toId', toId)
  }
  if (airlineId) {
    all.push(orNone('f.airline_id', 'airlineId', airlineId))
    json('airlineId', airlineId)
  }
  if (aircraftId) {
    all.push(orNone('f.aircraft_id', 'aircraftId', aircraftId))
    json('aircraftId', aircraftId)
  }
  if (flightNumber !== undefined) {
    all.push(`${plain('f.flight_number')} = @flightNumber`)
    values.flightNumber = flightNumber
  }
  if (aircraftReg !== undefined) {
    all.push(`${plain('f.aircraft_reg')} = @aircraftReg`)
    values.aircraftReg = aircraftReg
  }
  let needsPlace = false
  for (const name of ['seat', 'seatClass', 'flightReason'] as const) {
    const items = filter[name]
    if (!items) continue
    json(name, items)
    if (target === 'all') {
      const place = orNone(`x.${PLACE_COLUMNS[name]}`, name, items)
      all.push(`exists (select 1 from passengers x where x.flight_id = f.id and ${place})`)
    } else {
      all.push(orNone(`p.${PLACE_COLUMNS[name]}`, name, items))
      needsPlace = true
    }
  }
  if (companion) {
    // A plus keeps SQLite from going through the whole logs of the companions.
    all.push(
      `(select count(*) from passengers x where x.flight_id = f.id and ${oneOf('+x.user_id', 'companion')}) = @companions`,
    )
    json('companion', companion)
    values.companions = companion.length
  }
  if (filter.completed !== undefined) {
    all.push(`f.completed_from ${filter.completed ? '<' : '>='} @now`)
    values.now = now
  }
  if (filter.hasTrack !== undefined) {
    const exists = 'exists (select 1 from flight_tracks t where t.flight_id = f.id)'
    all.push(filter.hasTrack ? exists : `not ${exists}`)
  }
  if (filter.country) {
    all.push(`(${oneOf('f.from_id', 'inCountries')} or ${oneOf('f.to_id', 'inCountries')})`)
    json('inCountries', meant.inCountries)
  }
  for (const [index, { word, airports, airlines, aircraft }] of meant.words.entries()) {
    all.push(wordCondition(index))
    json(`airports${index}`, airports)
    json(`airlines${index}`, airlines)
    json(`aircraft${index}`, aircraft)
    values[`word${index}`] = word
    values[`like${index}`] = `%${word}%`
  }
  return { sql: all.length === 0 ? '1' : all.join(' and '), values, needsPlace }
}
