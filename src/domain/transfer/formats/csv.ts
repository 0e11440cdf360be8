import { english } from '../../../messages/english.ts'
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
  const table = openCsv(text)
  const columns = columnsOf(table.headers)
  const missing = requiredColumns.filter((column) => !columns.has(column))
  if (missing.length > 0) throw new UnreadableFile(english.import.lacksColumns({ columns: missing.join(', ') }))
  return csvRows(table, options, (cellAt) => {
    const cell: Cell = (column) => cellAt(columns.get(column))
    const stored = Object.entries(texts).map(([member, column]) => [member, cell(column) || null])
    return { ...Object.fromEntries(stored), ...flight(cell, options) }
  })
}

export interface CsvTable {
  headers: readonly string[]
  /** Without the header. */
  records: () => IteratorObject<CsvLine>
}

export function openCsv(text: string): CsvTable {
  const lines = csvLines(text)
  const [header] = lines()
  if (!header) throw new UnreadableFile(english.import.empty)
  return { headers: header.cells, records: () => lines().drop(1) }
}

/** `read` gets the trimmed cell of a column, which is empty if the file has no such column. */
export function csvRows(
  { headers, records }: CsvTable,
  { edits = {} }: ParseOptions,
  read: (cellAt: (column: number | undefined) => string) => FileFlight,
): ParsedFile {
  const width = headers.length
  const used = new Set<number>()
  /** An edited row has one cell for each header. */
  const edited = (record: CsvLine, index: number): CsvLine => {
    const changes = edits[index + 1]
    if (!changes) return record
    const cells = headers.map((_, column) => changes[column] ?? record.cells[column] ?? '')
    return { ...record, cells, isBroken: false }
  }
  const readRecord = ({ cells, isBroken }: CsvLine) => {
    if (isBroken) noteProblem(english.import.afterQuote)
    // In a row of another width the cells are under the wrong headers.
    if (cells.length !== width) return noteProblem(english.import.cells({ cells: cells.length, columns: width }))
    return read((column) => {
      if (column === undefined) return ''
      used.add(column)
      return cells[column]!.trim()
    })
  }
  const lineOf = ({ line }: CsvLine) => line
  return {
    headers,
    usedColumns: () => [...used].sort((a, b) => a - b),
    rows: rowsOf(
      () => records().map(edited),
      readRecord,
      lineOf,
      ({ cells }) => cells,
    ),
  }
}

/** The first lines of the beginning of a file, without one that is cut off inside quotation marks. */
export function csvSample(text: string, count: number): string[][] {
  const found: string[][] = []
  try {
    for (const { cells } of csvLines(text)().take(count)) found.push(cells)
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
  }
  return found
}

/** Empty if the text is empty. */
export function csvHeaders(text: string): readonly string[] {
  const [header] = csvLines(text)()
  return header?.cells ?? []
}

/** The first of several columns with the same name wins. */
export function columnsOf(headers: readonly string[]): Map<string, number> {
  const columns = new Map(headers.map((cell, index) => [columnName(cell), index] as const).reverse())
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
  // Not the tabs before a header that is empty.
  const body = whole.slice(whole.lastIndexOf('\n', whole.search(/\S/)) + 1).replace(/^ +/, '')
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

const DELIMITERS = [',', ';', '\t'] as const

/** The most frequent one in the header outside of quotation marks. */
function delimiterOf(body: string): (typeof DELIMITERS)[number] {
  const header = body.slice(0, endOfCell(body, 0)).replace(/"[^"]*"/g, '')
  const countOf = (delimiter: string) => header.split(delimiter).length
  return DELIMITERS.reduce((best, other) => (countOf(other) > countOf(best) ? other : best))
}

function closingQuote(body: string, from: number): number {
  let close = body.indexOf(QUOTE, from)
  while (close >= 0 && body[close + 1] === QUOTE) close = body.indexOf(QUOTE, close + 2)
  if (close < 0) throw new UnreadableFile(english.import.openQuote)
  return close
}

function endOfCell(body: string, from: number, delimiter?: string): number {
  const mark = delimiter?.charCodeAt(0)
  let end = from
  while (end < body.length && body.charCodeAt(end) !== mark && body.charCodeAt(end) !== LINE_FEED) end++
  return end
}
