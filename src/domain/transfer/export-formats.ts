import { localTime } from '../../lib/dates.ts'
import { greatCircle, splitAtAntimeridian } from '../../lib/geo.ts'
import { escapeXml } from '../../lib/xml.ts'
import { CALENDAR_END, calendarStart, eventText, flightEvent } from '../calendar/icalendar.ts'
import type { Flight } from '../flights/contract.ts'
import { codeOf } from '../reference/contract.ts'

export type Point = [longitude: number, latitude: number, altitude?: number]

interface LoggedFlight {
  flight: Flight
  /** The owner of the log. */
  userId: string
  baseUrl: string
  track: readonly Point[] | undefined
}

/** Writes the flights of a log as one file, a piece of text at a time. */
export interface ExportFormat {
  type: string
  hasTracks: boolean
  open: (title: string) => string
  flight: (logged: LoggedFlight) => Iterable<string>
  between: string
  close: string
}

const period = ({ date, datePrecision }: Flight) => date.slice(0, { day: 10, month: 7, year: 4 }[datePrecision])

const routeName = ({ flightNumber, from, to }: Flight) =>
  [flightNumber, codeOf(from), '–', codeOf(to)].filter(Boolean).join(' ')

const POINTS_PER_PIECE = 1_000

function* pointPieces(points: readonly Point[], write: (some: readonly Point[]) => string, between: string) {
  for (let from = 0; from < points.length; from += POINTS_PER_PIECE) {
    yield (from === 0 ? '' : between) + write(points.slice(from, from + POINTS_PER_PIECE))
  }
}

function csvCell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  // A spreadsheet would run a cell that begins like a formula. After an apostrophe it is text.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n']|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const csvLine = (cells: Parameters<typeof csvCell>[0][]) => `${cells.map(csvCell).join(',')}\r\n`

const local = (instant: string | null, { timezone }: Flight['from']) =>
  instant && localTime(instant, timezone).replace('T', ' ')

const ownSeat = ({ flight, userId }: LoggedFlight) => flight.passengers.find(({ user }) => user?.id === userId)

const companions = ({ flight, userId }: LoggedFlight) =>
  flight.passengers
    .filter(({ user }) => user?.id !== userId)
    .map(({ user, guestName }) => user?.displayName ?? guestName)
    .join('; ')

type Column = readonly [title: string, value: (logged: LoggedFlight) => Parameters<typeof csvCell>[0]]

const columns: readonly Column[] = [
  ['Date', ({ flight }) => period(flight)],
  ['Flight number', ({ flight }) => flight.flightNumber],
  ['Airline', ({ flight }) => flight.airline?.name],
  ['Airline IATA', ({ flight }) => flight.airline?.iata?.replace('*', '')],
  ['From', ({ flight }) => flight.from.iata ?? flight.from.icao],
  ['From airport', ({ flight }) => flight.from.name],
  ['From city', ({ flight }) => flight.from.municipality],
  ['From country', ({ flight }) => flight.from.country],
  ['To', ({ flight }) => flight.to.iata ?? flight.to.icao],
  ['To airport', ({ flight }) => flight.to.name],
  ['To city', ({ flight }) => flight.to.municipality],
  ['To country', ({ flight }) => flight.to.country],
  ['Departure (local)', ({ flight }) => local(flight.departure, flight.from)],
  ['Arrival (local)', ({ flight }) => local(flight.arrival, flight.to)],
  ['Departure scheduled (local)', ({ flight }) => local(flight.departureScheduled, flight.from)],
  ['Arrival scheduled (local)', ({ flight }) => local(flight.arrivalScheduled, flight.to)],
  ['Take-off (local)', ({ flight }) => local(flight.takeoffActual, flight.from)],
  ['Landing (local)', ({ flight }) => local(flight.landingActual, flight.to)],
  ['Duration (min)', ({ flight }) => flight.duration && Math.round(flight.duration / 60)],
  ['Distance (km)', ({ flight }) => flight.distanceKm && Math.round(flight.distanceKm)],
  ['Aircraft', ({ flight }) => flight.aircraft?.name],
  ['Aircraft ICAO', ({ flight }) => flight.aircraft?.icao],
  ['Registration', ({ flight }) => flight.aircraftReg],
  ['Seat number', (logged) => ownSeat(logged)?.seatNumber],
  ['Seat', (logged) => ownSeat(logged)?.seat],
  ['Class', (logged) => ownSeat(logged)?.seatClass],
  ['Reason', (logged) => ownSeat(logged)?.flightReason],
  ['With', companions],
  ['Departure terminal', ({ flight }) => flight.departureTerminal],
  ['Departure gate', ({ flight }) => flight.departureGate],
  ['Arrival terminal', ({ flight }) => flight.arrivalTerminal],
  ['Arrival gate', ({ flight }) => flight.arrivalGate],
  ['Note', ({ flight }) => flight.note],
]

const csv: ExportFormat = {
  type: 'text/csv; charset=utf-8',
  hasTracks: false,
  // Some spreadsheets recognize UTF-8 only by a byte order mark.
  open: () => `\uFEFF${csvLine(columns.map(([title]) => title))}`,
  flight: (logged) => [csvLine(columns.map(([, value]) => value(logged)))],
  between: '',
  close: '',
}

const kmlStyle = (id: string, width: number) =>
  `<Style id="${id}"><LineStyle><color>ffb0601a</color><width>${width}</width></LineStyle></Style>\n`

const kml: ExportFormat = {
  type: 'application/vnd.google-earth.kml+xml; charset=utf-8',
  hasTracks: true,
  open: (title) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>${escapeXml(title)}</name>\n${kmlStyle('route', 2)}${kmlStyle('track', 3)}`,
  *flight({ flight, track }) {
    const { from, to, airline, aircraft, aircraftReg } = flight
    const line: readonly Point[] = track ?? [
      [from.longitude, from.latitude],
      [to.longitude, to.latitude],
    ]
    const description = [airline?.name, aircraft?.name, aircraftReg].filter(Boolean).join(', ')
    // Without altitudes the line follows the ground, which also bends it to a great circle.
    const hasAltitudes = line.every((point) => point.length === 3)
    yield `<Placemark><name>${escapeXml(routeName(flight))}</name><description>${escapeXml(description)}</description>`
    yield `<TimeStamp><when>${period(flight)}</when></TimeStamp><styleUrl>#${track ? 'track' : 'route'}</styleUrl>`
    yield `<LineString>${hasAltitudes ? '<altitudeMode>absolute</altitudeMode>' : '<tessellate>1</tessellate>'}<coordinates>`
    yield* pointPieces(line, (some) => some.map((point) => point.join(',')).join(' '), ' ')
    yield '</coordinates></LineString></Placemark>\n'
  },
  between: '',
  close: '</Document></kml>\n',
}

function* geometry(lines: readonly (readonly Point[])[]): Generator<string> {
  const isMulti = lines.length !== 1
  yield isMulti ? '{"type":"MultiLineString","coordinates":[' : '{"type":"LineString","coordinates":'
  for (const [index, line] of lines.entries()) {
    yield index === 0 ? '[' : ',['
    yield* pointPieces(line, (some) => JSON.stringify(some).slice(1, -1), ',')
    yield ']'
  }
  yield isMulti ? ']}' : '}'
}

const geojson: ExportFormat = {
  type: 'application/geo+json; charset=utf-8',
  hasTracks: true,
  open: () => '{"type":"FeatureCollection","features":[',
  *flight({ flight, track }) {
    const { from, to, flightNumber, airline, aircraft, aircraftReg, duration, distanceKm } = flight
    const properties = {
      name: routeName(flight),
      date: period(flight),
      from: from.iata ?? from.icao,
      to: to.iata ?? to.icao,
      flightNumber,
      airline: airline?.name ?? null,
      aircraft: aircraft?.name ?? null,
      aircraftReg,
      durationSeconds: duration,
      distanceKm,
      line: track ? 'track' : 'great circle',
    }
    yield `\n{"type":"Feature","properties":${JSON.stringify(properties)},"geometry":`
    // RFC 7946 cuts lines at the 180th meridian.
    yield* geometry(splitAtAntimeridian(track ?? greatCircle(from, to)))
    yield '}'
  },
  between: ',',
  close: '\n]}\n',
}

const ics: ExportFormat = {
  type: 'text/calendar; charset=utf-8',
  hasTracks: false,
  open: calendarStart,
  flight: ({ flight, userId, baseUrl }) => {
    const event = flightEvent(flight, { userId, baseUrl, withNotes: true })
    return event ? [eventText(event)] : []
  },
  between: '',
  close: CALENDAR_END,
}

/** By file extension. */
export const exportFormats = { csv, kml, geojson, ics }
