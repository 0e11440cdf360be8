import { isCalendarDay, isoInstant, parseInstant } from '../../lib/dates.ts'
import { fold } from '../../lib/text.ts'
import type { seatClasses } from '../flights/contract.ts'
import type { TravelItem } from './contract.ts'

/** A local time has the form YYYY-MM-DDTHH:MM:SS and is that of its airport. */
export type Moment = { local: string } | { instant: string }

/** An airport by its IATA or ICAO code, or by a name that no code was found in. */
export interface Place {
  code: string | null
  name: string | null
}

export interface CarrierName {
  code: string | null
  name: string | null
}

type SeatClass = (typeof seatClasses)[number]

/** A flight as a document has it, before its airports and airline are looked up. */
export interface DocumentFlight {
  kind: TravelItem['kind']
  passengerName: string | null
  bookingReference: string | null
  /** The day of departure at the origin; null if only the times have it. */
  date: string | null
  from: Place | null
  to: Place | null
  departure: Moment | null
  arrival: Moment | null
  departureTerminal: string | null
  departureGate: string | null
  arrivalTerminal: string | null
  arrivalGate: string | null
  /** With the code of the airline, unless the document has none. */
  flightNumber: string | null
  airline: CarrierName | null
  seatNumber: string | null
  seatClass: SeatClass | null
  /** Free text may look like a flight; it is left out unless both airports are known. */
  isGuess: boolean
}

export const emptyFlight = (kind: DocumentFlight['kind']): DocumentFlight => ({
  kind,
  passengerName: null,
  bookingReference: null,
  date: null,
  from: null,
  to: null,
  departure: null,
  arrival: null,
  departureTerminal: null,
  departureGate: null,
  arrivalTerminal: null,
  arrivalGate: null,
  flightNumber: null,
  airline: null,
  seatNumber: null,
  seatClass: null,
  isGuess: false,
})

export const MAX_ITEMS = 50
/** Several descriptions of one flight are merged later, so this is more than the number of items. */
export const MAX_FOUND = 500

const MAX_TEXT_LENGTH = 100

/** Text of one line without control characters, cut to a length; null if it is not text or empty. */
export function shortText(value: unknown, maxLength = MAX_TEXT_LENGTH): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const line = String(value)
    .slice(0, 4 * maxLength)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return [...line].slice(0, maxLength).join('').trimEnd() || null
}

const AIRPORT_CODE = /^(?:[A-Z]{3}|[A-Z][A-Z0-9]{3})$/

export function airportCode(value: unknown): string | null {
  const code = shortText(value, 10)?.toUpperCase() ?? ''
  return AIRPORT_CODE.test(code) ? code : null
}

/** Splits `London Heathrow (LHR)` and `Zurich ZRH`. */
export function placeOf(text: string | null): Place | null {
  if (text === null) return null
  const code = AIRPORT_CODE.test(text)
    ? text
    : (/\(([A-Z]{3,4})\)/.exec(text)?.[1] ?? /(?:^|\s)([A-Z]{3})$/.exec(text)?.[1])
  return { code: code ?? null, name: text }
}

/** `LX 0014` as `LX14`; null unless it is a number, with or without the code of an airline. */
export function flightNumberOf(carrier: string | null, written: string | null): string | null {
  const plain = (written ?? '').toUpperCase().replace(/[\s-]/g, '')
  const code = (carrier ?? '').toUpperCase().replace(/[\s*]/g, '')
  const [, own = code, digits] =
    /^([A-Z][A-Z0-9]|\d[A-Z]|[A-Z]{3})?0*(\d{1,4}[A-Z]?)$/.exec(plain) ?? /^()0*(\d{1,4}[A-Z]?)$/.exec(plain) ?? []
  if (digits === undefined) return null
  const number = `${own || code}${digits}`
  return number.length >= 2 ? number : null
}

/** `012A` as `12A`; null for words such as `INF` or `STBY`. */
export function seatNumberOf(value: unknown): string | null {
  const seat = (shortText(value, 20) ?? '').toUpperCase().replace(/[\s-]/g, '')
  return /^0*([1-9]\d{0,2}[A-Z]?)$/.exec(seat)?.[1] ?? null
}

const classNames: [SeatClass, RegExp][] = [
  ['economy+', /premium(?! *business| *first)|economy *(?:plus|\+|comfort)|comfort/],
  ['business', /business|club (?:world|europe)|upper class/],
  ['first', /first/],
  ['economy', /economy|coach|main cabin|tourist/],
]

/** By words; booking classes of one letter differ between airlines. */
export function seatClassOf(value: unknown): SeatClass | null {
  const name = fold(shortText(value) ?? '')
  return classNames.find(([, pattern]) => pattern.test(name))?.[0] ?? null
}

const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,]\d{1,9})?)?(?: *(Z|[+-]\d\d(?::?\d\d)?))?$/i

/** A day, or a time that is local without an offset; undefined if it is neither. */
export function readDateTime(value: unknown): { day: string } | Moment | undefined {
  const text = shortText(value, 40) ?? ''
  if (isCalendarDay(text)) return { day: text }
  const [, day = '', hour, minute, second = '00', offset] = DATE_TIME.exec(text) ?? []
  if (!isCalendarDay(day)) return undefined
  const local = `${day}T${hour}:${minute}:${second}`
  if (offset === undefined) return { local }
  const [, sign = '', hours = '', minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? []
  const instant = parseInstant(sign === '' ? `${local}Z` : `${local}${sign}${hours}:${minutes}`)
  return instant === undefined ? undefined : { instant: isoInstant(instant) }
}

export const dateTimeOf = (value: unknown): Moment | null => {
  const read = readDateTime(value)
  return read === undefined || 'day' in read ? null : read
}

/** The members of `flight`, completed by those of another description of it. */
export function completedBy<Flight extends DocumentFlight>(flight: Flight, other: Partial<DocumentFlight>): Flight {
  const missing = Object.entries(other).filter(([name]) => flight[name as keyof DocumentFlight] === null)
  return { ...flight, ...Object.fromEntries(missing) }
}

const TITLES = new Set(['mr', 'mrs', 'ms', 'miss', 'mstr', 'dr', 'prof', 'chd', 'inf'])

const nameParts = (name: string) =>
  fold(name)
    .split(/[^\p{L}]+/u)
    .filter((part) => part !== '' && !TITLES.has(part))
    .slice(0, 10)

/** Barcodes cut names to 20 characters and attach the title, so the beginning of a word is enough. */
export function isSamePassenger(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return true
  const [fewer, more] = [nameParts(one), nameParts(other)].sort((a, b) => a.length - b.length) as [string[], string[]]
  return fewer.every((part) => more.some((word) => word.startsWith(part) || part.startsWith(word)))
}
