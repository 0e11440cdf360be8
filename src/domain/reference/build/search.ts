import { type IndexText, type SearchRow, writeIndex } from '../search/index.ts'
import type { ShippedAirport } from '../shipped.ts'
import type { Cells } from './files.ts'

interface AirportSources {
  /** Rows of OurAirports, for their keywords. */
  source: Cells[]
  /** Number of known pairs of airline and other airport, by ICAO code. */
  use: ReadonlyMap<string, number>
  cities: Cells[]
  /** Names in other scripts, by the main airport, with a column for each language. */
  cityNames: Cells[]
  /** States and provinces. */
  regions: Cells[]
  formerCodes: Cells[]
  moved: Cells[]
  /** Source ids of airports with known days of existence. */
  dated: ReadonlySet<string>
}

const CODE = /^[A-Z0-9]{3,4}$/

const listOf = (text = '', separator = /[,;]/) =>
  text
    .split(separator)
    .map((part) => part.trim().normalize('NFC'))
    .filter(Boolean)

type Draft = Omit<SearchRow, 'codes' | 'cities' | 'regions'> & { codes: string[]; cities: string[]; regions: string[] }

function draft({ sourceId, name, municipality, icao, iata, country, type }: ShippedAirport, keywords = ''): Draft {
  const others = listOf(keywords).filter((word) => !/https?:|www\.|@/.test(word))
  return {
    key: sourceId,
    name,
    municipality,
    icao,
    iata,
    country,
    type,
    use: 0,
    codes: others.filter((word) => CODE.test(word) && word !== icao && word !== iata),
    names: others.filter((word) => !CODE.test(word) && /\p{L}{2}/u.test(word)),
    cities: [],
    regions: [],
  }
}

function membersOf(file: string, airports: string, byIata: ReadonlyMap<string, Draft>): Draft[] {
  return airports.split(' ').map((iata) => {
    const airport = byIata.get(iata)
    if (!airport) throw new Error(`${file} names the unknown airport ${iata}.`)
    return airport
  })
}

/** Adds the names of a city to its airports, and orders their use as in the table. */
function addCity({ airports = '', code = '', names = '' }: Cells, byIata: ReadonlyMap<string, Draft>): void {
  const members = membersOf('cities.csv', airports, byIata)
  const uses = members.map(({ use }) => use).sort((a, b) => b - a)
  let before = Number.POSITIVE_INFINITY
  for (const [place, airport] of members.entries()) {
    airport.use = Math.max(Math.min(uses[place]!, before - 1), 1)
    before = airport.use
    airport.cities.push(...listOf(names, /;/))
    if (code !== '' && code !== airport.iata) airport.codes.push(code)
  }
}

/** A city that is only in the second table has one airport. */
function withOtherScripts(cities: Cells[], cityNames: Cells[]): Cells[] {
  const others = new Map(
    cityNames.map(({ airport = '', ...languages }) => [airport, Object.values(languages).filter(Boolean).join(';')]),
  )
  const found = cities.map((city): Cells => {
    const [airport = ''] = city.airports?.split(' ') ?? []
    const names = others.get(airport)
    others.delete(airport)
    return names ? { ...city, names: `${city.names};${names}` } : city
  })
  return [...found, ...[...others].map(([airports, names]) => ({ airports, names }))]
}

export function airportSearch(airports: readonly ShippedAirport[], sources: AirportSources): Promise<IndexText> {
  const keywords = new Map(sources.source.map((row) => [row.id ?? '', row.keywords]))
  const drafts = airports.map((airport) => draft(airport, keywords.get(airport.sourceId)))
  const byIcao = new Map(drafts.map((row) => [row.icao ?? '', row]))
  const open = drafts.filter(({ type }) => type !== 'closed')
  const byIata = new Map(open.flatMap((row) => (row.iata === null ? [] : [[row.iata, row] as const])))
  const today = new Map(sources.formerCodes.map(({ code = '', icao = '' }) => [code, icao]))
  for (const [icao, use] of sources.use) {
    const row = byIcao.get(icao) ?? byIcao.get(today.get(icao) ?? '')
    if (row) row.use = Math.max(row.use, use)
  }
  // The sources still use the old code.
  for (const { from = '', to = '' } of sources.moved) {
    const row = byIcao.get(to)
    if (!row) throw new Error(`moved-airports.csv names the unknown airport ${to}.`)
    row.use = Math.max(row.use, sources.use.get(from) ?? 0)
  }
  for (const [code, icao] of today) byIcao.get(icao)?.codes.push(code)
  for (const city of withOtherScripts(sources.cities, sources.cityNames)) addCity(city, byIata)
  for (const { names, airports = '' } of sources.regions)
    for (const airport of membersOf('regions.csv', airports, byIata)) airport.regions.push(...listOf(names, /;/))
  return writeIndex(
    drafts.map((row) => ({
      ...row,
      codes: [...new Set(row.codes)],
      cities: [...new Set(row.cities)],
      wasServed: sources.dated.has(row.key),
    })),
  )
}

function namesOf(kind: 'airlines' | 'aircraft', otherNames: Cells[], rows: Cells[]): ReadonlyMap<string, string[]> {
  const ids = new Set(rows.map(({ id }) => id))
  const ofKind = otherNames.filter((row) => row.kind === kind)
  const unknown = ofKind.find(({ id }) => !ids.has(id))
  if (unknown) throw new Error(`other-names.csv names the unknown ${unknown.id} among the ${kind}.`)
  return new Map(ofKind.map(({ id = '', names }) => [id, listOf(names, /;/)]))
}

export function airlineSearch(airlines: Cells[], otherNames: Cells[]): Promise<IndexText> {
  const others = namesOf('airlines', otherNames, airlines)
  return writeIndex(
    airlines.map(({ id = '', name = '', icao, iata, routes }) => ({
      key: id,
      name,
      municipality: null,
      icao: icao || null,
      iata: iata || null,
      country: null,
      type: null,
      use: Number(routes),
      codes: [],
      names: [],
      cities: others.get(id) ?? [],
      regions: [],
    })),
  )
}

/** Makers and models by designator. */
function modelsOf(source: Cells[]): ReadonlyMap<string, string[]> {
  const models = Map.groupBy(source, ({ icao = '' }) => icao)
  return new Map(
    [...models].map(([icao, rows]) => [
      icao,
      [...new Set(rows.map(({ manufacturer, model }) => `${manufacturer} ${model}`.normalize('NFC')))],
    ]),
  )
}

interface AircraftSources {
  source: Cells[]
  iataCodes: Cells[]
  otherNames: Cells[]
}

export function aircraftSearch(aircraft: Cells[], sources: AircraftSources): Promise<IndexText> {
  const { source, iataCodes, otherNames } = sources
  const models = modelsOf(source)
  const codes = Map.groupBy(iataCodes, ({ icao }) => icao)
  const others = namesOf('aircraft', otherNames, aircraft)
  // B737-800 for Boeing 737-800, Airbus 320 for Airbus A320.
  const ofMakers = (name: string) => {
    if (/^Boeing 7\d7/.test(name)) return [name.replace('Boeing ', 'B')]
    return /^Airbus A[23]/.test(name) ? [name.replace('Airbus A', 'Airbus ')] : []
  }
  return writeIndex(
    aircraft.map(({ id = '', name = '', icao = '' }) => ({
      key: id,
      name,
      municipality: null,
      icao,
      iata: null,
      country: null,
      type: null,
      use: 0,
      codes: (codes.get(icao) ?? []).map(({ iata = '' }) => iata),
      names: models.get(icao) ?? [],
      cities: [...(others.get(id) ?? []), ...ofMakers(name)],
      regions: [],
    })),
  )
}
