import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { isCalendarDay } from '../../lib/dates.ts'
import { StartupError } from '../../lib/startup-error.ts'
import { compareTexts } from '../../lib/text.ts'

const COLUMNS = ['airline', 'number', 'since', 'airports'] as const
type Cells = Record<(typeof COLUMNS)[number], string>

const MAX_LINE_LENGTH = 1000
const MAX_ROUTES = 2_500_000
const MAX_FILE_BYTES = 256 * 1024 * 1024
const MAX_STOPS = 25
const MAX_PROBLEMS = 10
const FIRST_SINCE = '2000-01-01'
const LINE_FEED = 0x0a

function problemOf({ airline, number, since, airports }: Cells): string | undefined {
  if (!/^[A-Z0-9]{2,3}$/.test(airline)) return 'airline must be an ICAO code'
  if (!/^\d{1,5}$/.test(number)) return 'number must be 1 to 5 digits'
  if (since !== '' && (!isCalendarDay(since) || since < FIRST_SINCE)) {
    return `since must be empty or a day from ${FIRST_SINCE} on, as YYYY-MM-DD`
  }
  const stops = airports.split('-')
  if (stops.length < 2 || stops.length > MAX_STOPS || !stops.every((stop) => /^[A-Z0-9]{2,8}$/.test(stop))) {
    return `airports must be 2 to ${MAX_STOPS} ICAO codes with "-" between`
  }
  return undefined
}

const cellsOf = (line: string) => line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))

function readerOf(header: string): (line: string) => Cells {
  const names = cellsOf(header.replace(/^\xEF\xBB\xBF/, ''))
  const missing = COLUMNS.filter((column) => !names.includes(column))
  if (missing.length > 0) throw new StartupError(`The routes file lacks columns: ${missing.join(', ')}.`)
  return (line) => {
    const cells = cellsOf(line)
    return Object.fromEntries(COLUMNS.map((column) => [column, cells[names.indexOf(column)] ?? ''])) as Cells
  }
}

export function* linesOf(bytes: Buffer, encoding: BufferEncoding = 'latin1'): Generator<string> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, start)
    const stop = end === -1 ? bytes.length : end
    yield bytes.toString(encoding, start, stop)
    start = stop + 1
  }
}

function contentOf(path: string): Buffer {
  const file = readFileSync(path)
  const isGzip = file[0] === 0x1f && file[1] === 0x8b
  return isGzip ? gunzipSync(file, { maxOutputLength: MAX_FILE_BYTES }) : file
}

function readLines(path: string): string[] {
  const routes: string[] = []
  const problems: string[] = []
  let read: ((line: string) => Cells) | undefined
  let at = 0
  for (const line of linesOf(contentOf(path))) {
    at++
    if (!read) read = readerOf(line)
    else if (line.length > MAX_LINE_LENGTH) problems.push(`line ${at}: too long`)
    else if (line.trim() !== '') {
      const cells = read(line)
      const problem = problemOf(cells)
      if (problem) problems.push(`line ${at}: ${problem}`)
      else routes.push([cells.airline, cells.number.padStart(5, '0'), cells.since, cells.airports].join('\t'))
    }
    if (problems.length === MAX_PROBLEMS) break
    if (at > MAX_ROUTES) throw new StartupError(`The routes file has more than ${MAX_ROUTES} lines.`)
  }
  if (problems.length > 0)
    throw new StartupError(`The routes file has invalid rows; nothing was changed. ${problems.join('; ')}.`)
  return routes
}

const keyOf = (route: string) => route.slice(0, route.lastIndexOf('\t'))

/** Reads a CSV into the lines that `blocksOf` expects. Of two routes of one number and day the later row counts. */
export function readRoutesFile(path: string): Buffer {
  let routes: string[]
  try {
    routes = readLines(path)
  } catch (cause) {
    if (cause instanceof StartupError) throw cause
    throw new StartupError(`Cannot read the routes file: ${(cause as Error).message}.`, { cause })
  }
  if (routes.length === 0) throw new StartupError('The routes file has no routes.')
  routes.sort((a, b) => compareTexts(keyOf(a), keyOf(b)))
  const last = routes.filter((route, index) => keyOf(route) !== keyOf(routes[index + 1] ?? ''))
  return Buffer.from(`${last.join('\n')}\n`, 'latin1')
}
