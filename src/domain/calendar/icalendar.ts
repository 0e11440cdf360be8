import { DAY_MS } from '../../lib/dates.ts'

/** iCalendar (RFC 5545), as much of it as a list of events needs. */

/** What was made and changed when, and what a calendar shows of it. */
export interface CalendarEvent {
  uid: string
  /** Milliseconds, or a day `YYYY-MM-DD` for all of it. */
  start: number | string
  end?: number
  changedAt: number
  /** Grows with every change. */
  sequence: number
  summary: string
  location: string
  description: string
  geo: { lat: number; lon: number }
}

const MAX_OCTETS = 75
/** Years have four digits; a duration may lead far beyond them. */
const FIRST_SECOND = Date.parse('0001-01-01T00:00:00Z')
const LAST_SECOND = Date.parse('9999-12-31T23:59:59Z')

/** In UTF-8. */
const octetsOf = (point: number) => (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4)

/** No line is longer than 75 octets; the next one goes on behind a space, and no character is cut. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= MAX_OCTETS) return `${line}\r\n`
  let [text, start, octets] = ['', 0, 0]
  for (let at = 0; at < line.length; ) {
    const point = line.codePointAt(at)!
    const length = octetsOf(point)
    if (octets + length > MAX_OCTETS) {
      text += `${line.slice(start, at)}\r\n `
      start = at
      octets = 1
    }
    octets += length
    at += point > 0xffff ? 2 : 1
  }
  return `${text}${line.slice(start)}\r\n`
}

/** Other control characters have no place in a text. */
const escaped = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
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
    // An end must lie after the start; without one an event is that instant.
    return [`DTSTART:${from}`, ...(to > from ? [`DTEND:${to}`] : [])]
  }
  const next = Math.min(Date.parse(start) + DAY_MS, LAST_SECOND)
  const last = new Date(next).toISOString().slice(0, 'YYYY-MM-DD'.length)
  // Without an end an event of days lasts one.
  return [`DTSTART;VALUE=DATE:${compact(start)}`, ...(last > start ? [`DTEND;VALUE=DATE:${compact(last)}`] : [])]
}

export function eventText(event: CalendarEvent): string {
  const { uid, changedAt, sequence, summary, location, description, geo } = event
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    // Not the time of the answer: the same flights are the same text.
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
