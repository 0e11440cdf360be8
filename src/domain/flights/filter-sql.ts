import type { FlightFilter } from './filter-contract.ts'
import type { Target } from './target.ts'

/**
 * The one translation of the flight filter to SQL. It is put together at run time and binds lists as JSON, neither of which
 * the query builder can prepare once; values are always bound, never written into the text.
 */

/** A condition on a flight `f` and, for the log of one user, that user's place `p` on it. */
export interface Conditions {
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

/** What of the filter SQL can decide; countries and words are decided by `filter-words.ts`. */
export function conditionsOf(filter: FlightFilter, target: Target, now: number): Conditions {
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
  return { sql: all.length === 0 ? '1' : all.join(' and '), values, needsPlace }
}
