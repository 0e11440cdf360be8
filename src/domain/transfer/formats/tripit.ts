import { isoInstant, isZone, localInstant, parseInstant } from '../../../lib/dates.ts'
import { english } from '../../../messages/english.ts'
import { type FileFlight, type Moment, noteProblem, type ParsedFile, rowsOf, shown, UnreadableFile } from './row.ts'
import { isCalendar } from './text.ts'
import { airlineOfNumber, airport, calendarDay, clock, departureDay, localMoment } from './values.ts'

interface Property {
  value: string
  parameters: Map<string, string>
}

interface CalendarEvent {
  properties: Map<string, Property>
  /** False if the event has no end. */
  complete: boolean
}

interface FlightEvent extends CalendarEvent {
  flightNumber: string
  from: string
  to: string
}

export const parseTripIt = (text: string): ParsedFile => ({ rows: rowsOf(() => flightEvents(text), flightOf) })

/** The events with a flight number; others and all-day events are no rows. */
function* flightEvents(text: string): Generator<FlightEvent> {
  for (const event of readEvents(text)) {
    const summary = unescapeText(event.properties.get('SUMMARY')?.value.slice(0, 200) ?? '')
    const route = /^([A-Z0-9]{2,3}[ -]?\d{1,4}[A-Z]?) ([A-Z]{3}) to ([A-Z]{3})$/.exec(
      summary.trim().replace(/\s+/g, ' '),
    )
    if (!route || isAllDay(event.properties.get('DTSTART'))) continue
    yield { ...event, flightNumber: route[1]!, from: route[2]!, to: route[3]! }
  }
}

const isAllDay = (start: Property | undefined) =>
  start !== undefined && (start.parameters.get('VALUE')?.toUpperCase() === 'DATE' || /^\d{8}\s*$/.test(start.value))

function flightOf({ properties, complete, flightNumber, from, to }: FlightEvent): FileFlight {
  if (!complete) noteProblem(english.import.eventWithoutEnd({ flightNumber }))
  if (properties.get('STATUS')?.value.trim().toUpperCase() === 'CANCELLED') {
    noteProblem(english.import.eventCancelled({ flightNumber }))
  }
  const start = properties.get('DTSTART')
  const departure = momentOf(start, 'from')
  if (!start) noteProblem(english.import.eventWithoutStart({ flightNumber }))
  return {
    date: departureDay(departure, true),
    from: airport('from', 'iata', from),
    to: airport('to', 'iata', to),
    departure,
    arrival: momentOf(properties.get('DTEND'), 'to'),
    airline: airlineOfNumber(flightNumber),
    flightNumber,
  }
}

/** UTC, or a local time in a known zone; a floating time (RFC 5545) is local at the airport. */
function momentOf(property: Property | undefined, at: 'from' | 'to'): Moment | null {
  if (!property) return null
  const written = property.value.trim()
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(Z?)$/i.exec(written)
  if (!match) return noteProblem(english.import.timeForm({ value: shown(written), form: 'YYYYMMDDTHHMMSS' }))
  const [, year, month, day, hour, minute, second, utc] = match
  const date = calendarDay(`${year}-${month}-${day}`)
  // RFC 5545 allows leap seconds.
  const time = clock(`${hour}:${minute}:${second === '60' ? '59' : second}`)
  if (date === null || time === null) return null
  const zone = utc ? 'UTC' : property.parameters.get('TZID')
  if (zone === undefined || !isZone(zone)) return localMoment(date, time, at)
  const instant = isoInstant(localInstant(date, time, zone))
  return parseInstant(instant) === undefined
    ? noteProblem(english.import.timeRange({ value: shown(written) }))
    : { instant }
}

/** The events of an iCalendar file (RFC 5545), without the properties of their alarms. */
function* readEvents(text: string): Generator<CalendarEvent> {
  // A line that begins with white space continues the one before (RFC 5545 section 3.1).
  const unfolded = text.trimStart().replace(/(?:\r\n|\n|\r)[ \t]/g, '')
  if (!isCalendar(unfolded)) throw new UnreadableFile(english.import.notACalendar)
  let event: CalendarEvent | undefined
  let depth = 0
  for (const [line] of unfolded.matchAll(/[^\r\n]+/g)) {
    const boundary = /^(BEGIN|END):([A-Z0-9-]{1,40})\s*$/i.exec(line)
    if (!boundary) {
      if (event && depth === 0) addProperty(event, line)
      continue
    }
    const begins = boundary[1]!.toUpperCase() === 'BEGIN'
    if (boundary[2]!.toUpperCase() !== 'VEVENT') {
      depth += begins ? 1 : -1
      continue
    }
    if (event) yield { ...event, complete: !begins }
    event = begins ? { properties: new Map(), complete: false } : undefined
    depth = 0
  }
  if (event) yield event
}

/** Longer than every parameter that is read. Folded lines can have any length. */
const MAX_PARAMETERS_LENGTH = 2000

/** The first of several properties with the same name wins. */
function addProperty(event: CalendarEvent, line: string): void {
  const colon = endOfParameters(line)
  if (colon < 0 || colon > MAX_PARAMETERS_LENGTH) return
  const [name = '', ...parameters] = splitOutsideQuotes(line.slice(0, colon))
  const key = name.toUpperCase()
  if (event.properties.has(key)) return
  event.properties.set(key, {
    value: line.slice(colon + 1),
    parameters: new Map(
      parameters.map((parameter) => {
        const [label = '', value = ''] = parameter.split('=', 2)
        return [label.toUpperCase(), value.replaceAll('"', '')]
      }),
    ),
  })
}

function endOfParameters(line: string): number {
  let quoted = false
  for (let index = 0; index < line.length; index++) {
    if (line[index] === '"') quoted = !quoted
    else if (line[index] === ':' && !quoted) return index
  }
  return -1
}

const splitOutsideQuotes = (text: string): string[] =>
  text
    .split('"')
    .map((piece, index) => (index % 2 === 0 ? piece.replaceAll(';', '\n') : piece))
    .join('"')
    .split('\n')

/** RFC 5545 section 3.3.11. */
const unescapeText = (value: string): string =>
  value.replace(/\\([\\;,nN])/g, (_, letter: string) => (letter === 'n' || letter === 'N' ? '\n' : letter))
