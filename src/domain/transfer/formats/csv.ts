import Papa from 'papaparse'
import { type ParsedFile, type ParsedFlight, type ParseOptions, reject, rowOutcome, UnreadableFile } from './row.ts'

/** The trimmed cell under a normalised header; empty where the file has no such column. */
export type Cells = (column: string) => string

export interface CsvFormat {
  /** The columns that a file must have, and by which it is recognised. */
  marks: readonly string[]
  flight: (cells: Cells, options: ParseOptions) => ParsedFlight
}

export function parseCsv({ marks, flight }: CsvFormat, text: string, options: ParseOptions): ParsedFile {
  const { lines, faults } = readLines(text)
  const [header, ...body] = lines
  if (!header) throw new UnreadableFile('The file is empty.')
  const columns = columnsOf(header.cells)
  const missing = marks.filter((mark) => !columns.has(mark))
  if (missing.length > 0) throw new UnreadableFile(`The file lacks the columns ${missing.join(', ')}.`)
  const width = header.cells.length
  const rows = body.map(({ cells, position }, index) =>
    rowOutcome(index + 1, () => {
      if (faults.has(position)) reject('The row has text after the quotation mark that ends a cell.')
      // A row of another width has its values under wrong headers.
      if (cells.length !== width) reject(`The row has ${cells.length} cells, but the header has ${width}.`)
      return flight((column) => cells[columns.get(column) ?? width]?.trim() ?? '', options)
    }),
  )
  return { rows }
}

/** The normalised headers of a file, for its recognition. */
export function csvColumns(text: string): Set<string> {
  const { lines } = readLines(text, 1)
  return new Set(lines[0] ? columnsOf(lines[0].cells).keys() : [])
}

interface Line {
  cells: string[]
  position: number
}

function readLines(text: string, most = 0): { lines: Line[]; faults: Set<number> } {
  // One kind of line end spares the guess, which a mixed file would defeat.
  const body = text.replace(/\r\n?/g, '\n').trimStart()
  const { data, errors } = Papa.parse<string[]>(body, { delimiter: delimiterOf(body), newline: '\n', preview: most })
  const faults = new Set<number>()
  for (const { code, row = 0 } of errors) {
    if (code === 'MissingQuotes' && most === 0) throw new UnreadableFile('The last quotation mark is never closed.')
    if (code === 'InvalidQuotes') faults.add(row)
  }
  // Blank lines are not rows, but the positions of faults count them.
  const lines = data
    .map((cells, position) => ({ cells, position }))
    .filter(({ cells }) => cells.length > 1 || cells[0]?.trim())
  return { lines, faults }
}

/** Comma or semicolon, whichever the header line has more of outside of quotation marks. */
function delimiterOf(body: string): ',' | ';' {
  const end = body.indexOf('\n')
  const header = (end < 0 ? body : body.slice(0, end)).replace(/"[^"]*"/g, '')
  return header.split(';').length > header.split(',').length ? ';' : ','
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
