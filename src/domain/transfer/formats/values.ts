import { isCalendarDay, isoInstant, parseInstant } from '../../../lib/dates.ts'
import { isWithinLength } from '../../../lib/text.ts'
import { english } from '../../../messages/english.ts'
import { flightReasons, seatClasses, seats } from '../../flights/contract.ts'
import { MAX_NAME_LENGTH } from '../../reference/contract.ts'
import {
  type AirportName,
  type FlightReason,
  type Moment,
  noteProblem,
  type ReferenceName,
  type Seat,
  type SeatClass,
  shown,
} from './row.ts'

export const orNull = (text: string): string | null => (text === '' ? null : text)

export function calendarDay(text: string): string | null {
  if (text === '') return noteProblem(english.import.noDate)
  if (!/^\d{4}-\d\d-\d\d$/.test(text))
    return noteProblem(english.import.dateForm({ value: shown(text), form: 'YYYY-MM-DD' }))
  return isCalendarDay(text) ? text : noteProblem(english.import.noSuchDay({ value: shown(text) }))
}

/** H:MM or HH:MM, with or without seconds, as HH:MM:SS; null if empty. */
export function clock(text: string): string | null {
  if (text === '') return null
  const match = /^(\d|[01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text)
  if (!match) return noteProblem(english.import.timeForm({ value: shown(text), form: 'HH:MM' }))
  const [, hour = '', minute, second = '00'] = match
  return `${hour.padStart(2, '0')}:${minute}:${second}`
}

export const localMoment = (day: string | null, time: string | null, at: 'from' | 'to'): Moment | null =>
  day === null || time === null ? null : { local: `${day}T${time}`, at }

/** The day of a local departure; null for an instant, whose day depends on the origin. */
export function departureDay(departure: Moment | null, isWritten: boolean): string | null {
  if (departure && 'local' in departure) return departure.local.slice(0, 10)
  // An invalid time has been reported already.
  return departure || isWritten ? null : calendarDay('')
}

function dayAndClock(text: string): { day: string | null; time: string | null } | undefined {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d{1,9})?$/.exec(text)
  return match ? { day: calendarDay(match[1]!), time: clock(match[2]!) } : undefined
}

/** An ISO date-time in the local time of an airport, or an instant if it has an offset. */
export function localDateTime(text: string, at: 'from' | 'to'): Moment | null {
  if (text === '') return null
  const local = dayAndClock(text)
  return local ? localMoment(local.day, local.time, at) : exactMoment(text)
}

/** An ISO date-time, in UTC if it has no offset. */
export function utcDateTime(text: string): { instant: string } | null {
  if (text === '') return null
  const utc = dayAndClock(text)
  if (!utc) return exactMoment(text)
  return utc.day === null || utc.time === null ? null : exactMoment(`${utc.day}T${utc.time}Z`)
}

export function exactMoment(text: string): { instant: string } | null {
  const instant = parseInstant(text.replace(' ', 'T'))
  if (instant === undefined) return noteProblem(english.import.notADateTime({ value: shown(text) }))
  return { instant: isoInstant(instant) }
}

/** H:MM or H:MM:SS as seconds. Zero means unknown. */
export function hoursAndMinutes(text: string): number | null {
  if (text === '') return null
  const match = /^(\d{1,3}):([0-5]\d)(?::([0-5]\d))?$/.exec(text)
  if (!match) return noteProblem(english.import.durationForm({ value: shown(text) }))
  return Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3] ?? 0) || null
}

/** Minutes as seconds. Zero means unknown. */
export function minutes(text: string): number | null {
  if (text === '') return null
  if (!/^\d{1,5}(?:\.0+)?$/.test(text)) return noteProblem(english.import.durationMinutes({ value: shown(text) }))
  return Number(text) * 60 || null
}

const missingAirport = { from: english.import.noOrigin, to: english.import.noDestination }
const wrongAirport = { from: english.import.originCode, to: english.import.destinationCode }

export function airport(role: 'from' | 'to', by: AirportName['by'], text: string): AirportName | null {
  if (text === '') return noteProblem(missingAirport[role])
  const code = text.slice(0, 9).toUpperCase()
  if (!/^[A-Z0-9-]{2,8}$/.test(code)) return noteProblem(wrongAirport[role]({ value: shown(text) }))
  return { by, code }
}

type Lookup = ReferenceName['lookups'][number]

/** An airline or aircraft type with all its names in the file, or null without any. */
export function named(text: string, ...lookups: [Lookup['by'], string | undefined][]): ReferenceName | null {
  const known = lookups.flatMap(([by, name]): Lookup[] => {
    const value = name?.trim()
    if (!value) return []
    if (isWithinLength(value, MAX_NAME_LENGTH)) return [{ by, value: by === 'name' ? value : value.toUpperCase() }]
    noteProblem(english.import.nameTooLong({ value: shown(value), max: MAX_NAME_LENGTH }))
    return []
  })
  return known[0] ? { lookups: known, text: text || known[0].value } : null
}

/** Splits `Name (A/B)` into the name and its codes; a text without parentheses at its end has no codes. */
export function nameAndCodes(text: string): { name: string; codes: string[] } {
  // A regular expression would be quadratic in the number of spaces.
  const open = text.lastIndexOf('(')
  if (open < 0 || !text.endsWith(')')) return { name: text, codes: [] }
  const codes = text.slice(open + 1, -1).split('/', 3)
  return { name: text.slice(0, open).trim(), codes: codes.map((code) => code.trim()) }
}

/** The airline prefix of a flight number: two characters (IATA), or three letters (ICAO) if no number follows those. */
export function designator(flightNumber: string): { by: 'iata' | 'icao'; code: string } | undefined {
  const text = flightNumber.toUpperCase()
  const iata = /^([A-Z][A-Z0-9]|\d[A-Z])[ -]?\d{1,4}[A-Z]?$/.exec(text)
  if (iata) return { by: 'iata', code: iata[1]! }
  const icao = /^([A-Z]{3})[ -]?\d{1,4}[A-Z]{0,2}$/.exec(text)
  return icao ? { by: 'icao', code: icao[1]! } : undefined
}

export function airlineOfNumber(flightNumber: string): ReferenceName | null {
  const airline = designator(flightNumber)
  return airline ? named('', [airline.by, airline.code]) : null
}

/** Adds a line for each value that a flight has no member for. */
export function noteWith(note: string, ...lines: [label: string, value: string][]): string | null {
  const known = lines.filter(([, value]) => value !== '').map(([label, value]) => `${label}: ${value}`)
  return orNull([note, ...known].filter((line) => line !== '').join('\n'))
}

const wordKey = (text: string) =>
  text
    .slice(0, 40)
    .toLowerCase()
    .replaceAll('+', ' plus ')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')

/** Finds a value, ignoring case and separators; null if unknown (contract 5.3). */
function wordTable<Value extends string>(values: readonly Value[], others: Record<string, Value> = {}) {
  const words = new Map([...values.map((value) => [wordKey(value), value] as const), ...Object.entries(others)])
  return (text: string): Value | null => words.get(wordKey(text)) ?? null
}

export const seatByName: (text: string) => Seat | null = wordTable(seats, {
  co_pilot: 'copilot',
  jump_seat: 'jumpseat',
})

export const classByName: (text: string) => SeatClass | null = wordTable(seatClasses, {
  premium_economy: 'economy+',
  economy_premium: 'economy+',
  premium: 'economy+',
})

export const reasonByName: (text: string) => FlightReason | null = wordTable(flightReasons)

export function codeTable<Value extends string>(codes: Record<string, Value>) {
  const table = new Map(Object.entries(codes))
  return (text: string): Value | null => table.get(text.toUpperCase()) ?? null
}
