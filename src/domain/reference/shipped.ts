import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Papa from 'papaparse'
import type { routeBlocks } from '../../db/tables/index.ts'
import { packageRoot } from '../../lib/package-root.ts'
import type { ReferenceKind } from './kinds.ts'
import { linesOf } from './routes-file.ts'

export type ShippedAirport = {
  sourceId: string
  icao: string
  iata: string | null
  name: string
  municipality: string | null
  latitude: number
  longitude: number
  timezone: string
  type: string
  continent: string
  country: string
}

export type ShippedAirline = {
  sourceId: string
  name: string
  icao: string | null
  iata: string | null
  defunct: boolean
  /** Number of known routes. */
  routes: number
}

export type ShippedAircraftType = {
  sourceId: string
  name: string
  icao: string
}

/** A line of data/airport-corrections.csv. An empty cell keeps the value, "-" removes it. */
export type AirportCorrection = {
  id: string
  airport: string
  action: string
  icao: string
  iata: string
  name: string
  municipality: string
  latitude: string
  longitude: string
  timezone: string
  type: string
  continent: string
  country: string
  reason: string
}

export const AIRPORT_COLUMNS =
  'id icao iata name municipality latitude longitude timezone type continent country'.split(' ')

/** Changes with the shipped data. */
export function shippedVersion(): string {
  return (JSON.parse(readFileSync(dataFile('meta.json'), 'utf8')) as { version: string }).version
}

export function* readShippedAirports(): Generator<ShippedAirport> {
  for (const line of linesOf(unzipped('airports.tsv.gz'), 'utf8').drop(1)) {
    const cells = line.split('\t')
    const named = Object.fromEntries(AIRPORT_COLUMNS.map((name, index) => [name, cells[index]]))
    const { id: sourceId, iata, municipality, latitude, longitude, ...row } = named as AirportCorrection
    yield {
      ...row,
      sourceId,
      iata: iata || null,
      municipality: municipality || null,
      latitude: Number(latitude),
      longitude: Number(longitude),
    }
  }
}

export function readShippedAirlines(): ShippedAirline[] {
  return csvRows<Record<'id' | 'name' | 'icao' | 'iata' | 'defunct' | 'routes', string>>('airlines.csv').map((row) => ({
    sourceId: row.id,
    name: row.name,
    icao: row.icao || null,
    iata: row.iata || null,
    defunct: row.defunct === '1',
    routes: Number(row.routes),
  }))
}

export function readShippedAircraft(): ShippedAircraftType[] {
  return csvRows<{ id: string; name: string; icao: string }>('aircraft.csv').map((row) => ({
    sourceId: row.id,
    name: row.name,
    icao: row.icao,
  }))
}

/** `routes.tsv.gz` consists of one gzip member for each block; `routes.csv` has their lengths. */
export function* readShippedRoutes(): Generator<typeof routeBlocks.$inferSelect> {
  const file = readFileSync(dataFile('routes.tsv.gz'))
  let start = 0
  for (const { airline, number, bytes } of csvRows<Record<'airline' | 'number' | 'bytes', string>>('routes.csv')) {
    const end = start + Number(bytes)
    yield { airline, firstNumber: Number(number), packed: file.subarray(start, end) }
    start = end
  }
}

/** IATA aircraft type code to ICAO designator. */
export function iataAircraftCodes(): Map<string, string> {
  return new Map(csvRows<{ iata: string; icao: string }>('iata-aircraft.csv').map((row) => [row.iata, row.icao]))
}

interface AirlinePlace {
  place: number
  hasRoutes: boolean
}

/** The position of each shipped airline; those with more routes come first. */
export function airlinePlaces(): Map<string, AirlinePlace> {
  // The first cell is never quoted, and the last one is the number of routes. Parsing the whole file takes 100 ms.
  const lines = readFileSync(dataFile('airlines.csv'), 'utf8').split('\n')
  return new Map(
    lines.map((line, place) => [line.slice(0, line.indexOf(',')), { place, hasRoutes: !line.endsWith(',') }]),
  )
}

/** Former code to current ICAO code. */
export function formerAirportCodes(): Map<string, string> {
  return new Map(csvRows<{ code: string; icao: string }>('former-codes.csv').map((row) => [row.code, row.icao]))
}

interface Move {
  icao: string
  since: string
}

/** Airports whose flights have all moved, by ICAO code: `to` where, and `from` where. */
export function movedAirports(): { to: ReadonlyMap<string, Move>; from: ReadonlyMap<string, Move> } {
  const rows = csvRows<{ from: string; to: string; since: string }>('moved-airports.csv')
  return {
    to: new Map(rows.map(({ from, to, since }) => [from, { icao: to, since }])),
    from: new Map(rows.map(({ from, to, since }) => [to, { icao: from, since }])),
  }
}

/** A line of `airport-validity.csv` or `airline-validity.csv`. Dates are days, months or years. */
export interface ValidityLine {
  /** Source id. */
  id: string
  /** A code that was used in this time only; empty for the time of existence. */
  code: string
  from: string
  until: string
}

const VALIDITY_FILES = { airports: 'airport-validity.csv', airlines: 'airline-validity.csv' } as const

export const validityLines = (kind: keyof typeof VALIDITY_FILES): ValidityLine[] =>
  csvRows<ValidityLine>(VALIDITY_FILES[kind])

/** Other names of countries by code, also in German, French and Spanish. */
export function otherCountryNames(): Map<string, string[]> {
  const rows = csvRows<{ country: string; names: string }>('country-names.csv')
  return new Map(rows.map(({ country, names }) => [country, names.split(';')]))
}

export interface SoldUnder {
  /** ICAO code. */
  airline: string
  /** The first and last number that it operates, if known. */
  numbers: readonly [number, number] | undefined
}

/** Airlines whose flights are sold under the IATA code of another airline, by that code. */
export function carriersSoldUnder(): Map<string, SoldUnder[]> {
  const rows = csvRows<Record<'code' | 'airline' | 'numbers', string>>('sold-under.csv').map((row) => {
    const [first, last] = row.numbers.split('-').map(Number) as [number, number]
    return { ...row, numbers: row.numbers === '' ? undefined : ([first, last] as const) }
  })
  return Map.groupBy(rows, ({ code }) => code)
}

const INDEX_FILES = {
  airports: ['airports-search.ndjson.gz', 'airports-terms.tsv.gz'],
  airlines: ['airlines-search.ndjson.gz', 'airlines-terms.tsv.gz'],
  aircraft: ['aircraft-search.ndjson.gz', 'aircraft-terms.tsv.gz'],
} as const

export function readShippedIndex(kind: ReferenceKind) {
  const [rows, terms] = INDEX_FILES[kind]
  return { rows: unzipped(rows), terms: unzipped(terms) }
}

/** Already applied to the shipped airports; for updates from a file of OurAirports. */
export function readAirportCorrections(): AirportCorrection[] {
  return csvRows<AirportCorrection>('airport-corrections.csv')
}

function csvRows<Row>(name: string): Row[] {
  return Papa.parse<Row>(readFileSync(dataFile(name), 'utf8'), { header: true, skipEmptyLines: true }).data
}

/** A gzip file ends with its unzipped size, which avoids copies. */
function unzipped(name: string): Buffer {
  const zipped = readFileSync(dataFile(name))
  return gunzipSync(zipped, { chunkSize: zipped.readUInt32LE(zipped.length - 4) + 1024 })
}

function dataFile(name: string): string {
  return join(packageRoot, 'src/domain/reference/data', name)
}
