import { isoInstant, isZone, localInstant, parseInstant } from '../../../lib/dates.ts'
import { english } from '../../../messages/english.ts'
import {
  type DocumentFlight,
  emptyFlight,
  flightNumberOf,
  MAX_FOUND,
  type Moment,
  placeOf,
  readDateTime,
  seatClassOf,
  seatNumberOf,
  shortText,
} from '../document-flight.ts'
import { unreadable } from '../unreadable.ts'
import type { Content, Reader } from './reader.ts'

/** The parser takes quadratic time for long lines. */
const MAX_LINE_BYTES = 8 * 1024
const MAX_DESCRIPTION_LENGTH = 4000
const LINE_FEED = 0x0a
const isFold = (byte: number | undefined) => byte === 0x20 || byte === 0x09

/** Counts folded lines as one (RFC 5545 section 3.1). */
function requireShortLines(bytes: Buffer): void {
  let start = 0
  for (let end = bytes.indexOf(LINE_FEED); ; end = bytes.indexOf(LINE_FEED, end + 1)) {
    if (end >= 0 && isFold(bytes[end + 1])) continue
    if ((end < 0 ? bytes.length : end) - start > MAX_LINE_BYTES) {
      throw unreadable(english.documents.calendarLine)
    }
    if (end < 0) return
    start = end + 1
  }
}

type Property = [name: string, parameters: Record<string, unknown>, type: string, ...values: unknown[]]
/** As ical.js parses it: jCal of RFC 7265. */
type Component = [name: string, properties: Property[], components: Component[]]

const property = ([, properties]: Component, name: string) => properties.find(([each]) => each === name)

function textOf(event: Component, name: string, maxLength?: number): string {
  const value = property(event, name)?.[3]
  return typeof value === 'string' ? value.slice(0, maxLength ?? 300) : ''
}

/** UTC, or a local time in a known zone; another time is local at the airport. */
function momentOf(event: Component, name: string): { day: string | null; moment: Moment | null } {
  const [, parameters, , value] = property(event, name) ?? []
  const read = readDateTime(value)
  if (read === undefined) return { day: null, moment: null }
  if ('day' in read) return { day: read.day, moment: null }
  const zone = parameters?.tzid
  if ('instant' in read || typeof zone !== 'string' || !isZone(zone)) return { day: null, moment: read }
  const [day, clock] = read.local.split('T') as [string, string]
  const instant = isoInstant(localInstant(day, clock, zone))
  return { day: null, moment: parseInstant(instant) === undefined ? null : { instant } }
}

const NUMBER = /(?<![A-Z0-9])((?:[A-Z][A-Z0-9]|\d[A-Z]|[A-Z]{3})[ -]?\d{1,4}[A-Z]?)(?![A-Z0-9])/
const LABELLED_NUMBER =
  /\b(?:flight|flug|vol|vuelo|volo)(?: *(?:no\.?|number|nr\.?))? *[:#]? *((?:[A-Z][A-Z0-9]|\d[A-Z]|[A-Z]{3}) ?\d{1,4})\b/i
const ROUTE = /(?<![A-Z0-9])([A-Z]{3,4}) *(?:[-–—→>/✈]\uFE0F?|->|to|nach) *([A-Z]{3,4})(?![A-Z0-9])/
const NAMED_ROUTE = /\(([A-Z]{3,4})\)[^()\n]{1,60}\(([A-Z]{3,4})\)/
const FLIGHT_WORD = /\b(?:flights?|flug|vol|vuelo|volo|voo)\b|✈/i
const BOOKING =
  /(?:confirmation|booking|reservation|record locator|pnr|buchung)[a-z ]{0,20}[:#]{1,2} *([A-Z0-9]{5,8})\b/i

interface Details {
  departureTerminal: string | null
  departureGate: string | null
  arrivalTerminal: string | null
  arrivalGate: string | null
}

/** `Departure: terminal A, gate A71`, `Arrival terminal: 1`. */
function detailsOf(lines: readonly string[]): Details {
  const find = (side: RegExp, word: string) => {
    const value = new RegExp(`\\b${word}:? *([A-Z0-9]{1,5})\\b`, 'i')
    const line = lines.find((each) => side.test(each) && value.test(each))
    return shortText(line === undefined ? null : value.exec(line)![1])
  }
  const [departure, arrival] = [/\b(?:depart|abflug)/i, /\b(?:arriv|ankunft)/i]
  return {
    departureTerminal: find(departure, 'terminal'),
    departureGate: find(departure, 'gate'),
    arrivalTerminal: find(arrival, 'terminal'),
    arrivalGate: find(arrival, 'gate'),
  }
}

function flightOf(event: Component): DocumentFlight | undefined {
  if (/^cancell?ed$/i.test(textOf(event, 'status'))) return undefined
  const summary = textOf(event, 'summary')
  const description = textOf(event, 'description', MAX_DESCRIPTION_LENGTH)
  const route =
    ROUTE.exec(summary) ?? NAMED_ROUTE.exec(summary) ?? NAMED_ROUTE.exec(description) ?? ROUTE.exec(description)
  const rest = route && route.input === summary ? summary.replace(route[0], ' ') : summary
  const written = NUMBER.exec(rest)?.[1] ?? LABELLED_NUMBER.exec(description)?.[1] ?? null
  const flightNumber = flightNumberOf(null, written)
  if (flightNumber === null && !route) return undefined
  const destination = /\b(?:flight|flug|vol|vuelo|volo) (?:to|nach|à|a) ([^(\n]{1,60})/i.exec(summary)?.[1]
  const [departure, arrival] = [momentOf(event, 'dtstart'), momentOf(event, 'dtend')]
  const lines = description.split(/\r?\n/, 100)
  const seat = lines.map((line) => /\bseats?\b[a-z ]{0,15}:? *(\d{1,3}[A-K])\b(.*)/i.exec(line)).find(Boolean)
  const seatClass = lines.find((line) => /\b(?:class|cabin|klasse)\b/i.test(line)) ?? seat?.[2]
  return {
    ...emptyFlight('event'),
    bookingReference: shortText(BOOKING.exec(description)?.[1]?.toUpperCase()),
    date: departure.day,
    from: route ? placeOf(route[1]!) : codeIn(textOf(event, 'location')),
    to: route ? placeOf(route[2]!) : placeOf(shortText(destination)),
    departure: departure.moment,
    arrival: arrival.moment,
    ...detailsOf(lines),
    flightNumber,
    seatNumber: seatNumberOf(seat?.[1]),
    seatClass: seatClassOf(seatClass),
    isGuess: !FLIGHT_WORD.test(summary) && (flightNumber === null || !route),
  }
}

/** A place without a code may be a hotel or an address. */
function codeIn(location: string) {
  const place = placeOf(shortText(location))
  return place?.code ? place : null
}

function parsed(text: string, parse: (text: string) => unknown): Component[] {
  let result: unknown
  try {
    result = parse(text)
  } catch (error) {
    throw unreadable(english.documents.calendarNotValid, error)
  }
  // Several calendars in one file are a list.
  return (Array.isArray(result) && Array.isArray(result[0]) ? result : [result]) as Component[]
}

export async function flightsInCalendar({ bytes, text }: Content): Promise<DocumentFlight[]> {
  requireShortLines(bytes)
  const { default: ICAL } = await import('ical.js')
  const found: DocumentFlight[] = []
  for (const calendar of parsed(text(), ICAL.parse)) {
    if (calendar[0] !== 'vcalendar' || /^cancel$/i.test(textOf(calendar, 'method'))) continue
    for (const event of calendar[2]) {
      const flight = event[0] === 'vevent' ? flightOf(event) : undefined
      if (flight) found.push(flight)
      if (found.length >= MAX_FOUND) return found
    }
  }
  return found
}

export const calendar: Reader = {
  types: ['text/calendar'],
  matches: (start) => /^BEGIN:VCALENDAR/i.test(start),
  needsWorker: true,
  read: flightsInCalendar,
}
