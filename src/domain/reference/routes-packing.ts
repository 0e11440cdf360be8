import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { DAY_MS, dayOf } from '../../lib/dates.ts'

/**
 * The routes of flight numbers, packed: three quarters of a million rows take a few megabytes instead of sixty. A block
 * holds some numbers of one airline, so that a look-up reads a few kilobytes and goes through them once. Files have blocks
 * deflated; the database has them as they are, since to begin inflating costs more than all the rest of a look-up.
 *
 * A block is the length of a text, the text (the codes of its airports, a space between), and for each number in
 * ascending order: how much it is above the one before, how many routes it had, and for each of these, oldest first: how
 * many days after the one before it came into the data, how many stops it has, and the places of these in the text. All
 * are whole numbers in the way of LEB128: seven bits a byte, lowest first, the eighth bit set where more follow.
 */

export interface Route {
  number: number
  /** The day from which it is known, YYYY-MM-DD; null when it was there at the beginning. */
  since: string | null
  /** The codes of its airports, in order. */
  stops: readonly string[]
}

export interface RouteBlock {
  /** The ICAO code of the airline. */
  airline: string
  firstNumber: number
  bytes: Uint8Array
}

const ROUTES_IN_BLOCK = 2000
/** Twenty times what the largest one takes. */
const LARGEST_BLOCK = 512 * 1024
/** Day 0 stands for "from the beginning", so that day 1 is the first of 2000. */
const DAY_ZERO = Date.parse('1999-12-31')
export const FIRST_SINCE = '2000-01-01'

export const dayNumber = (since: string | null) => (since === null ? 0 : (Date.parse(since) - DAY_ZERO) / DAY_MS)
const dayText = (day: number) => (day === 0 ? null : dayOf(DAY_ZERO + day * DAY_MS))

export function writeNumber(push: (byte: number) => void, value: number): void {
  let rest = value
  while (rest > 127) {
    push((rest & 127) | 128)
    rest >>>= 7
  }
  push(rest)
}

/** A list of bytes that numbers are written to. */
function byteList() {
  const bytes: number[] = []
  const push = (byte: number) => void bytes.push(byte)
  return { write: (value: number) => writeNumber(push, value), bytes }
}

/** Reads one number after the other. */
export function numbersIn(bytes: Uint8Array, from = 0) {
  let position = from
  return {
    next(): number {
      let value = 0
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[position++]!
        value |= (byte & 127) << shift
        if (byte < 128) return value
      }
    },
    take(length: number): Uint8Array {
      position += length
      return bytes.subarray(position - length, position)
    },
    position: () => position,
    hasMore: () => position < bytes.length,
  }
}

function packBlock(airline: string, routes: readonly Route[]): RouteBlock {
  const places = new Map<string, number>()
  const { write, bytes } = byteList()
  let [number, day, at] = [0, 0, 0]
  while (at < routes.length) {
    const first = routes[at]!
    let end = at + 1
    while (routes[end]?.number === first.number) end++
    write(first.number - number)
    write(end - at)
    number = first.number
    day = 0
    for (; at < end; at++) {
      const { since, stops } = routes[at]!
      write(dayNumber(since) - day)
      write(stops.length)
      day = dayNumber(since)
      for (const stop of stops) {
        if (!places.has(stop)) places.set(stop, places.size)
        write(places.get(stop)!)
      }
    }
  }
  const codes = Buffer.from([...places.keys()].join(' '), 'latin1')
  const length = byteList()
  length.write(codes.length)
  return {
    airline,
    firstNumber: routes[0]!.number,
    bytes: Buffer.concat([Buffer.from(length.bytes), codes, Buffer.from(bytes)]),
  }
}

/** Packs what an airline has: its routes by number, those of a number by the day they came. */
export function* packAirline(airline: string, routes: Iterable<Route>): Generator<RouteBlock> {
  let block: Route[] = []
  for (const route of routes) {
    // A number is never torn apart.
    if (block.length >= ROUTES_IN_BLOCK && block.at(-1)!.number !== route.number) {
      yield packBlock(airline, block)
      block = []
    }
    block.push(route)
  }
  if (block.length > 0) yield packBlock(airline, block)
}

const inflated = (block: Uint8Array) => inflateRawSync(block, { maxOutputLength: LARGEST_BLOCK })

/** No deflated block begins with this byte: its lowest three bits would be a kind of block that does not exist. */
const PLAIN = 7

export const rowOf = (block: Uint8Array) => Buffer.concat([Buffer.of(PLAIN), block])

/** Earlier versions put blocks into the database as they were in the file. */
export const blockIn = (row: Uint8Array) => (row[0] === PLAIN ? row.subarray(1) : inflated(row))

/** The route that a number had on a day, or undefined when the block knows none of that day. */
export function routeOn(block: Uint8Array, number: number, date: string): Route | undefined {
  const read = numbersIn(block)
  const codes = read.take(read.next())
  const wanted = dayNumber(date)
  for (let current = 0; read.hasMore(); ) {
    current += read.next()
    if (current > number) return undefined
    let found: { day: number; places: number[] } | undefined
    let day = 0
    for (let routes = read.next(); routes > 0; routes--) {
      day += read.next()
      const stops = read.next()
      if (current === number && (day === 0 || day <= wanted)) {
        found = { day, places: Array.from({ length: stops }, read.next) }
      } else for (let stop = 0; stop < stops; stop++) read.next()
    }
    if (found) {
      const names = Buffer.from(codes).toString('latin1').split(' ')
      return { number, since: dayText(found.day), stops: found.places.map((place) => names[place]!) }
    }
  }
  return undefined
}

/** All blocks in one file: for each the airline, the first number, the length and the bytes. */
export function joinBlocks(blocks: readonly RouteBlock[]): Buffer {
  return Buffer.concat(
    blocks.flatMap(({ airline, firstNumber, bytes }) => {
      const packed = deflateRawSync(bytes, { level: 9 })
      const head = byteList()
      head.write(airline.length)
      head.bytes.push(...Buffer.from(airline, 'latin1'))
      head.write(firstNumber)
      head.write(packed.length)
      return [Buffer.from(head.bytes), packed]
    }),
  )
}

export function* splitBlocks(file: Uint8Array): Generator<RouteBlock> {
  const read = numbersIn(file)
  while (read.hasMore()) {
    const airline = Buffer.from(read.take(read.next())).toString('latin1')
    const firstNumber = read.next()
    yield { airline, firstNumber, bytes: inflated(read.take(read.next())) }
  }
}
