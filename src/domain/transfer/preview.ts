import { AirportWrite } from '../reference/contract.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { FormatName } from './formats/registry.ts'
import type { AirportName, ParsedFlight } from './formats/row.ts'
import type { FoundAirport } from './lookup.ts'
import type { ResolvedFlight } from './resolve.ts'

export const MAX_PREVIEW_ROWS = 10
const MAX_MISSING_AIRPORTS = 20

export type PreviewRow = ReturnType<typeof previewRows>[number]

export interface MissingAirport {
  code: string
  by: AirportName['by']
  rows: number
  /** The file's record, if it is complete. */
  record: AirportWrite | null
}

export interface ImportPreview {
  format: FormatName
  users: string[]
  rows: PreviewRow[]
  missing: MissingAirport[]
  /** Missing airports that are not listed. */
  moreMissing: number
}

export interface TakenRow {
  row: number
  parsed: ParsedFlight
  resolved: ResolvedFlight
}

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
      const most = [...found.values()].sort((a, b) => b.rows - a.rows).slice(0, MAX_MISSING_AIRPORTS)
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

function endOf({ row, timezone }: FoundAirport) {
  // Rows that the dry run created were rolled back.
  const { iata, icao, name, municipality } = row!
  return { code: iata ?? icao, name: municipality ?? name, timezone }
}

export function previewRows(
  taken: readonly TakenRow[],
  duplicates: ReadonlySet<number>,
  records: ReferenceService['records'],
) {
  return taken.map(({ row, parsed, resolved: { body, from, to, airline, aircraft } }) => ({
    row,
    isNew: !duplicates.has(row),
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
