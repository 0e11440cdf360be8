import { parse } from 'secure-json-parse'
import { isObject } from '../../../lib/objects.ts'
import { english } from '../../../messages/english.ts'
import {
  airportCode,
  type CarrierName,
  type DocumentFlight,
  emptyFlight,
  flightNumberOf,
  MAX_FOUND,
  type Moment,
  type Place,
  placeOf,
  readDateTime,
  seatClassOf,
  seatNumberOf,
  shortText,
} from '../document-flight.ts'
import { unreadable } from '../unreadable.ts'
import { decodeEntities, jsonLdScripts } from './html.ts'
import type { Reader } from './reader.ts'

type Node = Record<string, unknown>

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value == null ? [] : [value])

const typesOf = (node: Node): string[] =>
  listOf(node['@type']).flatMap((type) => (typeof type === 'string' ? (type.split(/[/:#]/).at(-1) ?? []) : []))

const isFlight = (node: Node) => typesOf(node).includes('Flight')
const isReservation = (node: Node) => typesOf(node).includes('FlightReservation')

const text = (value: unknown): string | null =>
  shortText(typeof value === 'string' ? decodeEntities(value.slice(0, 1000)) : value)

/** Without attributes that senders add around a value: `{"@value": "LX"}`, and lists of one. */
function member(node: Node, ...names: string[]): unknown {
  for (const name of names) {
    const [first] = listOf(node[name])
    const value = isObject(first) && '@value' in first ? first['@value'] : first
    if (value != null && value !== '') return value
  }
  return undefined
}

const objectOf = (value: unknown): Node => (isObject(value) ? value : {})

function personName(value: unknown): string | null {
  if (typeof value === 'string') return text(value)
  const person = objectOf(value)
  const parts = ['givenName', 'additionalName', 'familyName'].map((name) => text(member(person, name)))
  return text(member(person, 'name')) ?? shortText(parts.filter((part) => part !== null).join(' '))
}

function airport(value: unknown): Place | null {
  if (typeof value === 'string') return placeOf(text(value))
  const node = objectOf(value)
  const name = text(member(node, 'name'))
  const code = airportCode(member(node, 'iataCode')) ?? airportCode(member(node, 'icaoCode'))
  return code === null ? placeOf(name) : { code, name }
}

function carrier(value: unknown): CarrierName | null {
  if (typeof value === 'string') return { code: null, name: text(value) }
  const node = objectOf(value)
  const code = text(member(node, 'iataCode', 'icaoCode'))
  const name = text(member(node, 'name'))
  return code === null && name === null ? null : { code, name }
}

const timeOf = (value: unknown): { moment: Moment | null; day: string | null } => {
  const read = readDateTime(value)
  if (read === undefined) return { moment: null, day: null }
  return 'day' in read ? { moment: null, day: read.day } : { moment: read, day: null }
}

function flightOf(node: Node): DocumentFlight | undefined {
  const airline = carrier(member(node, 'airline', 'provider', 'carrier', 'seller'))
  const departure = timeOf(member(node, 'departureTime'))
  const arrival = timeOf(member(node, 'arrivalTime'))
  const flight: DocumentFlight = {
    ...emptyFlight('reservation'),
    date: departure.day ?? (departure.moment ? null : timeOf(member(node, 'departureDay')).day),
    from: airport(member(node, 'departureAirport')),
    to: airport(member(node, 'arrivalAirport')),
    departure: departure.moment,
    arrival: arrival.moment,
    departureTerminal: text(member(node, 'departureTerminal')),
    departureGate: text(member(node, 'departureGate')),
    arrivalTerminal: text(member(node, 'arrivalTerminal')),
    arrivalGate: text(member(node, 'arrivalGate')),
    flightNumber: flightNumberOf(airline?.code ?? null, text(member(node, 'flightNumber'))),
    airline,
  }
  return flight.flightNumber || (flight.from && flight.to) ? flight : undefined
}

/** What a reservation has in addition to its flights; a package has it for all its reservations. */
interface Booking {
  bookingReference: string | null
  passengerName: string | null
}

const isCancelled = (node: Node) => /cancell?ed/i.test(String(member(node, 'reservationStatus') ?? '').slice(0, 200))

function reservedFlights(node: Node, { bookingReference, passengerName }: Booking, flights: Node[]): DocumentFlight[] {
  const ticket = objectOf(member(node, 'reservedTicket'))
  const seat = objectOf(member(ticket, 'ticketedSeat'))
  const seatClass = member(node, 'airplaneSeatClass')
  const written = text(member(node, 'airplaneSeat')) ?? text(member(seat, 'seatNumber'))
  const row = text(member(seat, 'seatRow'))
  return flights.flatMap((each) => {
    const flight = flightOf(each)
    if (!flight) return []
    return {
      ...flight,
      bookingReference: text(member(node, 'reservationNumber', 'reservationId')) ?? bookingReference,
      passengerName: personName(member(node, 'underName')) ?? personName(member(ticket, 'underName')) ?? passengerName,
      seatNumber: seatNumberOf(written !== null && /\d/.test(written) ? written : `${row ?? ''}${written ?? ''}`),
      seatClass:
        seatClassOf(isObject(seatClass) ? member(seatClass, 'name') : seatClass) ??
        seatClassOf(member(seat, 'seatingType')),
    }
  })
}

/** All flights in JSON-LD: alone, in reservations, in lists, graphs and packages. */
function flightsInJson(root: unknown): DocumentFlight[] {
  const nodes: { value: unknown; booking: Booking }[] = []
  const byId = new Map<string, Node>()
  const found: DocumentFlight[] = []
  const reserved = new Set<unknown>()
  const plainFlights: Node[] = []
  const children = (value: object) => (Array.isArray(value) ? value : Object.values(value))

  // Not recursive, because the nesting can be deeper than the stack.
  const all: unknown[] = [root]
  while (all.length > 0) {
    const value = all.pop()
    if (typeof value !== 'object' || value === null) continue
    const id = (value as Node)['@id']
    if (typeof id === 'string' && (!byId.has(id) || '@type' in value)) byId.set(id, value as Node)
    for (const child of children(value)) if (typeof child === 'object') all.push(child)
  }
  const resolved = (value: unknown): Node => {
    const node = objectOf(value)
    const id = node['@id']
    return typeof id === 'string' && !('@type' in node) ? (byId.get(id) ?? node) : node
  }

  nodes.push({ value: root, booking: { bookingReference: null, passengerName: null } })
  while (nodes.length > 0 && found.length < MAX_FOUND) {
    const { value, booking } = nodes.pop()!
    if (typeof value !== 'object' || value === null) continue
    let inherited = booking
    if (!Array.isArray(value)) {
      const node = value as Node
      if (isReservation(node) && !isCancelled(node)) {
        const flights = listOf(node.reservationFor).map(resolved)
        for (const flight of flights) reserved.add(flight)
        const withAirports = flights.map((flight) => ({
          ...flight,
          departureAirport: withReference(flight.departureAirport, resolved),
          arrivalAirport: withReference(flight.arrivalAirport, resolved),
          airline: withReference(flight.airline, resolved),
        }))
        const holder = { ...node, underName: withReference(node.underName, resolved) }
        for (const flight of reservedFlights(holder, booking, withAirports)) found.push(flight)
      } else if (isReservation(node)) {
        for (const flight of listOf(node.reservationFor)) reserved.add(resolved(flight))
      } else if (isFlight(node)) plainFlights.push(node)
      if ('reservationNumber' in node || 'underName' in node) {
        inherited = {
          bookingReference: text(member(node, 'reservationNumber')) ?? booking.bookingReference,
          passengerName: personName(member(node, 'underName')) ?? booking.passengerName,
        }
      }
    }
    // In reverse, so that the order of the document stays.
    for (const child of children(value).toReversed()) {
      if (typeof child === 'object') nodes.push({ value: child, booking: inherited })
    }
  }
  const alone = plainFlights.filter((node) => !reserved.has(node)).slice(0, MAX_FOUND)
  return [...found, ...alone.flatMap((node) => flightOf(node) ?? [])].slice(0, MAX_FOUND)
}

const withReference = (value: unknown, resolved: (value: unknown) => Node): unknown => {
  const [first] = listOf(value)
  return isObject(first) ? resolved(first) : first
}

const OPTIONS = { protoAction: 'remove', constructorAction: 'remove' } as const

/** From the first to the last bracket: comment marks can be around the JSON of a page. */
function withoutMarks(script: string): string {
  const start = script.search(/[{[]/)
  // The mark at the end of a CDATA section has brackets too.
  const whole = script.slice(start < 0 ? 0 : script.startsWith('[CDATA[', start) ? start + '[CDATA['.length : start)
  const mark = whole.lastIndexOf(']]>')
  const json = mark < 0 || mark < whole.lastIndexOf('}') ? whole : whole.slice(0, mark)
  return json.slice(0, Math.max(json.lastIndexOf('}'), json.lastIndexOf(']')) + 1)
}

/** JSON in a page may also have line breaks in texts, and entities for its quotation marks. */
function parseScript(script: string): unknown {
  const json = withoutMarks(script)
  const attempts = [
    () => json,
    () => json.replace(/\p{Cc}+/gu, ' '),
    () => decodeEntities(json).replace(/\p{Cc}+/gu, ' '),
  ]
  for (const attempt of attempts) {
    try {
      return parse(attempt(), OPTIONS)
    } catch {
      // The next form may be valid.
    }
  }
  return undefined
}

export const flightsInHtml = (html: string): DocumentFlight[] =>
  [...jsonLdScripts(html)].flatMap((script) => flightsInJson(parseScript(script)))

export const webPage: Reader = {
  types: ['text/html', 'application/xhtml+xml'],
  matches: (start) => /^<[a-z!?]/i.test(start),
  needsWorker: true,
  read: (content) => flightsInHtml(content.text()),
}

export const json: Reader = {
  types: ['application/json', 'application/ld+json'],
  matches: (start) => /^[{[]/.test(start),
  needsWorker: true,
  read(content) {
    try {
      return flightsInJson(parse(content.text(), OPTIONS))
    } catch (error) {
      throw unreadable(english.documents.notJson, error)
    }
  },
}
