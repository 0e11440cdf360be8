import { isObject } from '../../../lib/objects.ts'
import { english } from '../../../messages/english.ts'
import { type FileFlight, noteProblem, type ParsedFile, rowsOf, type SeatClass, UnreadableFile } from './row.ts'
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

const POINTS = {
  StatusMiles: 'Status miles',
  StatusPoints: 'Status points',
  GupPoints: 'GUP points',
  HonPoints: 'HON points',
  Honmiles: 'HON miles',
  AwardMiles: 'Award miles',
}

export function parseMilesAndMore({ SegmentListResponses: segments }: Record<string, unknown>): ParsedFile {
  if (!Array.isArray(segments)) throw new UnreadableFile(english.import.noSegments)
  const read = (segment: unknown) =>
    isObject(segment) ? flightOf(segment) : noteProblem(english.import.segmentNotAnObject)
  return { rows: rowsOf(() => segments, read) }
}

function flightOf(segment: Record<string, unknown>): FileFlight {
  const member = (name: string) => textOf(segment[name])
  const airline = member('AirlineDesignatorCode')
  const number = member('FlightNumber')
  const departure = utcDateTime(member('DepartureTime'))
  const arrival = utcDateTime(member('ArrivalTime'))
  // Instants in the same format can be compared as text. An arrival before the departure drops both.
  const isReversed = departure !== null && arrival !== null && arrival.instant < departure.instant
  const day = member('DepartureDate').slice(0, 10)
  // An invalid time has been reported already.
  const hasProblem = departure === null && member('DepartureTime') !== ''
  const isDayOfDeparture = departure !== null && !isReversed
  const points = Object.entries(POINTS).map(([name, label]): [string, string] => [label, member(name)])
  return {
    ...(!isReversed && { departure, arrival }),
    date: isDayOfDeparture || (hasProblem && day === '') ? null : calendarDay(day),
    from: airport('from', 'iata', member('OriginAirportCode')),
    to: airport('to', 'iata', member('DestinationAirportCode')),
    duration: durationOf(member('TimeOnPlane')),
    airline: named('', ['iata', airline]),
    aircraft: named('', ['iata', member('AircraftCode')]),
    flightNumber: orNull(number && `${airline}${number}`),
    // Most flights earn only one kind of points.
    note: noteWith('', ['Record locator', member('PnrrecordLocator')], ...points.filter(([, value]) => value !== '0')),
    seatClass: cabinOf(member('CompartmentClass')),
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' ? String(value) : ''
}

const durationOf = (text: string) => (text.includes(':') ? hoursAndMinutes(text) : minutes(text))

/** A booking class of one letter; whole words are names of cabins. */
function cabinOf(text: string): SeatClass | null {
  if (!/^[A-Za-z]$/.test(text)) return classByName(text)
  const found = BOOKING_CLASSES.find(([letters]) => letters.includes(text.toUpperCase()))
  return found ? found[1] : 'economy'
}
