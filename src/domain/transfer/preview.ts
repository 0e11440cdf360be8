import { AirportWrite } from '../reference/contract.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { FormatName } from './formats/registry.ts'
import type { AirportName, ParsedFile, ParsedFlight, ParsedRow } from './formats/row.ts'
import type { FoundAirport } from './lookup.ts'
import type { ResolvedFlight } from './resolve.ts'

export const MAX_PREVIEW_ROWS = 10
const MAX_MISSING_AIRPORTS = 20
/** As many as a person corrects at once. */
const MAX_FIXABLE_ROWS = 20
const MAX_FIXABLE_COLUMNS = 30
export const MAX_FIXABLE_LENGTH = 200
/** The values of all shown rows fit into one form. */
const MAX_FIXABLE_BYTES = 40_000

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
  /** The first rejected rows of a table. */
  fixable: FixableRow[]
}

interface FixableCell {
  /** From 0. */
  column: number
  header: string
  value: string
}

export interface FixableRow {
  row: number
  line: number
  reasons: readonly string[]
  /** Without long texts, which stay as they are. */
  cells: FixableCell[]
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

/** Collects the first rejected rows of a table. */
export function fixableRows({ headers = [], usedColumns }: ParsedFile) {
  const rows: (Pick<ParsedRow, 'row' | 'line' | 'cells'> & { reasons: readonly string[] })[] = []
  return {
    add({ row, line, cells }: ParsedRow, reasons: readonly string[]): void {
      if (headers.length > 0 && rows.length < MAX_FIXABLE_ROWS) rows.push({ row, line, cells, reasons })
    },
    list(): FixableRow[] {
      const used = usedColumns?.() ?? []
      const columns = (used.length > 0 ? used : [...headers.keys()]).slice(0, MAX_FIXABLE_COLUMNS)
      const cellOf = (column: number, value = '') => ({ column, header: headers[column]!.trim(), value: value.trim() })
      const shown = rows.map(({ cells = [], ...row }) => ({
        ...row,
        cells: columns
          .map((column) => cellOf(column, cells[column]))
          .filter(({ header, value }) => Math.max(header.length, value.length) <= MAX_FIXABLE_LENGTH),
      }))
      let bytes = 0
      return shown.filter(({ cells }) => {
        for (const { value } of cells) bytes += 30 + encodeURIComponent(value.toWellFormed()).length
        return bytes <= MAX_FIXABLE_BYTES
      })
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
