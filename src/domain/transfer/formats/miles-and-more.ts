import { isObject } from '../../../lib/objects.ts'
import type { JsonObject } from './json.ts'
import {
  checkRowCount,
  noteProblem,
  type ParsedFile,
  type ParsedFlight,
  rowsOf,
  type SeatClass,
  UnreadableFile,
  unknownFlight,
} from './row.ts'
import {
  airport,
  calendarDay,
  classByName,
  hoursAndMinutes,
  minutes,
  named,
  noteWith,
  orNull,
  utcDateTime,
} from './values.ts'

const BOOKING_CLASSES: [letters: string, seatClass: SeatClass][] = [
  ['AFO', 'first'],
  ['CDJPZ', 'business'],
  ['EGN', 'economy+'],
]

const POINTS = [
  ['Status miles', 'StatusMiles'],
  ['Status points', 'StatusPoints'],
  ['GUP points', 'GupPoints'],
  ['HON points', 'HonPoints'],
  ['HON miles', 'Honmiles'],
  ['Award miles', 'AwardMiles'],
] as const

export function parseMilesAndMore({ SegmentListResponses: segments }: JsonObject): ParsedFile {
  if (!Array.isArray(segments)) throw new UnreadableFile('The file has no list SegmentListResponses.')
  checkRowCount(segments.length)
  const rows = rowsOf(segments, (segment) =>
    isObject(segment) ? flightOf(segment) : noteProblem('The segment is not an object.'),
  )
  return { rows }
}

function flightOf(segment: JsonObject): ParsedFlight {
  const member = (name: string) => textOf(segment[name])
  const airline = member('AirlineDesignatorCode')
  const number = member('FlightNumber')
  const departure = utcDateTime(member('DepartureTime'))
  const times = timesOf(departure, utcDateTime(member('ArrivalTime')))
  const day = member('DepartureDate').slice(0, 10)
  // An invalid time has been reported already.
  const hasProblem = departure === null && member('DepartureTime') !== ''
  const points = POINTS.map(([label, name]): [string, string] => [label, member(name)])
  return {
    ...unknownFlight,
    ...times,
    date: times.departure || (hasProblem && day === '') ? null : calendarDay(day),
    from: airport('from', 'iata', member('OriginAirportCode')),
    to: airport('to', 'iata', member('DestinationAirportCode')),
    duration: durationOf(member('TimeOnPlane')),
    airline: named('', [['iata', airline]]),
    aircraft: named('', [['iata', member('AircraftCode')]]),
    flightNumber: orNull(number && `${airline}${number}`),
    // Most flights earn only one kind of points.
    note: noteWith('', ['Record locator', member('PnrrecordLocator')], ...points.filter(([, value]) => value !== '0')),
    seatClass: cabinOf(member('CompartmentClass')),
  }
}

/** Texts are trimmed, numbers become texts, anything else is empty. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' ? String(value) : ''
}

type ExactMoment = ReturnType<typeof utcDateTime>

/** An arrival before the departure drops both. */
function timesOf(departure: ExactMoment, arrival: ExactMoment): Pick<ParsedFlight, 'departure' | 'arrival'> {
  // Instants in the same format can be compared as text.
  const wrong = departure !== null && arrival !== null && arrival.instant < departure.instant
  return wrong ? { departure: null, arrival: null } : { departure, arrival }
}

const durationOf = (text: string) => (text.includes(':') ? hoursAndMinutes(text) : minutes(text))

/** A booking class of one letter; whole words are names of cabins. */
function cabinOf(text: string): SeatClass | null {
  if (!/^[A-Za-z]$/.test(text)) return classByName(text)
  const found = BOOKING_CLASSES.find(([letters]) => letters.includes(text.toUpperCase()))
  return found ? found[1] : 'economy'
}
