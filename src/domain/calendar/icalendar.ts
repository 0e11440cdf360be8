import { DAY_MS, dayOf, isoInstant } from '../../lib/dates.ts'
import type { Flight, Passenger, TimeName } from '../flights/contract.ts'
import { effectiveTimes } from '../flights/times.ts'
import { codeOf } from '../reference/contract.ts'

export interface CalendarEvent {
  uid: string
  /** Milliseconds, or `YYYY-MM-DD` for a whole day. */
  start: number | string
  end?: number
  changedAt: number
  sequence: number
  summary: string
  location: string
  description: string
  geo: { lat: number; lon: number }
  category?: string | undefined
}

const MAX_OCTETS = 75
/** Years have four digits, but a duration may end later. */
const FIRST_SECOND = Date.parse('0001-01-01T00:00:00Z')
const LAST_SECOND = Date.parse('9999-12-31T23:59:59Z')

/** Continues long lines after a space, without splitting a character (RFC 5545 section 3.1). */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= MAX_OCTETS) return `${line}\r\n`
  let [text, octets] = ['', 0]
  for (const character of line) {
    const length = Buffer.byteLength(character)
    if (octets + length > MAX_OCTETS) {
      text += '\r\n '
      octets = 1
    }
    text += character
    octets += length
  }
  return `${text}\r\n`
}

const escaped = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: removes them
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

const compact = (iso: string) => iso.replace(/[-:]/g, '')
function instant(milliseconds: number): string {
  const known = Math.min(Math.max(milliseconds, FIRST_SECOND), LAST_SECOND)
  return `${compact(isoInstant(known)).slice(0, 'YYYYMMDDTHHMMSS'.length)}Z`
}

function period({ start, end = -Infinity }: CalendarEvent): string[] {
  if (typeof start === 'number') {
    const [from, to] = [instant(start), instant(end)]
    return [`DTSTART:${from}`, ...(to > from ? [`DTEND:${to}`] : [])]
  }
  const next = Math.min(Date.parse(start) + DAY_MS, LAST_SECOND)
  const last = dayOf(next)
  return [`DTSTART;VALUE=DATE:${compact(start)}`, ...(last > start ? [`DTEND;VALUE=DATE:${compact(last)}`] : [])]
}

export function eventText(event: CalendarEvent): string {
  const { uid, changedAt, sequence, summary, location, description, geo, category } = event
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    // Not the current time, so that the ETag stays the same.
    `DTSTAMP:${instant(changedAt)}`,
    `LAST-MODIFIED:${instant(changedAt)}`,
    `SEQUENCE:${sequence}`,
    ...period(event),
    `SUMMARY:${escaped(summary)}`,
    `LOCATION:${escaped(location)}`,
    `GEO:${geo.lat.toFixed(6)};${geo.lon.toFixed(6)}`,
    `DESCRIPTION:${escaped(description)}`,
    ...(category === undefined ? [] : [`CATEGORIES:${escaped(category)}`]),
    'STATUS:CONFIRMED',
    'END:VEVENT',
  ]
    .map(folded)
    .join('')
}

export const calendarStart = (name: string): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Paxlog//Flights//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
    'X-PUBLISHED-TTL:PT6H',
  ]
    .map(folded)
    .join('')

export const CALENDAR_END = 'END:VCALENDAR\r\n'

const HOUR_MS = 3_600_000

interface Reader {
  /** Names of the trips by flight. */
  trips?: ReadonlyMap<number, string>
  userId: string
  withNotes: boolean
  baseUrl: string
}

type Seat = Pick<Passenger, 'seat' | 'seatNumber' | 'seatClass'>

export interface EventFlight
  extends Pick<
      Flight,
      'id' | 'date' | 'datePrecision' | 'duration' | 'flightNumber' | 'aircraftReg' | 'note' | TimeName
    >,
    Pick<
      Flight,
      'departureTerminal' | 'departureGate' | 'arrivalTerminal' | 'arrivalGate' | 'createdAt' | 'updatedAt'
    > {
  from: Pick<Flight['from'], 'iata' | 'icao' | 'name' | 'latitude' | 'longitude'>
  to: Pick<Flight['to'], 'iata' | 'icao'>
  passengers: readonly (Seat & { user: { id: string } | null })[]
}

/** If only one end is known, the other follows from the duration, or one hour. */
function periodOf(flight: EventFlight): Pick<CalendarEvent, 'start' | 'end'> {
  const { departed, arrived } = effectiveTimes(flight)
  const length = (flight.duration ?? 0) * 1000 || HOUR_MS
  if (departed === undefined && arrived === undefined) return { start: flight.date }
  const start = departed ?? arrived! - length
  return { start, end: arrived !== undefined && arrived > start ? arrived : start + length }
}

const positionOf = (terminal: string | null, gate: string | null) =>
  [terminal && `terminal ${terminal}`, gate && `gate ${gate}`].filter(Boolean).join(', ')

const seatOf = ({ seatNumber, seat, seatClass }: Seat) => [seatNumber, seat, seatClass].filter(Boolean).join(', ')

function describe(flight: EventFlight, { userId, withNotes, baseUrl }: Reader): string {
  const own = flight.passengers.find(({ user }) => user?.id === userId)
  const parts: [label: string, text: string | null | undefined][] = [
    ['Departure', positionOf(flight.departureTerminal, flight.departureGate)],
    ['Arrival', positionOf(flight.arrivalTerminal, flight.arrivalGate)],
    ['Seat', own && seatOf(own)],
    ['Registration', flight.aircraftReg],
  ]
  const lines = parts.flatMap(([label, text]) => (text ? [`${label}: ${text}`] : []))
  return [...lines, ...(withNotes && flight.note ? [flight.note] : []), `${baseUrl}/flights/${flight.id}`].join('\n')
}

export function flightEvent(flight: EventFlight, reader: Reader): CalendarEvent | undefined {
  if (flight.datePrecision !== 'day') return undefined
  const { id, from, to, flightNumber } = flight
  const [createdAt, changedAt] = [Date.parse(flight.createdAt), Date.parse(flight.updatedAt)]
  return {
    // The instant makes the id unique across instances.
    uid: `flight-${id}-${createdAt}@paxlog`,
    ...periodOf(flight),
    category: reader.trips?.get(id),
    changedAt,
    // In seconds, because it has 31 bits; rounded up, so that an immediate change counts.
    sequence: Math.max(0, Math.ceil((changedAt - createdAt) / 1000)),
    summary: [flightNumber, codeOf(from), '→', codeOf(to)].filter(Boolean).join(' '),
    location: `${from.name} (${codeOf(from)})`,
    description: describe(flight, reader),
    geo: { lat: from.latitude, lon: from.longitude },
  }
}
