import { UnreadableFile } from './row.ts'

export interface Property {
  /** Without its escapes where it is a text. */
  value: string
  parameters: Map<string, string>
}

export interface CalendarEvent {
  properties: Map<string, Property>
  /** False if the event has no end. */
  complete: boolean
}

/** The events of an iCalendar file (RFC 5545), without the properties of their alarms. */
export function* readEvents(text: string): Generator<CalendarEvent> {
  const unfolded = unfold(text)
  if (!isCalendar(unfolded)) throw new UnreadableFile('The file does not begin with BEGIN:VCALENDAR.')
  let event: CalendarEvent | undefined
  let depth = 0
  for (const [line] of unfolded.matchAll(/[^\r\n]+/g)) {
    const boundary = /^(BEGIN|END):([A-Z0-9-]{1,40})\s*$/i.exec(line)
    if (boundary) {
      const begins = boundary[1]!.toUpperCase() === 'BEGIN'
      const isEvent = boundary[2]!.toUpperCase() === 'VEVENT'
      if (isEvent && begins) {
        if (event) yield event
        event = { properties: new Map(), complete: false }
        depth = 0
      } else if (isEvent) {
        if (event) yield { ...event, complete: true }
        event = undefined
      } else {
        depth += begins ? 1 : -1
      }
    } else if (event && depth === 0) {
      addProperty(event, line)
    }
  }
  if (event) yield event
}

export const isCalendar = (text: string) => /^BEGIN:VCALENDAR/i.test(text)

/** A line that begins with white space continues the one before (RFC 5545 section 3.1). */
const unfold = (text: string): string => text.trimStart().replace(/(?:\r\n|\n|\r)[ \t]/g, '')

/** Longer than every parameter that is read. Folded lines can have any length. */
const MAX_PARAMETERS_LENGTH = 2000

/** The first of several properties with the same name wins. */
function addProperty(event: CalendarEvent, line: string): void {
  const colon = endOfParameters(line)
  if (colon < 0 || colon > MAX_PARAMETERS_LENGTH) return
  const [name = '', ...parameters] = splitOutsideQuotes(line.slice(0, colon))
  const key = name.toUpperCase()
  if (event.properties.has(key)) return
  event.properties.set(key, {
    value: line.slice(colon + 1),
    parameters: new Map(
      parameters.map((parameter) => {
        const [label = '', value = ''] = parameter.split('=', 2)
        return [label.toUpperCase(), value.replaceAll('"', '')]
      }),
    ),
  })
}

/** The first colon that is not inside a quoted parameter. */
function endOfParameters(line: string): number {
  let quoted = false
  for (let index = 0; index < line.length; index++) {
    if (line[index] === '"') quoted = !quoted
    else if (line[index] === ':' && !quoted) return index
  }
  return -1
}

/** Splits at semicolons outside of quotation marks. */
const splitOutsideQuotes = (text: string): string[] =>
  text
    .split('"')
    .map((piece, index) => (index % 2 === 0 ? piece.replaceAll(';', '\n') : piece))
    .join('"')
    .split('\n')

/** RFC 5545 section 3.3.11. */
export const unescapeText = (value: string): string =>
  value.replace(/\\([\\;,nN])/g, (_, letter: string) => (letter === 'n' || letter === 'N' ? '\n' : letter))
