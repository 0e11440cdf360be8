import { DAY_MS } from '../../lib/dates.ts'

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
  return `${compact(new Date(known).toISOString()).slice(0, 'YYYYMMDDTHHMMSS'.length)}Z`
}

function period({ start, end = -Infinity }: CalendarEvent): string[] {
  if (typeof start === 'number') {
    const [from, to] = [instant(start), instant(end)]
    return [`DTSTART:${from}`, ...(to > from ? [`DTEND:${to}`] : [])]
  }
  const next = Math.min(Date.parse(start) + DAY_MS, LAST_SECOND)
  const last = new Date(next).toISOString().slice(0, 'YYYY-MM-DD'.length)
  return [`DTSTART;VALUE=DATE:${compact(start)}`, ...(last > start ? [`DTEND;VALUE=DATE:${compact(last)}`] : [])]
}

export function eventText(event: CalendarEvent): string {
  const { uid, changedAt, sequence, summary, location, description, geo } = event
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
