import { type CsvLine, csvLines, csvText } from './csv-lines.ts'
import {
  noteProblem,
  type ParsedFile,
  type ParsedFlight,
  type ParseOptions,
  rowOutcome,
  UnreadableFile,
} from './row.ts'

/** The trimmed cell under a normalised header; empty where the file has no such column. */
export type Cells = (column: string) => string

export interface CsvFormat {
  /** The columns that a file must have, and by which it is recognised. */
  requiredColumns: readonly string[]
  flight: (cells: Cells, options: ParseOptions) => ParsedFlight
}

export function parseCsv({ requiredColumns, flight }: CsvFormat, text: string, options: ParseOptions): ParsedFile {
  const content = csvText(text)
  const [header] = csvLines(content)
  if (!header) throw new UnreadableFile('The file is empty.')
  const columns = columnsOf(header.cells)
  const missing = requiredColumns.filter((column) => !columns.has(column))
  if (missing.length > 0) throw new UnreadableFile(`The file lacks the columns ${missing.join(', ')}.`)
  const width = header.cells.length
  const outcome = (row: number, { cells, sound, line }: CsvLine) =>
    rowOutcome(row, line, () => {
      if (!sound) noteProblem('The row has text after the quotation mark that ends a cell.')
      // A row of another width has its values under wrong headers.
      if (cells.length !== width) {
        return noteProblem(`The row has ${cells.length} cells, but the header has ${width}.`)
      }
      return flight((column) => cells[columns.get(column) ?? width]?.trim() ?? '', options)
    })
  let length = -1
  // The whole file is looked at before anything is taken from it; its rows are made when they are asked for.
  for (const _ of csvLines(content)) length++
  return {
    rows: {
      length,
      *[Symbol.iterator]() {
        let row = 0
        for (const line of csvLines(content)) {
          if (row > 0) yield outcome(row, line)
          row++
        }
      },
    },
  }
}

/** The normalised headers of a file, for its recognition. */
export function csvColumns(text: string): Set<string> {
  const [header] = csvLines(csvText(text))
  return new Set(header ? columnsOf(header.cells).keys() : [])
}

/** The first of two columns with one name counts. */
function columnsOf(header: string[]): Map<string, number> {
  const columns = new Map<string, number>()
  for (const [index, cell] of header.entries()) {
    const name = columnName(cell)
    if (name !== '' && !columns.has(name)) columns.set(name, index)
  }
  return columns
}

/** Lower case, and every run of other characters than letters and digits as one `_` (contract 5.1). */
const columnName = (header: string) =>
  header
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')
