import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { isCalendarDay } from '../../lib/dates.ts'
import { Refusal } from '../../lib/refusal.ts'
import { release } from '../../lib/release.ts'
import {
  dayNumber,
  FIRST_SINCE,
  numbersIn,
  packAirline,
  type Route,
  type RouteBlock,
  writeNumber,
} from './routes-packing.ts'

const COLUMNS = ['airline', 'number', 'since', 'airports'] as const
type Cells = Record<(typeof COLUMNS)[number], string>

const LONGEST_LINE = 1000
/** Three times what is known of the world; it bounds the memory. */
const MOST_ROUTES = 2_500_000
const MOST_STOPS = 25
const MOST_FAULTS = 10
/** More than there are days in the order of a number's routes. */
const DAYS = 1 << 20

/** Bytes that are added to. */
function growingBytes() {
  let bytes = new Uint8Array(64)
  let length = 0
  return {
    push(byte: number): void {
      if (length === bytes.length) {
        const larger = new Uint8Array(length * 2)
        larger.set(bytes)
        bytes = larger
      }
      bytes[length++] = byte
    },
    written: () => bytes.subarray(0, length),
  }
}

/** What is wrong with a row, or undefined. */
function faultOf({ airline, number, since, airports }: Cells): string | undefined {
  if (!/^[A-Z0-9]{2,3}$/.test(airline)) return 'airline must be an ICAO code'
  if (!/^\d{1,5}$/.test(number)) return 'number must be 1 to 5 digits'
  if (since !== '' && (!isCalendarDay(since) || since < FIRST_SINCE)) {
    return `since must be empty or a day from ${FIRST_SINCE} on, as YYYY-MM-DD`
  }
  const stops = airports.split('-')
  if (stops.length < 2 || stops.length > MOST_STOPS || !stops.every((stop) => /^[A-Z0-9]{2,8}$/.test(stop))) {
    return `airports must be 2 to ${MOST_STOPS} ICAO codes with "-" between`
  }
  return undefined
}

const cellsOf = (line: string) => line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))

/** Takes the rows in whatever order they come, about ten bytes each, and packs them at the end, airline by airline. */
function routeCollection() {
  const codes: string[] = []
  const places = new Map<string, number>()
  const sinces: string[] = ['']
  const days = new Map([['', 0]])
  const airlines = new Map<string, ReturnType<typeof growingBytes>>()

  function placeOf(value: string, known: Map<string, number>, list: string[]): number {
    let place = known.get(value)
    if (place === undefined) {
      place = list.push(value) - 1
      known.set(value, place)
    }
    return place
  }

  function add({ airline, number, since, airports }: Cells): void {
    let bytes = airlines.get(airline)
    if (!bytes) {
      bytes = growingBytes()
      airlines.set(airline, bytes)
    }
    const stops = airports.split('-')
    writeNumber(bytes.push, Number(number))
    writeNumber(bytes.push, placeOf(since, days, sinces))
    writeNumber(bytes.push, stops.length)
    for (const stop of stops) writeNumber(bytes.push, placeOf(stop, places, codes))
  }

  /** One after the other: as objects, all routes of a large airline would take ten times as much. */
  function* routesOf(bytes: Uint8Array): Generator<Route> {
    const read = numbersIn(bytes)
    const keys: number[] = []
    const starts: number[] = []
    while (read.hasMore()) {
      starts.push(read.position())
      keys.push(read.next() * DAYS + dayNumber(sinces[read.next()]! || null))
      for (let stops = read.next(); stops > 0; stops--) read.next()
    }
    const order = Uint32Array.from(keys.keys()).sort((a, b) => keys[a]! - keys[b]! || a - b)
    for (const [at, row] of order.entries()) {
      // Of two routes of one number from the same day the later row counts.
      if (keys[order[at + 1]!] === keys[row]) continue
      const { next } = numbersIn(bytes, starts[row])
      const number = next()
      const since = sinces[next()]! || null
      yield { number, since, stops: Array.from({ length: next() }, () => codes[next()]!) }
    }
  }

  /** Can be gone through once: each airline makes room for the next. */
  function* pack(): Generator<RouteBlock> {
    for (const name of [...airlines.keys()].sort()) {
      const bytes = airlines.get(name)!.written()
      airlines.delete(name)
      yield* packAirline(name, routesOf(bytes))
    }
  }

  return { add, pack, isEmpty: () => airlines.size === 0 }
}

/** A file as text, packed by gzip or not: the first two bytes tell. */
async function* textOf(path: string): AsyncGenerator<string> {
  const file = createReadStream(path, { highWaterMark: 64 * 1024 })
  const [first] = (await file.take(1).toArray()) as Buffer[]
  file.destroy()
  const again = createReadStream(path, { highWaterMark: 64 * 1024 })
  const isPacked = first?.[0] === 0x1f && first[1] === 0x8b
  const bytes = isPacked ? again.pipe(createGunzip()) : again
  again.on('error', (error) => bytes.destroy(error))
  for await (const chunk of bytes) {
    yield (chunk as Buffer).toString('latin1')
    release(chunk as Buffer)
  }
}

async function* linesOf(path: string): AsyncGenerator<string[]> {
  let rest = ''
  for await (const text of textOf(path)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    if (rest.length > LONGEST_LINE) throw new Refusal('The file of routes is not a CSV: a line is too long.')
    yield lines
  }
  if (rest !== '') yield [rest]
}

/** Finds the columns by their names in the first line, in whatever order they stand. */
function readerOf(header: string): (line: string) => Cells {
  const names = cellsOf(header.replace(/^(\uFEFF|\xEF\xBB\xBF)/, ''))
  const [airline, number, since, airports] = COLUMNS.map((column) => names.indexOf(column)) as [
    number,
    number,
    number,
    number,
  ]
  const missing = COLUMNS.filter((column) => !names.includes(column))
  if (missing.length > 0) throw new Refusal(`The file of routes has no column ${missing.join(', ')}.`)
  return (line) => {
    const cells = cellsOf(line)
    const cell = (place: number) => cells[place] ?? ''
    return { airline: cell(airline), number: cell(number), since: cell(since), airports: cell(airports) }
  }
}

/** The routes of a CSV with the columns airline, number, since and airports; a row that is wrong is named. */
export async function readRoutesFile(path: string): Promise<Iterable<RouteBlock>> {
  const routes = routeCollection()
  const faults: string[] = []
  let read: ((line: string) => Cells) | undefined
  let at = 0
  try {
    for await (const lines of linesOf(path)) {
      for (const line of lines) {
        at++
        if (!read) read = readerOf(line)
        else if (line.length > LONGEST_LINE) faults.push(`line ${at}: it is too long`)
        else if (line.trim() !== '') {
          const cells = read(line)
          const fault = faultOf(cells)
          if (fault) faults.push(`line ${at}: ${fault}`)
          else routes.add(cells)
        }
        if (faults.length === MOST_FAULTS) break
      }
      if (faults.length === MOST_FAULTS) break
      if (at > MOST_ROUTES) throw new Refusal(`The file of routes has more than ${MOST_ROUTES} lines.`)
    }
  } catch (cause) {
    if (cause instanceof Refusal) throw cause
    throw new Refusal(`The file of routes cannot be read: ${(cause as Error).message}.`, { cause })
  }
  if (faults.length > 0)
    throw new Refusal(`The file of routes has rows that cannot be read; nothing was changed. ${faults.join('; ')}.`)
  if (routes.isEmpty()) throw new Refusal('The file of routes holds no route.')
  return routes.pack()
}
