import { isoInstant, isZone, localInstant, parseInstant } from '../../../lib/dates.ts'
import { type CalendarEvent, type Property, readEvents, unescapeText } from './icalendar.ts'
import {
  checkRowCount,
  type Moment,
  noteProblem,
  type ParsedFile,
  type ParsedFlight,
  rowOutcome,
  shown,
  unknownFlight,
} from './row.ts'
import { airport, calendarDay, clock, designator, localMoment, named } from './values.ts'

const FLIGHT = /^([A-Z0-9]{2,3}[ -]?\d{1,4}[A-Z]?) ([A-Z]{3}) to ([A-Z]{3})$/

/** Rows are the events with a flight number; others and all-day events are skipped. */
export function parseTripIt(text: string): ParsedFile {
  let length = 0
  for (const _ of flightEvents(text)) checkRowCount(++length)
  return {
    rows: {
      length,
      *[Symbol.iterator]() {
        let row = 0
        for (const { event, route } of flightEvents(text)) {
          row++
          yield rowOutcome(row, row, () => flightOf(event, route))
        }
      },
    },
  }
}

function* flightEvents(text: string) {
  for (const event of readEvents(text)) {
    const route = routeOf(event)
    if (route && !isAllDay(event.properties.get('DTSTART'))) yield { event, route }
  }
}

interface Route {
  flightNumber: string
  from: string
  to: string
}

function routeOf({ properties }: CalendarEvent): Route | undefined {
  const summary = unescapeText(properties.get('SUMMARY')?.value.slice(0, 200) ?? '')
  const match = FLIGHT.exec(summary.trim().replace(/\s+/g, ' '))
  return match ? { flightNumber: match[1]!, from: match[2]!, to: match[3]! } : undefined
}

const isAllDay = (start: Property | undefined) =>
  start !== undefined && (start.parameters.get('VALUE')?.toUpperCase() === 'DATE' || /^\d{8}\s*$/.test(start.value))

function flightOf({ properties, complete }: CalendarEvent, { flightNumber, from, to }: Route): ParsedFlight {
  if (!complete) noteProblem(`The event of the flight ${flightNumber} has no end.`)
  if (properties.get('STATUS')?.value.trim().toUpperCase() === 'CANCELLED') {
    noteProblem(`The event of the flight ${flightNumber} has the status CANCELLED.`)
  }
  const start = properties.get('DTSTART')
  const departure = momentOf(start, 'from')
  if (!start) noteProblem(`The event of the flight ${flightNumber} has no DTSTART.`)
  const airline = designator(flightNumber)
  return {
    ...unknownFlight,
    date: departure && 'local' in departure ? departure.local.slice(0, 10) : null,
    from: airport('from', 'iata', from),
    to: airport('to', 'iata', to),
    departure,
    arrival: momentOf(properties.get('DTEND'), 'to'),
    airline: airline ? named('', [[airline.by, airline.code]]) : null,
    flightNumber,
  }
}

/** UTC, or a local time in a known zone; a floating time (RFC 5545) is local at the airport. */
function momentOf(property: Property | undefined, at: 'from' | 'to'): Moment | null {
  if (!property) return null
  const written = property.value.trim()
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(Z?)$/i.exec(written)
  if (!match) return noteProblem(`The time ${shown(written)} is not of the form YYYYMMDDTHHMMSS.`)
  const [, year, month, day, hour, minute, second, utc] = match
  const date = calendarDay(`${year}-${month}-${day}`)
  // RFC 5545 allows leap seconds.
  const time = clock(`${hour}:${minute}:${second === '60' ? '59' : second}`)
  if (date === null || time === null) return null
  const zone = utc ? 'UTC' : property.parameters.get('TZID')
  if (zone === undefined || !isZone(zone)) return localMoment(date, time, at)
  const instant = isoInstant(localInstant(date, time, zone))
  return parseInstant(instant) === undefined ? noteProblem(`The time ${shown(written)} is out of range.`) : { instant }
}
