import { AirportWrite } from '../reference/contract.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { FormatName } from './formats/registry.ts'
import type { AirportName, DatePrecision, ParsedFlight } from './formats/row.ts'
import type { FoundAirport } from './new-rows.ts'
import type { ResolvedFlight } from './resolve.ts'

/** Rows of a file that are shown. */
export const MOST_SHOWN = 10
const MOST_MISSING = 20

interface PreviewEnd {
  code: string
  name: string
  timezone: string
}

/** A row of the file as it will be in the log. */
export interface PreviewRow {
  row: number
  /** False: the log holds this flight already, or an earlier row has it. */
  isNew: boolean
  date: string
  datePrecision: DatePrecision
  departure: string | null
  arrival: string | null
  from: PreviewEnd
  to: PreviewEnd
  flightNumber: string | null
  airline: string | null
  aircraft: string | null
}

/** An airport of the file that nobody knows here. */
export interface MissingAirport {
  code: string
  by: AirportName['by']
  /** Rows that are left out for want of it. */
  rows: number
  /** What the file itself tells of it, where that is enough to make it. */
  record: AirportWrite | null
}

/** What can be shown of a file before any of it is kept. */
export interface ImportPreview {
  format: FormatName
  /** Names of the users in a backup, to choose from. */
  users: string[]
  rows: PreviewRow[]
  missing: MissingAirport[]
  /** Airports that are missing beyond those listed. */
  moreMissing: number
}

/** A row that can be taken, as the preview sees it. */
export interface TakenRow {
  row: number
  parsed: ParsedFlight
  resolved: ResolvedFlight
}

/** Counts the airports that rows lack. */
export function missingAirports() {
  const found = new Map<string, { name: AirportName; rows: number }>()
  return {
    add(names: readonly AirportName[]): void {
      for (const name of new Map(names.map((name) => [name.code, name])).values()) {
        const known = found.get(name.code) ?? { name, rows: 0 }
        known.rows++
        if (!known.name.record && name.record) known.name = name
        found.set(name.code, known)
      }
    },
    list(): Pick<ImportPreview, 'missing' | 'moreMissing'> {
      const most = [...found.values()].sort((a, b) => b.rows - a.rows).slice(0, MOST_MISSING)
      const missing = most.map(({ name: { code, by, record }, rows }) => ({
        code,
        by,
        rows,
        record: (record && AirportWrite.safeParse(record).data) ?? null,
      }))
      return { missing, moreMissing: found.size - missing.length }
    },
  }
}

function endOf({ row, timezone }: FoundAirport): PreviewEnd {
  // Whatever had to be made was made for the trial.
  const { iata, icao, name, municipality } = row!
  return { code: iata ?? icao, name: municipality ?? name, timezone }
}

/** The first rows as they will be; `isNew` is asked by the number of the row. */
export function previewRows(
  taken: readonly TakenRow[],
  isNew: (row: number) => boolean,
  records: ReferenceService['records'],
): PreviewRow[] {
  return taken.map(({ row, parsed, resolved: { body, from, to, airline, aircraft } }) => ({
    row,
    isNew: isNew(row),
    date: body.date,
    datePrecision: body.datePrecision,
    departure: body.departure,
    arrival: body.arrival,
    from: endOf(from),
    to: endOf(to),
    flightNumber: body.flightNumber,
    airline: airline && ((airline.row && records.airline(airline.row.id)?.name) ?? parsed.airline?.text ?? null),
    aircraft: aircraft && ((aircraft.row && records.aircraft(aircraft.row.id)?.name) ?? parsed.aircraft?.text ?? null),
  }))
}
