import {
  type datePrecisions,
  type flightReasons,
  noTimes,
  type seatClasses,
  type seats,
  type TimeName,
} from '../../flights/contract.ts'

export type Seat = (typeof seats)[number]
export type SeatClass = (typeof seatClasses)[number]
export type FlightReason = (typeof flightReasons)[number]
export type DatePrecision = (typeof datePrecisions)[number]

/**
 * A moment in a file: `local` (YYYY-MM-DDTHH:MM:SS) in the zone of one of the two airports, an exact `instant`
 * in the form that is stored, or, for an arrival only, whole seconds after the departure of the same flight.
 */
export type Moment = { local: string; at: 'from' | 'to' } | { instant: string } | { afterDeparture: number }

/** How a file names an airport. `code` is an ICAO or an IATA code; codes are upper-case and well-formed. */
export interface AirportName {
  by: 'icao' | 'iata' | 'code'
  code: string
  /** The file's own record in the shape of AirportWrite, unchecked (backup only). */
  record?: Record<string, unknown>
}

/** How a file names an airline or an aircraft type. */
export interface ReferenceName {
  /** To be tried in this order; never empty. IATA codes of aircraft types need the built-in table. */
  lookups: { by: 'icao' | 'iata' | 'name'; value: string }[]
  /** As the file writes it, for the line in the note when nothing matches. */
  text: string
  /** The file's own record in the shape of AirlineWrite or AircraftWrite, unchecked (backup only). */
  record?: Record<string, unknown>
}

export interface SeatData {
  seat: Seat | null
  seatNumber: string | null
  seatClass: SeatClass | null
  flightReason: FlightReason | null
}

export interface FileUser {
  id: string
  username: string
  displayName: string
}

/** Somebody on a flight of a backup: a user of the file, a guest, or both, and never neither. */
export interface FilePassenger extends SeatData {
  user: FileUser | null
  guestName: string | null
  /** Unchecked. */
  customFields?: Record<string, unknown>
}

/** A flight as a file tells it. Lengths and the order of times are not checked here. */
export interface ParsedFlight extends SeatData, Record<TimeName, Moment | null> {
  /** Null: the local day of the departure at the origin; then `departure` is an instant. */
  date: string | null
  datePrecision: DatePrecision
  /** Null: the row has a problem there. */
  from: AirportName | null
  to: AirportName | null
  /**
   * Of local arrivals. `exact`: as the file has it. `rollForward`: the same, but an arrival before its departure is moved
   * by at most 2 days. `unknown`: the file has clocks only, under the day of departure (contract 5.1).
   */
  arrivalDay: 'exact' | 'rollForward' | 'unknown'
  /** The file's own figure in seconds. */
  duration: number | null
  /** The file's figure counts before the difference of departure and arrival (backup). */
  durationFirst: boolean
  airline: ReferenceName | null
  aircraft: ReferenceName | null
  flightNumber: string | null
  /** What follows the airline in a number that a file may write with the ICAO code: people know it behind the IATA code. */
  numberBehindAirline: string | null
  aircraftReg: string | null
  departureTerminal: string | null
  departureGate: string | null
  arrivalTerminal: string | null
  arrivalGate: string | null
  /** The file's note with the note lines of the format after it. */
  note: string | null
  /** Backup only; null when one of them has a problem. Other formats have one traveller, whose seat is in the flight itself. */
  passengers?: FilePassenger[] | null
  /** Backup only, unchecked. */
  track?: unknown
  /** Backup only, unchecked. */
  customFields?: Record<string, unknown>
}

export interface ParsedRow {
  row: number
  /** As a spreadsheet shows it: the header is line 1. Records of JSON and calendar files count from 1. */
  line: number
  /** English sentences, in the order in which they were found. A row that has one is rejected. */
  problems: readonly string[]
  /** Without the values that have a problem; null when nothing of the row can be read. */
  flight: ParsedFlight | null
}

export interface ParsedFile {
  /** In the order of the file, numbered from 1 without a gap. They can be gone through more than once. */
  rows: Iterable<ParsedRow> & { readonly length: number }
  /** Backup only: the file's users, to choose from. */
  users?: FileUser[]
}

export interface ParseOptions {
  /** Rows of other travellers are rejected (App in the Air, byAir). */
  mineOnly: boolean
}

/** The file as a whole cannot be read; the message is for the client. */
export class UnreadableFile extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'UnreadableFile'
  }
}

const MOST_ROWS = 50_000

/** No log has so many flights, but a file of tiny rows could, and their reasons would fill the memory. */
export function checkRowCount(count: number, what = 'rows'): void {
  if (count > MOST_ROWS) throw new UnreadableFile(`The file has more than ${MOST_ROWS} ${what}.`)
}

export const MAX_REASONS = 10

/** Problems of the current row; reading a row is synchronous. */
let problems: string[] = []

/** Records a problem of the row and returns null, so that the other values are still checked. */
export function noteProblem(problem: string): null {
  if (problems.length < MAX_REASONS && !problems.includes(problem)) problems.push(problem)
  return null
}

/** Runs a reader and returns its result with the problems that it recorded. */
export function withProblems<Read>(read: () => Read): { found: Read; problems: readonly string[] } {
  const outer = problems
  problems = []
  try {
    return { found: read(), problems }
  } finally {
    problems = outer
  }
}

/** The reader returns null when nothing of the row can be read. */
export function rowOutcome(row: number, line: number, read: () => ParsedFlight | null): ParsedRow {
  const { found: flight, problems } = withProblems(read)
  return { row, line, problems, flight }
}

/** What is read of something beside the row, or undefined where a row would be rejected for it. */
export function orNothing<Read>(read: () => Read): Read | undefined {
  const { found, problems } = withProblems(read)
  return problems.length === 0 ? found : undefined
}

const MOST_SHOWN = 60

/** A value of a file, fit to stand in a sentence: on one line, of limited length and without broken characters. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = String(value)
  // The first cut keeps the work small however large the value is.
  const line = text
    .slice(0, 4 * MOST_SHOWN)
    .toWellFormed()
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
  const letters = [...line]
  const cut = letters.length > MOST_SHOWN || text.length > 4 * MOST_SHOWN
  return cut ? `${letters.slice(0, MOST_SHOWN).join('')}…` : line
}

/** A flight of which nothing is known; each format names what its files know. */
export const unknownFlight = {
  date: null,
  datePrecision: 'day',
  ...noTimes,
  arrivalDay: 'exact',
  duration: null,
  durationFirst: false,
  airline: null,
  aircraft: null,
  flightNumber: null,
  numberBehindAirline: null,
  aircraftReg: null,
  departureTerminal: null,
  departureGate: null,
  arrivalTerminal: null,
  arrivalGate: null,
  note: null,
  seat: null,
  seatNumber: null,
  seatClass: null,
  flightReason: null,
} as const satisfies Omit<ParsedFlight, 'from' | 'to'>
