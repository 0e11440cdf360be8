import { english } from '../../../messages/english.ts'
import type { datePrecisions, flightReasons, seatClasses, seats, TimeName } from '../../flights/contract.ts'
import type { CsvColumns, CsvField, DateFormat } from './csv-fields.ts'

export type Seat = (typeof seats)[number]
export type SeatClass = (typeof seatClasses)[number]
export type FlightReason = (typeof flightReasons)[number]
export type DatePrecision = (typeof datePrecisions)[number]

/**
 * A time in a file: `local` (YYYY-MM-DDTHH:MM:SS) in the zone of one of the two airports, an `instant` as it is
 * stored, or, for an arrival only, seconds after the departure.
 */
export type Moment = { local: string; at: 'from' | 'to' } | { instant: string } | { afterDeparture: number }

/** `code` is an ICAO or an IATA code, upper-case and well-formed; by name, it is the text of the file. */
export interface AirportName {
  by: 'icao' | 'iata' | 'code' | 'name'
  code: string
  /** The file's own record in the shape of AirportWrite, unchecked (backup only). */
  record?: Record<string, unknown>
}

export interface ReferenceName {
  /** To be tried in this order; never empty. IATA codes of aircraft types need the built-in table. */
  lookups: { by: 'icao' | 'iata' | 'name'; value: string }[]
  /** As in the file, for the note if nothing matches. */
  text: string
  /** The file's own record in the shape of AirlineWrite or AircraftWrite, unchecked (backup only). */
  record?: Record<string, unknown>
}

interface SeatData {
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

/** A passenger in a backup: a user of the file, a guest, or both. */
export interface FilePassenger extends SeatData {
  user: FileUser | null
  guestName: string | null
  customFields?: Record<string, unknown>
}

type Place = `${'departure' | 'arrival'}${'Terminal' | 'Gate'}`
export type TextMember = 'flightNumber' | 'aircraftReg' | 'seatNumber' | 'note' | Place

/** A flight as in the file. Lengths and the order of times are not checked yet. */
export interface FileFlight
  extends Partial<SeatData>,
    Partial<Record<TimeName, Moment | null>>,
    Partial<Record<TextMember, string | null>> {
  /** Null: the local day of the departure at the origin; then `departure` is an instant. */
  date: string | null
  datePrecision?: DatePrecision
  from: AirportName | null
  to: AirportName | null
  /**
   * Of local arrivals. `exact` (default): as the file has it. `rollForward`: the same, but an arrival before its departure
   * is moved by at most 2 days. `unknown`: the file has clocks only, under the day of departure (contract 5.1).
   */
  arrivalDay?: 'exact' | 'rollForward' | 'unknown'
  /** In seconds. */
  duration?: number | null
  /** Whether the file's duration wins over the difference of departure and arrival (backup). */
  durationFirst?: boolean
  airline?: ReferenceName | null
  aircraft?: ReferenceName | null
  /** The number without its airline prefix, if the file may use the ICAO code as prefix. */
  numberBehindAirline?: string | null
  /** Backup only; null when one of them has a problem. Other formats have one traveller, whose seat is in the flight itself. */
  passengers?: FilePassenger[] | null
  track?: unknown
  customFields?: Record<string, unknown>
}

const defaults = { datePrecision: 'day', arrivalDay: 'exact', durationFirst: false } as const

export type ParsedFlight = FileFlight & Required<Pick<FileFlight, keyof typeof defaults>>

export interface ParsedRow {
  row: number
  /** The cells of a table, in the order of `headers`. */
  cells?: readonly string[] | undefined
  /** As in a spreadsheet: the header is line 1. Records of JSON and calendar files count from 1. */
  line: number
  /** English sentences, in the order in which they were found. A row that has one is rejected. */
  problems: readonly string[]
  /** Without the values that have a problem; null when nothing of the row can be read. */
  flight: ParsedFlight | null
}

export interface ParsedFile {
  /** In file order, numbered from 1 without gaps. Can be iterated more than once. */
  rows: Iterable<ParsedRow> & { readonly length: number }
  users?: FileUser[]
  /** Of a table whose cells can be replaced. */
  headers?: readonly string[]
  /** Places of the columns of a table that the rows so far were read from, in file order. */
  usedColumns?: () => readonly number[]
}

/** Replacements for cells, by row and column. Rows count from 1, columns from 0. */
export type CellEdits = Readonly<Record<number, Readonly<Record<number, string>>>>

export interface ParseOptions {
  /** Rows of other travellers are rejected (App in the Air, byAir). */
  mineOnly: boolean
  /** Only for csv. */
  columns?: CsvColumns | undefined
  dateFormat?: DateFormat | undefined
  /** Only for tables. */
  edits?: CellEdits | undefined
}

export type UnclearPart = CsvField | 'dateFormat'

/** The file as a whole cannot be read; the message is for the client. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
  /** What the caller has to choose for this table, if anything. */
  readonly unclear: readonly UnclearPart[] | undefined

  constructor(message: string, { unclear, cause }: { unclear?: readonly UnclearPart[]; cause?: unknown } = {}) {
    super(message, { cause })
    this.unclear = unclear
  }
}

const MAX_ROWS = 50_000

/** A file of tiny rows could have so many reasons that they fill the memory. */
export function checkRowCount(count: number, message = english.import.tooManyRows): void {
  if (count > MAX_ROWS) throw new UnreadableFile(message({ max: MAX_ROWS }))
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

/**
 * Counts the items, which also finds errors of the whole file, and parses them on demand, so that the file is in memory
 * only once. `read` returns null if the row is unreadable.
 */
export function rowsOf<Item>(
  items: () => Iterable<Item>,
  read: (item: Item) => FileFlight | null,
  lineOf = (_item: Item, row: number) => row,
  cellsOf?: (item: Item) => readonly string[],
): ParsedFile['rows'] {
  let length = 0
  for (const _ of items()) checkRowCount(++length)
  return {
    length,
    *[Symbol.iterator]() {
      let row = 0
      for (const item of items()) {
        row++
        const { found, problems } = withProblems(() => read(item))
        yield {
          row,
          line: lineOf(item, row),
          problems,
          flight: found && { ...defaults, ...found },
          cells: cellsOf?.(item),
        }
      }
    },
  }
}

const MAX_SHOWN_LENGTH = 60

/** A value of a file for a message: on one line, of limited length and well-formed. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return english.import.values.list
  if (typeof value === 'object' && value !== null) return english.import.values.object
  const text = String(value)
  // Cut first, so that a large value costs little.
  const line = text
    .slice(0, 4 * MAX_SHOWN_LENGTH)
    .toWellFormed()
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
  const letters = [...line]
  const cut = letters.length > MAX_SHOWN_LENGTH || text.length > 4 * MAX_SHOWN_LENGTH
  return cut ? `${letters.slice(0, MAX_SHOWN_LENGTH).join('')}…` : line
}
