import { csvSample } from './formats/csv.ts'
import { type CsvColumns, columnPlaces } from './formats/csv-fields.ts'

/** Enough for the header and the first rows of any sensible table. */
const MAX_SAMPLE_BYTES = 64 * 1024
const MAX_SAMPLE_ROWS = 5
const MAX_SAMPLE_COLUMNS = 200
const MAX_SAMPLE_LENGTH = 80

/** The beginning of a table, for choosing its columns. */
export interface TableSample {
  headers: string[]
  rows: string[][]
  /** Columns beyond the first ones. */
  moreColumns: number
}

/** Reads the beginning of a file, also one with invalid text, in a few milliseconds. */
export function sampleTable(content: Uint8Array): TableSample {
  const text = new TextDecoder().decode(content.subarray(0, MAX_SAMPLE_BYTES))
  const [headers = [], ...rows] = csvSample(text, 1 + MAX_SAMPLE_ROWS)
  const cut = (cells: readonly string[]) => cells.slice(0, MAX_SAMPLE_COLUMNS)
  const short = (cell: string) => {
    const letters = [
      ...cell
        .trim()
        .slice(0, 4 * MAX_SAMPLE_LENGTH)
        .toWellFormed(),
    ]
    return letters.length > MAX_SAMPLE_LENGTH ? `${letters.slice(0, MAX_SAMPLE_LENGTH).join('')}…` : letters.join('')
  }
  return {
    headers: cut(headers).map((header) => header.trim()),
    rows: rows.map((cells) => cut(cells).map(short)),
    moreColumns: Math.max(0, headers.length - MAX_SAMPLE_COLUMNS),
  }
}

/** The header of each field that is recognised or named. */
export function chosenHeaders({ headers }: TableSample, columns: CsvColumns): CsvColumns {
  return Object.fromEntries([...columnPlaces(headers, columns)].map(([field, place]) => [field, headers[place]!]))
}
