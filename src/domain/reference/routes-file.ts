import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { dayAfter, isCalendarDay } from '../../lib/dates.ts'
import { StartupError } from '../../lib/startup-error.ts'
import { compareTexts } from '../../lib/text.ts'

const REQUIRED_COLUMNS = ['airline', 'number', 'airports'] as const
/** The first and the last day of a route. A file has at least one of them. */
const DAY_COLUMNS = ['since', 'until'] as const
const COLUMNS = [...REQUIRED_COLUMNS, ...DAY_COLUMNS]
type Cells = Record<(typeof COLUMNS)[number], string>

const MAX_LINE_LENGTH = 1000
const MAX_ROUTES = 2_500_000
const MAX_FILE_BYTES = 256 * 1024 * 1024
const MAX_STOPS = 25
const MAX_PROBLEMS = 10
const FIRST_SINCE = '2000-01-01'
const LINE_FEED = 0x0a

const isDay = (day: string) => day === '' || (isCalendarDay(day) && day >= FIRST_SINCE)

function problemOf({ airline, number, since, until, airports }: Cells): string | undefined {
  if (!/^[A-Z0-9]{2,3}$/.test(airline)) return 'airline must be an ICAO code'
  if (!/^\d{1,5}$/.test(number)) return 'number must be 1 to 5 digits'
  if (!isDay(since)) return `since must be empty or a day from ${FIRST_SINCE} on, as YYYY-MM-DD`
  if (!isDay(until) || (until !== '' && until < since))
    return 'until must be empty or a day from since on, as YYYY-MM-DD'
  const stops = airports.split('-')
  if (stops.length < 2 || stops.length > MAX_STOPS || !stops.every((stop) => /^[A-Z0-9]{2,8}$/.test(stop))) {
    return `airports must be 2 to ${MAX_STOPS} ICAO codes with "-" between`
  }
  return undefined
}

const cellsOf = (line: string) => line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))

function readerOf(header: string): (line: string) => Cells {
  const names = cellsOf(header.replace(/^\xEF\xBB\xBF/, ''))
  const missing = REQUIRED_COLUMNS.filter((column) => !names.includes(column)) as string[]
  if (!DAY_COLUMNS.some((column) => names.includes(column))) missing.push('since')
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

/** A line without airports ends a route. */
function linesOfRoute({ airline, number, since, until, airports }: Cells): string[] {
  const lineOf = (day: string, stops: string) => [airline, number.padStart(5, '0'), day, stops].join('\t')
  return [lineOf(since, airports), ...(until === '' ? [] : [lineOf(dayAfter(until), '')])]
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
      else routes.push(...linesOfRoute(cells))
    }
    if (problems.length === MAX_PROBLEMS) break
    if (at > MAX_ROUTES) throw new StartupError(`The routes file has more than ${MAX_ROUTES} lines.`)
  }
  if (problems.length > 0)
    throw new StartupError(`The routes file has invalid rows; nothing was changed. ${problems.join('; ')}.`)
  return routes
}

const isEnd = (route: string) => route.endsWith('\t')
const keyOf = (route: string) => route.slice(0, route.lastIndexOf('\t'))

/** The last line with airports wins for each number and day: a route may begin on the day that the previous one ends. */
const isReplaced = (line: string, next: string | undefined) => next !== undefined && keyOf(line) === keyOf(next)

/** Reads CSV files into the lines that `blocksOf` expects. Of two routes of one number and day the later row counts. */
export function readRoutesFile(...paths: string[]): Buffer {
  let routes: string[]
  try {
    routes = paths.flatMap(readLines)
  } catch (cause) {
    if (cause instanceof StartupError) throw cause
    throw new StartupError(`Cannot read the routes file: ${(cause as Error).message}.`, { cause })
  }
  if (routes.length === 0) throw new StartupError('The routes file has no routes.')
  // An end sorts before a route of the same day, which replaces it.
  routes.sort((a, b) => compareTexts(keyOf(a), keyOf(b)) || Number(isEnd(b)) - Number(isEnd(a)))
  const last = routes.filter((route, index) => !isReplaced(route, routes[index + 1]))
  return Buffer.from(`${last.join('\n')}\n`, 'latin1')
}
