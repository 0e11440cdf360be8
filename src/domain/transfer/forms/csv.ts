import { localTime } from '../../../lib/dates.ts'
import type { Flight } from '../../flights/contract.ts'
import type { FileForm, LoggedFlight } from './form.ts'

/** A cell that begins so is a formula to a spreadsheet, whoever wrote it; behind an apostrophe it is text. */
const FORMULA = /^[=+\-@\t\r]/

function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n']|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const line = (cells: Parameters<typeof cell>[0][]) => `${cells.map(cell).join(',')}\r\n`

const local = (instant: string | null, { timezone }: Flight['from']) =>
  instant && localTime(instant, timezone).replace('T', ' ')

const period = ({ date, datePrecision }: Flight) => date.slice(0, { day: 10, month: 7, year: 4 }[datePrecision])

type Column = readonly [title: string, value: (logged: LoggedFlight) => string | number | null | undefined]

const own = ({ flight, userId }: LoggedFlight) => flight.passengers.find(({ user }) => user?.id === userId)

const others = ({ flight, userId }: LoggedFlight) =>
  flight.passengers
    .filter(({ user }) => user?.id !== userId)
    .map(({ user, guestName }) => user?.displayName ?? guestName)
    .join('; ')

/** One row a flight, for spreadsheets; what has no place in a row is in the JSON. */
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
  ['Seat number', (logged) => own(logged)?.seatNumber],
  ['Seat', (logged) => own(logged)?.seat],
  ['Class', (logged) => own(logged)?.seatClass],
  ['Reason', (logged) => own(logged)?.flightReason],
  ['With', others],
  ['Departure terminal', ({ flight }) => flight.departureTerminal],
  ['Departure gate', ({ flight }) => flight.departureGate],
  ['Arrival terminal', ({ flight }) => flight.arrivalTerminal],
  ['Arrival gate', ({ flight }) => flight.arrivalGate],
  ['Note', ({ flight }) => flight.note],
]

export const csvForm: FileForm = {
  extension: 'csv',
  type: 'text/csv; charset=utf-8',
  draws: false,
  // Without the mark of UTF-8 some spreadsheets take it for something older.
  open: () => `\uFEFF${line(columns.map(([title]) => title))}`,
  flight: (logged) => [line(columns.map(([, value]) => value(logged)))],
  between: '',
  close: '',
}
