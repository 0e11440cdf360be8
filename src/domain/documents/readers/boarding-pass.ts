import { english } from '../../../messages/english.ts'
import {
  type DocumentFlight,
  emptyFlight,
  flightNumberOf,
  MAX_ITEMS,
  seatNumberOf,
  shortText,
} from '../document-flight.ts'
import { unreadable } from '../unreadable.ts'
import { dayAfterLeg, dayFrom, dayNear, issueDay } from '../year-of-day.ts'
import type { Reader } from './reader.ts'

// IATA Resolution 792: fields of a fixed length for each leg, followed by conditional fields whose length is given.

const isStart = (text: string) => /^M[1-4]/.test(text)

/** The longest pass has four legs of 37 and 255 characters, and 255 characters of security data. */
const MAX_PASS_LENGTH = 2000

type SeatClass = DocumentFlight['seatClass']

/** Letters that airlines use for different cabins are left out. */
const CABINS: Readonly<Record<string, SeatClass>> = {
  F: 'first',
  ...Object.fromEntries([...'JCDZI'].map((letter) => [letter, 'business' as const])),
  W: 'economy+',
  ...Object.fromEntries([...'YBHKLMNOQSTUVXG'].map((letter) => [letter, 'economy' as const])),
}

/** Takes fields from the front of a text. */
function fieldReader(text: string) {
  let position = 0
  const take = (length: number): string => {
    if (position + length > text.length) throw unreadable(english.documents.passProblems.tooShort)
    position += length
    return text.slice(position - length, position)
  }
  return {
    take,
    /** A length as two hexadecimal digits, and as many characters. */
    takeSized(): string {
      const size = take(2)
      if (!/^[0-9A-F]{2}$/i.test(size)) throw unreadable(english.documents.passProblems.fieldLength)
      return take(Number.parseInt(size, 16))
    },
    rest: () => text.slice(position),
  }
}

const plain = (field: string) => shortText(field)

function airport(field: string) {
  if (!/^[A-Z]{3}$/.test(field)) throw unreadable(english.documents.passProblems.airport)
  return { code: field, name: null }
}

function dayNumber(field: string): number {
  const number = /^\d{3}$/.test(field) ? Number(field) : 0
  if (number < 1 || number > 366) throw unreadable(english.documents.passProblems.day)
  return number
}

/** The day of issue is in the conditional fields of the first leg: after 3 characters, and 4 long. */
function issueOf(conditional: string, reference: string): string | undefined {
  if (!conditional.startsWith('>')) return undefined
  const fields = fieldReader(conditional.slice(2)).takeSized()
  const field = fields.slice(3, 7)
  if (field.trim() === '') return undefined
  const day = /^\d{4}$/.test(field) && issueDay(Number(field[0]), Number(field.slice(1)), reference)
  if (!day) throw unreadable(english.documents.passProblems.dayOfIssue)
  return day
}

function requireSecurityData(rest: string): void {
  if (rest.trim() === '') return
  if (!rest.startsWith('^')) throw unreadable(english.documents.passProblems.tooLong)
  const security = fieldReader(rest.slice(2))
  security.takeSized()
  if (security.rest().trim() !== '') throw unreadable(english.documents.passProblems.tooLong)
}

/** The legs of one pass. Throws if any field does not have the form of the standard. */
export function readPass(text: string, reference: string): DocumentFlight[] {
  if (!isStart(text)) throw unreadable(english.documents.passProblems.start)
  if (text.length > MAX_PASS_LENGTH) throw unreadable(english.documents.passProblems.tooLong)
  if (/\p{Cc}/u.test(text)) throw unreadable(english.documents.passProblems.controlCharacters)
  const fields = fieldReader(text)
  fields.take(1)
  const legs = Number(fields.take(1))
  const passengerName = plain(fields.take(20))
  fields.take(1)
  const flights: DocumentFlight[] = []
  let issue: string | undefined
  while (flights.length < legs) {
    const bookingReference = plain(fields.take(7))
    const [from, to] = [airport(fields.take(3)), airport(fields.take(3))]
    const [carrier, number] = [fields.take(3).trim(), fields.take(5).trim()]
    const day = dayNumber(fields.take(3))
    const [cabin, seat] = [fields.take(1), fields.take(4)]
    // The sequence number and the status of the passenger.
    fields.take(6)
    const conditional = fields.takeSized()
    const before = flights.at(-1)?.date
    if (before == null) issue = issueOf(conditional, reference)
    const date = before ? dayAfterLeg(day, before) : issue ? dayFrom(day, issue) : dayNear(day, reference)
    if (date === undefined) throw unreadable(english.documents.passProblems.leapDay)
    if (!/^[A-Z0-9]{2,3}$/.test(carrier)) throw unreadable(english.documents.passProblems.airline)
    const flightNumber = flightNumberOf(carrier, number)
    if (flightNumber === null && number !== '') throw unreadable(english.documents.passProblems.flightNumber)
    flights.push({
      ...emptyFlight('boarding_pass'),
      ...{ passengerName, bookingReference, date, from, to, flightNumber },
      airline: { code: carrier, name: null },
      seatNumber: seatNumberOf(seat),
      seatClass: CABINS[cabin] ?? null,
    })
  }
  requireSecurityData(fields.rest())
  return flights
}

/** One pass per line. */
export const boardingPass: Reader = {
  types: [],
  matches: isStart,
  needsWorker: false,
  read(content, reference) {
    const flights: DocumentFlight[] = []
    const whole = content.text()
    for (const { 0: text, index } of whole.matchAll(/[^\r\n]+/g)) {
      if (text.trim() === '') continue
      if (flights.length >= MAX_ITEMS) break
      try {
        flights.push(...readPass(text.trimStart(), reference))
      } catch (error) {
        const line = whole.slice(0, index).split(/\r\n|\r|\n/).length
        throw unreadable(english.documents.passLine({ line, problem: (error as Error).message }), error)
      }
    }
    return flights
  },
}
