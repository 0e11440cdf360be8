import { type CsvLine, csvLines, csvText } from './csv-lines.ts'
import {
  noteProblem,
  type ParsedFile,
  type ParsedFlight,
  type ParseOptions,
  rowOutcome,
  UnreadableFile,
} from './row.ts'

/** The trimmed cell of a column; empty if the file has no such column. */
export type Cells = (column: string) => string

export interface CsvFormat {
  /** Required columns, by which the format is detected. */
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
      // In a row of another width the cells are under the wrong headers.
      if (cells.length !== width) {
        return noteProblem(`The row has ${cells.length} cells, but the header has ${width}.`)
      }
      return flight((column) => cells[columns.get(column) ?? width]?.trim() ?? '', options)
    })
  let length = -1
  // Finds errors in the whole file first. Rows are parsed on demand.
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

/** The normalised headers of a file. */
export function csvColumns(text: string): Set<string> {
  const [header] = csvLines(csvText(text))
  return new Set(header ? columnsOf(header.cells).keys() : [])
}

/** The first of several columns with the same name wins. */
function columnsOf(header: string[]): Map<string, number> {
  const columns = new Map<string, number>()
  for (const [index, cell] of header.entries()) {
    const name = columnName(cell)
    if (name !== '' && !columns.has(name)) columns.set(name, index)
  }
  return columns
}

/** Lower case, with `_` for everything but letters and digits (contract 5.1). */
const columnName = (header: string) =>
  header
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')
