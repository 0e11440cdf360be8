import { packSearch, type SearchRow } from '../search/pack.ts'
import type { ShippedAirport } from '../shipped.ts'
import type { Cells } from './files.ts'

interface AirportSources {
  /** The rows of OurAirports, for their keywords. */
  source: Cells[]
  /** Known pairs of airline and other airport, by ICAO code. */
  use: ReadonlyMap<string, number>
  /** The hand-written table of cities: their airports, best first, their code and their names. */
  cities: Cells[]
  /** Names of the same cities in other scripts, by the airport that most people mean, in a column for each language. */
  cityNames: Cells[]
  /** States and provinces: their names and their airports. */
  regions: Cells[]
  formerCodes: Cells[]
  /** Airports whose flights have all moved to another one. */
  moved: Cells[]
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

/** Gives the airports of a city its names, and their use in the order that the table says: most people mean the first. */
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

/** The table of cities with their names in other scripts; a city that it does not have comes in with its one airport. */
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

export function airportSearch(airports: readonly ShippedAirport[], sources: AirportSources): Promise<Buffer> {
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
  // The sources go on writing the old code.
  for (const { from = '', to = '' } of sources.moved) {
    const row = byIcao.get(to)
    if (!row) throw new Error(`moved-airports.csv names the unknown airport ${to}.`)
    row.use = Math.max(row.use, sources.use.get(from) ?? 0)
  }
  for (const [code, icao] of today) byIcao.get(icao)?.codes.push(code)
  for (const city of withOtherScripts(sources.cities, sources.cityNames)) addCity(city, byIata)
  for (const { names, airports = '' } of sources.regions)
    for (const airport of membersOf('regions.csv', airports, byIata)) airport.regions.push(...listOf(names, /;/))
  return packSearch(drafts.map((row) => ({ ...row, codes: [...new Set(row.codes)], cities: [...new Set(row.cities)] })))
}

/** What people call an airline or an aircraft type, by its id. */
function namesOf(kind: 'airlines' | 'aircraft', otherNames: Cells[], rows: Cells[]): ReadonlyMap<string, string[]> {
  const ids = new Set(rows.map(({ id }) => id))
  const ofKind = otherNames.filter((row) => row.kind === kind)
  const unknown = ofKind.find(({ id }) => !ids.has(id))
  if (unknown) throw new Error(`other-names.csv names the unknown ${unknown.id} among the ${kind}.`)
  return new Map(ofKind.map(({ id = '', names }) => [id, listOf(names, /;/)]))
}

export function airlineSearch(airlines: Cells[], otherNames: Cells[]): Promise<Buffer> {
  const others = namesOf('airlines', otherNames, airlines)
  return packSearch(
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

/** The models that a designator stands for, with their makers. */
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
  /** The models of each designator. */
  source: Cells[]
  iataCodes: Cells[]
  otherNames: Cells[]
}

export function aircraftSearch(aircraft: Cells[], sources: AircraftSources): Promise<Buffer> {
  const { source, iataCodes, otherNames } = sources
  const models = modelsOf(source)
  const codes = Map.groupBy(iataCodes, ({ icao }) => icao)
  const others = namesOf('aircraft', otherNames, aircraft)
  // People write B737-800 as often as Boeing 737-800, and Airbus 320 as well as Airbus A320.
  const ofMakers = (name: string) => {
    if (/^Boeing 7\d7/.test(name)) return [name.replace('Boeing ', 'B')]
    return /^Airbus A[23]/.test(name) ? [name.replace('Airbus A', 'Airbus ')] : []
  }
  return packSearch(
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
