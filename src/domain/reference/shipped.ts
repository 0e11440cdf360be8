import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Papa from 'papaparse'
import type { routeBlocks } from '../../db/tables/index.ts'
import { packageRoot } from '../../lib/package-root.ts'
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
  /** How many of its routes are known. */
  routes: number
}

export type ShippedAircraftType = {
  sourceId: string
  name: string
  icao: string
}

/** A line of data/airport-corrections.csv; an empty cell leaves a value as it is, "-" takes it away. */
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

/** Changes whenever any shipped row changes, so that a start can compare it without reading the data. */
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

/** IATA aircraft type code to ICAO designator, as timetables and other logs write them. */
export function iataAircraftCodes(): Map<string, string> {
  return new Map(csvRows<{ iata: string; icao: string }>('iata-aircraft.csv').map((row) => [row.iata, row.icao]))
}

/** Where each shipped airline stands among the others: those with more routes come first. */
export function airlinePlaces(): Map<string, number> {
  // The first cell of each line, which is never quoted: reading whole rows would make somebody wait for a tenth of a second.
  const lines = readFileSync(dataFile('airlines.csv'), 'utf8').split('\n')
  return new Map(lines.map((line, place) => [line.slice(0, line.indexOf(',')), place]))
}

/** Codes that airports had once, each with the ICAO code that its airport has today. */
export function formerAirportCodes(): Map<string, string> {
  return new Map(csvRows<{ code: string; icao: string }>('former-codes.csv').map((row) => [row.code, row.icao]))
}

/** Airports whose flights have all moved to another one, by ICAO code, and from which day on. */
export function movedAirports(): Map<string, { to: string; since: string }> {
  const rows = csvRows<{ from: string; to: string; since: string }>('moved-airports.csv')
  return new Map(rows.map(({ from, to, since }) => [from, { to, since }]))
}

/** Other names of countries by code, also in German, French and Spanish. */
export function otherCountryNames(): Map<string, string[]> {
  const rows = csvRows<{ country: string; names: string }>('country-names.csv')
  return new Map(rows.map(({ country, names }) => [country, names.split(';')]))
}

export interface SoldUnder {
  /** The ICAO code of a carrier whose flights are sold under the code of another one. */
  airline: string
  /** The first and the last number that it flies; undefined when these are not known. */
  numbers: readonly [number, number] | undefined
}

/** By the IATA code that flights of other carriers are sold under. */
export function carriersSoldUnder(): Map<string, SoldUnder[]> {
  const rows = csvRows<Record<'code' | 'airline' | 'numbers', string>>('sold-under.csv').map((row) => {
    const [first, last] = row.numbers.split('-').map(Number) as [number, number]
    return { ...row, numbers: row.numbers === '' ? undefined : ([first, last] as const) }
  })
  return Map.groupBy(rows, ({ code }) => code)
}

const SEARCH_FILES = {
  airports: 'airports.search.gz',
  airlines: 'airlines.search.gz',
  aircraft: 'aircraft.search.gz',
}

/** What searches look at, as the build packed it. */
export const readShippedSearch = (kind: keyof typeof SEARCH_FILES): Buffer => unzipped(SEARCH_FILES[kind])

/** The overlay that is already part of the shipped airports, for an update from a file of OurAirports. */
export function readAirportCorrections(): AirportCorrection[] {
  return csvRows<AirportCorrection>('airport-corrections.csv')
}

function csvRows<Row>(name: string): Row[] {
  return Papa.parse<Row>(readFileSync(dataFile(name), 'utf8'), { header: true, skipEmptyLines: true }).data
}

/** A gzip file ends with its unzipped size; with room for all of it nothing is copied. */
function unzipped(name: string): Buffer {
  const zipped = readFileSync(dataFile(name))
  return gunzipSync(zipped, { chunkSize: zipped.readUInt32LE(zipped.length - 4) + 1024 })
}

function dataFile(name: string): string {
  return join(packageRoot, 'src/domain/reference/data', name)
}
