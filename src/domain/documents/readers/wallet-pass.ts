import { parse } from 'secure-json-parse'
import { dayOf } from '../../../lib/dates.ts'
import { isObject } from '../../../lib/objects.ts'
import { english } from '../../../messages/english.ts'
import {
  airportCode,
  completedBy,
  type DocumentFlight,
  dateTimeOf,
  emptyFlight,
  flightNumberOf,
  readDateTime,
  seatClassOf,
  seatNumberOf,
  shortText,
} from '../document-flight.ts'
import { unreadable } from '../unreadable.ts'
import { readPass } from './boarding-pass.ts'
import type { Reader } from './reader.ts'
import { unzipFile } from './zip.ts'

const MAX_PASS_BYTES = 256 * 1024
const MAX_FIELDS = 100

type Json = Record<string, unknown>

const objectOf = (value: unknown): Json => (isObject(value) ? value : {})
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MAX_FIELDS) : [])

function passOf(bytes: Buffer): Json | undefined {
  const file = unzipFile(bytes, 'pass.json', MAX_PASS_BYTES)
  if (!file) return undefined
  try {
    const text = file.toString('utf8').replace(/^\uFEFF/, '')
    return objectOf(parse(text, { protoAction: 'remove', constructorAction: 'remove' }))
  } catch (error) {
    throw unreadable(english.documents.passJson, error)
  }
}

const departureTag = (tags: Json): unknown => tags.originalDepartureDate ?? tags.currentDepartureDate

/** Apple's semantic tags. */
function semanticFlight(tags: Json): Partial<DocumentFlight> {
  const name = objectOf(tags.passengerName)
  const seat = objectOf(listOf(tags.seats)[0])
  const number = flightNumberOf(shortText(tags.airlineCode), shortText(tags.flightCode) ?? shortText(tags.flightNumber))
  const [from, to] = [airportCode(tags.departureAirportCode), airportCode(tags.destinationAirportCode)]
  const row = shortText(seat.seatRow) ?? ''
  const seatNumber = shortText(seat.seatNumber) ?? ''
  return {
    passengerName:
      shortText(
        [name.givenName, name.middleName, name.familyName].filter((part) => typeof part === 'string').join(' '),
      ) ?? shortText(tags.passengerName),
    bookingReference: shortText(tags.confirmationNumber),
    from: from === null ? null : { code: from, name: shortText(tags.departureAirportName) },
    to: to === null ? null : { code: to, name: shortText(tags.destinationAirportName) },
    departure: dateTimeOf(departureTag(tags)),
    arrival: dateTimeOf(tags.originalArrivalDate ?? tags.currentArrivalDate),
    departureTerminal: shortText(tags.departureTerminal),
    departureGate: shortText(tags.departureGate),
    arrivalTerminal: shortText(tags.destinationTerminal),
    arrivalGate: shortText(tags.destinationGate),
    flightNumber: number,
    airline: shortText(tags.airlineCode) ? { code: shortText(tags.airlineCode), name: null } : null,
    seatNumber: seatNumberOf(/\d/.test(seatNumber) ? seatNumber : row + seatNumber),
    seatClass: seatClassOf(seat.seatType) ?? seatClassOf(seat.seatSection),
  }
}

interface PassField {
  /** Key and label in lower case. */
  name: string
  value: string | null
}

/** The visible fields of a pass, whose keys and labels each airline chooses. */
function visibleFlight(boardingPass: Json): Partial<DocumentFlight> {
  const fields = (part: string): PassField[] =>
    listOf(boardingPass[part]).map((field) => {
      const { key, label, value } = objectOf(field)
      return { name: `${shortText(key) ?? ''} ${shortText(label) ?? ''}`.toLowerCase(), value: shortText(value) }
    })
  const all = ['headerFields', 'primaryFields', 'secondaryFields', 'auxiliaryFields'].flatMap(fields)
  const find = (pattern: RegExp) => all.find(({ name, value }) => pattern.test(name) && value !== null)?.value ?? null
  const [from, to] = fields('primaryFields').map(({ value }) => airportCode(value))
  const gate = find(/\bgate\b|flugsteig|porte/)
  return {
    passengerName: find(/passenger|\bname\b|passagier/),
    bookingReference: find(/\bpnr\b|booking|confirmation|record ?locator|reservation|buchung/),
    from: from ? { code: from, name: null } : null,
    to: to ? { code: to, name: null } : null,
    departureTerminal: find(/\bterminal\b/),
    departureGate: gate !== null && /\d/.test(gate) ? gate : null,
    flightNumber: flightNumberOf(null, find(/flight(?! *date)|\bflug|\bvol\b/)),
    seatNumber: seatNumberOf(find(/\bseat\b|sitz|siège/)),
    seatClass: seatClassOf(find(/class|cabin|klasse/)),
  }
}

const barcodeOf = (pass: Json): string | null => {
  const messages = [...listOf(pass.barcodes), pass.barcode].map((barcode) => objectOf(barcode).message)
  const found = messages.find((message) => typeof message === 'string' && /^M[1-4]/.test(message))
  return typeof found === 'string' ? found : null
}

/** The day of a time as written, which is that of the airport for most passes. */
const dayAsWritten = (value: unknown): string | null => {
  const read = readDateTime(value)
  if (read === undefined) return null
  if ('day' in read) return read.day
  return 'local' in read
    ? read.local.slice(0, 10)
    : (/^\d{4}-\d\d-\d\d/.exec(String(value))?.[0] ?? dayOf(Date.parse(read.instant)))
}

export function readWalletPass(bytes: Buffer, reference: string): DocumentFlight[] {
  const pass = passOf(bytes)
  const boardingPass = objectOf(pass?.boardingPass)
  const transit = boardingPass.transitType ?? 'PKTransitTypeAir'
  if (!pass || pass.boardingPass === undefined || transit !== 'PKTransitTypeAir') return []
  const tags = objectOf(pass.semantics)
  const semantics = semanticFlight(tags)
  const details = completedBy({ ...emptyFlight('wallet_pass'), ...semantics }, visibleFlight(boardingPass))
  const relevantDay = dayAsWritten(departureTag(tags)) ?? dayAsWritten(pass.relevantDate)
  const message = barcodeOf(pass)
  if (message === null) {
    const date = details.departure ? null : relevantDay
    return details.flightNumber === null && details.from === null ? [] : [{ ...details, date }]
  }
  const legs = readBarcode(message, relevantDay ?? reference)
  // The fields of a pass show its first leg.
  return legs.map((leg, index) => {
    const { passengerName, bookingReference } = details
    const known = index === 0 ? details : { passengerName, bookingReference }
    return { ...completedBy(leg, known), passengerName: passengerName ?? leg.passengerName, kind: 'wallet_pass' }
  })
}

function readBarcode(message: string, reference: string): DocumentFlight[] {
  try {
    return readPass(message, reference)
  } catch (error) {
    throw unreadable(english.documents.passBarcode({ problem: (error as Error).message }), error)
  }
}

export const walletPass: Reader = {
  types: ['application/vnd.apple.pkpass'],
  matches: (start) => start.startsWith('PK\x03\x04'),
  needsWorker: false,
  read: ({ bytes }, reference) => readWalletPass(bytes, reference),
}
