import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { isCalendarDay } from '../../lib/dates.ts'
import { StartupError } from '../../lib/startup-error.ts'

const COLUMNS = ['airline', 'number', 'since', 'airports'] as const
type Cells = Record<(typeof COLUMNS)[number], string>

const MAX_LINE_LENGTH = 1000
/** Three times the routes that are known. */
const MAX_ROUTES = 2_500_000
const MAX_FILE_BYTES = 256 * 1024 * 1024
const MAX_STOPS = 25
const MAX_FAULTS = 10
const FIRST_SINCE = '2000-01-01'
const LINE_FEED = 0x0a

/** What is wrong with a row, or undefined. */
function faultOf({ airline, number, since, airports }: Cells): string | undefined {
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

/** Finds the columns by their names in the first line, in any order. */
function readerOf(header: string): (line: string) => Cells {
  const names = cellsOf(header.replace(/^\xEF\xBB\xBF/, ''))
  const missing = COLUMNS.filter((column) => !names.includes(column))
  if (missing.length > 0) throw new StartupError(`The file of routes has no column ${missing.join(', ')}.`)
  return (line) => {
    const cells = cellsOf(line)
    return Object.fromEntries(COLUMNS.map((column) => [column, cells[names.indexOf(column)] ?? ''])) as Cells
  }
}

export function* linesOf(bytes: Buffer, encoding: BufferEncoding = 'latin1'): Generator<string> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, start)
    const stop = end < 0 ? bytes.length : end
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
  const faults: string[] = []
  let read: ((line: string) => Cells) | undefined
  let at = 0
  for (const line of linesOf(contentOf(path))) {
    at++
    if (!read) read = readerOf(line)
    else if (line.length > MAX_LINE_LENGTH) faults.push(`line ${at}: it is too long`)
    else if (line.trim() !== '') {
      const cells = read(line)
      const fault = faultOf(cells)
      if (fault) faults.push(`line ${at}: ${fault}`)
      else routes.push([cells.airline, cells.number.padStart(5, '0'), cells.since, cells.airports].join('\t'))
    }
    if (faults.length === MAX_FAULTS) break
    if (at > MAX_ROUTES) throw new StartupError(`The file of routes has more than ${MAX_ROUTES} lines.`)
  }
  if (faults.length > 0)
    throw new StartupError(
      `The file of routes has rows that cannot be read; nothing was changed. ${faults.join('; ')}.`,
    )
  return routes
}

/** Airline, number and day. */
const keyOf = (route: string) => route.slice(0, route.lastIndexOf('\t'))

/**
 * The routes of a CSV with the columns airline, number, since and airports, as `blocksOf` takes them. Of two routes of
 * one number from the same day the later row counts.
 */
export function readRoutesFile(path: string): Buffer {
  let routes: string[]
  try {
    routes = readLines(path)
  } catch (cause) {
    if (cause instanceof StartupError) throw cause
    throw new StartupError(`The file of routes cannot be read: ${(cause as Error).message}.`, { cause })
  }
  if (routes.length === 0) throw new StartupError('The file of routes holds no route.')
  routes.sort((a, b) => {
    const [one, other] = [keyOf(a), keyOf(b)]
    return one < other ? -1 : Number(one > other)
  })
  const last = routes.filter((route, index) => keyOf(route) !== keyOf(routes[index + 1] ?? ''))
  return Buffer.from(`${last.join('\n')}\n`, 'latin1')
}
