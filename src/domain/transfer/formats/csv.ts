import {
  type FileFlight,
  noteProblem,
  type ParsedFile,
  type ParseOptions,
  rowsOf,
  type TextMember,
  UnreadableFile,
} from './row.ts'

/** The trimmed cell of a column; empty if the file has no such column. */
type Cell = (column: string) => string

export interface CsvFormat {
  requiredColumns: readonly string[]
  /** The columns of members that are stored as written. */
  texts: Partial<Record<TextMember, string>>
  flight: (cell: Cell, options: ParseOptions) => FileFlight
}

interface CsvLine {
  cells: string[]
  /** Whether text follows a closing quotation mark. */
  isBroken: boolean
  /** As in a spreadsheet: from 1, including blank lines; a cell with line breaks is one line. */
  line: number
}

const QUOTE = '"'
const LINE_FEED = 10
const MAX_CELL_LENGTH = 100_000

export function parseCsv(
  { requiredColumns, texts, flight }: CsvFormat,
  text: string,
  options: ParseOptions,
): ParsedFile {
  const lines = csvLines(text)
  const [header] = lines()
  if (!header) throw new UnreadableFile('The file is empty.')
  const columns = columnsOf(header)
  const missing = requiredColumns.filter((column) => !columns.has(column))
  if (missing.length > 0) throw new UnreadableFile(`The file lacks the columns ${missing.join(', ')}.`)
  const width = header.cells.length
  const read = ({ cells, isBroken }: CsvLine) => {
    if (isBroken) noteProblem('The row has text after the quotation mark that ends a cell.')
    // In a row of another width the cells are under the wrong headers.
    if (cells.length !== width) return noteProblem(`The row has ${cells.length} cells, but the header has ${width}.`)
    const cell: Cell = (column) => cells[columns.get(column) ?? width]?.trim() ?? ''
    const stored = Object.entries(texts).map(([member, column]) => [member, cell(column) || null])
    return { ...Object.fromEntries(stored), ...flight(cell, options) }
  }
  return {
    rows: rowsOf(
      () => lines().drop(1),
      read,
      ({ line }) => line,
    ),
  }
}

export function csvColumns(text: string): Set<string> {
  const [header] = csvLines(text)()
  return new Set(header && columnsOf(header).keys())
}

/** The first of several columns with the same name wins. */
function columnsOf({ cells }: CsvLine): Map<string, number> {
  const columns = new Map(cells.map((cell, index) => [columnName(cell), index] as const).reverse())
  columns.delete('')
  return columns
}

/** Lower case, with `_` for everything but letters and digits (contract 5.1). */
const columnName = (header: string) =>
  header
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')

/**
 * The lines of a CSV file (RFC 4180) without blank ones. Not a library: the tested ones take
 * hours for 20 MB of quotation marks and spaces. This reader visits each character at most twice.
 */
function csvLines(text: string): () => Generator<CsvLine> {
  const whole = text.replace(/\r\n?/g, '\n')
  const body = whole.trimStart()
  const delimiter = delimiterOf(body)
  return function* lines() {
    let line = whole.slice(0, whole.length - body.length).split('\n').length
    for (let position = 0; position < body.length; line++) {
      const cells: string[] = []
      let isBroken = false
      do {
        const quoted = body[position] === QUOTE
        const close = quoted ? closingQuote(body, position + 1) : position
        const end = endOfCell(body, quoted ? close + 1 : close, delimiter)
        if (quoted && body.slice(close + 1, end).trim() !== '') isBroken = true
        cells.push(quoted ? quotedCell(body, position + 1, close) : body.slice(position, end))
        position = end + 1
      } while (body[position - 1] === delimiter)
      if (cells.length > 1 || cells[0]!.trim() !== '') yield { cells, isBroken, line }
    }
  }
}

/** A row with a cell longer than every limit is rejected anyway, so the cell is cut. */
const quotedCell = (body: string, start: number, end: number) =>
  body.slice(start, Math.min(end, start + MAX_CELL_LENGTH)).replaceAll(QUOTE + QUOTE, QUOTE)

/** Comma or semicolon, whichever is more frequent in the header outside of quotation marks. */
function delimiterOf(body: string): ',' | ';' {
  const header = body.slice(0, endOfCell(body, 0)).replace(/"[^"]*"/g, '')
  return header.split(';').length > header.split(',').length ? ';' : ','
}

function closingQuote(body: string, from: number): number {
  let close = body.indexOf(QUOTE, from)
  while (close >= 0 && body[close + 1] === QUOTE) close = body.indexOf(QUOTE, close + 2)
  if (close < 0) throw new UnreadableFile('The last quotation mark is never closed.')
  return close
}

function endOfCell(body: string, from: number, delimiter?: string): number {
  const mark = delimiter?.charCodeAt(0)
  let end = from
  while (end < body.length && body.charCodeAt(end) !== mark && body.charCodeAt(end) !== LINE_FEED) end++
  return end
}
