import type { Caller } from '../../access/caller.ts'
import { AppError } from '../../lib/errors.ts'
import { foldCase } from '../../lib/text.ts'
import { english } from '../../messages/english.ts'
import { type CodeHolder, holderOn } from '../reference/codes.ts'
import { AircraftWrite, AirlineWrite, type Airport, type AirportDetails, AirportWrite } from '../reference/contract.ts'
import type { ReferenceService } from '../reference/service.ts'
import { isValidOn, NO_VALIDITY } from '../reference/validity.ts'
import type { ImportOrder } from './contract.ts'
import { type AirportName, type ParsedFile, type ParsedFlight, type ReferenceName, shown } from './formats/row.ts'

/** A row of reference data that exists, or that a restore creates when it is first used. */
export interface Found<Row extends { id: number } = { id: number }> {
  row: Row | undefined
  make?: () => Row
}

export interface FoundAirport extends Found<Airport> {
  timezone: string
}

/** Creates the row if it does not exist yet. */
export function rowOf<Row extends { id: number }>(found: Found<Row>): Row {
  found.row ??= found.make!()
  return found.row
}

type NamedKind = 'airline' | 'aircraft'

/** Rows by all their names. If several have the same name, the first one wins. */
function register<Row extends Found>() {
  const rows = new Map<string, Row>()
  return {
    find: (names: readonly string[]): Row | undefined => rows.get(names.find((name) => rows.has(name)) ?? ''),
    /** The first name is unique: another row under it is ignored. */
    add(names: readonly string[], row: Row): void {
      if (rows.has(names[0]!)) return
      for (const name of names) if (!rows.has(name)) rows.set(name, row)
    },
  }
}

const sameRow = (name: string, icao: string | null) => `same ${foldCase(name)}|${icao ?? ''}`

const scopes = {
  airport: 'data.airports.manage',
  airline: 'data.airlines.manage',
  aircraft: 'data.aircraft.manage',
} as const

/** Missing rows that can be created: the file has a full record, and credential and role allow it (contract 5.2). */
function newRows(reference: ReferenceService, caller: Caller, isRestore: boolean) {
  const airports = register<FoundAirport>()
  const named = { airline: register<Found>(), aircraft: register<Found>() }
  const canCreate = (kind: keyof typeof scopes) =>
    isRestore && caller.permissions.has(scopes[kind]) && caller.credential.usable.has(scopes[kind])

  return {
    findAirport: airports.find,
    findNamed: (kind: NamedKind, names: readonly string[]) => named[kind].find(names),
    addAirport({ record }: AirportName): void {
      const write = record && canCreate('airport') ? AirportWrite.safeParse(record).data : undefined
      if (!write) return
      const { icao, iata, timezone } = write
      airports.add([`icao ${icao}`, ...(iata === null ? [] : [`iata ${iata}`])], {
        row: undefined,
        timezone,
        make: () => reference.airports.insert(caller, write),
      })
    },
    addNamed(kind: NamedKind, { record }: ReferenceName): void {
      if (!record || !canCreate(kind)) return
      const airline = kind === 'airline' ? AirlineWrite.safeParse(record).data : undefined
      const write = kind === 'airline' ? airline : AircraftWrite.safeParse(record).data
      if (!write) return
      const { name, icao } = write
      named[kind].add([sameRow(name, icao), `name ${foldCase(name)}`, ...(icao === null ? [] : [`icao ${icao}`])], {
        row: undefined,
        make: () => (airline ? reference.airlines.insert(caller, airline) : reference.aircraft.insert(caller, write)),
      })
    },
  }
}

/** Several airlines may share a code; the one with the same name is preferred. */
function fullName({ record }: ReferenceName): { name: string; icao: string | null } | undefined {
  const { name, icao } = record ?? {}
  if (typeof name !== 'string') return undefined
  return { name: name.trim(), icao: typeof icao === 'string' && icao !== '' ? icao.toUpperCase() : null }
}

const MAX_AIRPORT_NAMES = 2_000
const CODE = /^[a-z0-9]{3,4}$/i

/** The airports that a text in a file can name, by name or by code. */
interface NamedAirport {
  /** Airports with the name, unless the text is a code. */
  airports: readonly AirportDetails[]
  holders: readonly CodeHolder[]
}

/** Of several airports with a name, those without an IATA code do not count: they are mostly military. */
function usedOn(airports: readonly AirportDetails[], date: string | undefined): readonly AirportDetails[] {
  const valid = airports.filter((row) => (date === undefined ? row.validUntil === null : isValidOn(row, date)))
  const coded = valid.filter(({ iata }) => iata !== null)
  return coded.length > 0 ? coded : valid
}

/** Resolves the airports, airlines and aircraft types of a file. A restore creates missing ones if the caller may. */
export function referenceLookup(
  reference: ReferenceService,
  caller: Caller,
  file: ParsedFile,
  { mode, airports: chosenAirports = {} }: Pick<ImportOrder, 'mode' | 'airports'>,
) {
  const isRestore = mode === 'restore'
  const { codes, records } = reference
  const missing = newRows(reference, caller, isRestore)
  const known = new Map<string, Found | undefined>()

  function once<Result extends Found>(key: string, find: () => Result | undefined): Result | undefined {
    if (!known.has(key)) known.set(key, find())
    return known.get(key) as Result | undefined
  }

  const holders = new Map<string, readonly CodeHolder[]>()

  function holdersOf(key: string, find: () => readonly CodeHolder[]): readonly CodeHolder[] {
    const found = holders.get(key) ?? find()
    holders.set(key, found)
    return found
  }

  const airportNames = new Map<string, NamedAirport>()

  /** A city may have the name that is also the code of another airport, such as Lima. */
  async function meaningOf(name: string): Promise<NamedAirport> {
    const { airports, isWholeName } = await reference.airportsNamed(name)
    const holders = !isWholeName && CODE.test(name) ? codes.airportHolders(name) : []
    return { airports: holders.length > 0 ? [] : airports, holders }
  }

  /** Searches are asynchronous, and the other lookups are not. */
  async function readNames({ from, to }: ParsedFlight): Promise<void> {
    for (const name of [from, to]) {
      if (name?.by !== 'name' || airportNames.has(name.code)) continue
      if (airportNames.size === MAX_AIRPORT_NAMES) {
        throw new AppError('validation_failed', english.import.tooManyAirportNames({ max: MAX_AIRPORT_NAMES }))
      }
      airportNames.set(name.code, await meaningOf(name.code))
    }
  }

  /** An ambiguous name has no id. */
  function idOfName(name: string, date: string | undefined): number | undefined {
    const { airports = [], holders = [] } = airportNames.get(name) ?? {}
    const [found, ...others] = usedOn(airports, date)
    return holderOn(holders, date) ?? (others.length === 0 ? found?.id : undefined)
  }

  function unknownAirport({ by, code }: AirportName, date: string | undefined): string {
    if (by !== 'name') return english.import.unknownCode({ value: shown(code) })
    const candidates = usedOn(airportNames.get(code)?.airports ?? [], date).map(({ iata, icao }) => iata ?? icao)
    if (candidates.length < 2) return english.import.unknownAirport({ value: shown(code) })
    return english.import.ambiguousAirport({ value: shown(code), codes: candidates.slice(0, 5).join(', ') })
  }

  function idOf({ by, code, record }: AirportName, date: string | undefined): number | undefined {
    if (by === 'name') return idOfName(code, date)
    const having = holdersOf(`airport ${by} ${code}`, () => codes.airportHolders(code, by))
    // A backup has full records, whose codes are unambiguous.
    return holderOn(having, record ? undefined : date)
  }

  function storedAirport(name: AirportName, date?: string): FoundAirport | undefined {
    const id = idOf(name, date) ?? (Object.hasOwn(chosenAirports, name.code) ? chosenAirports[name.code] : undefined)
    return once(`airport ${id}`, () => {
      const row = id === undefined ? undefined : records.airport(id)
      return row && { row, timezone: row.timezone }
    })
  }

  function airport(name: AirportName, date?: string): FoundAirport | undefined {
    const stored = storedAirport(name, date)
    if (stored) return stored
    missing.addAirport(name)
    const { by, code } = name
    return missing.findAirport(by === 'code' ? [`icao ${code}`, `iata ${code}`] : [`${by} ${code}`])
  }

  /** By all names of a row: one name, or the airlines with a code. */
  function holdersOfName(kind: NamedKind, name: ReferenceName): readonly CodeHolder[] {
    const only = (id: number): CodeHolder[] => [{ id, ...NO_VALIDITY }]
    const full = fullName(name)
    const exact = full && codes.same(kind, full.name, full.icao)
    if (exact !== undefined) return only(exact)
    for (const { by, value } of name.lookups) {
      const found = kind === 'airline' && by !== 'name' ? codes.airlineHolders(value, by) : []
      if (found.length > 0) return found
      const id = codes[kind](value, by)
      if (id !== undefined) return only(id)
    }
    return []
  }

  function storedNamed(kind: NamedKind, name: ReferenceName, date?: string): Found | undefined {
    const full = fullName(name)
    const names = name.lookups.map(({ by, value }) => `${by} ${value}`)
    const key = [kind, full ? sameRow(full.name, full.icao) : '', ...names].join(' ')
    const id = holderOn(
      holdersOf(key, () => holdersOfName(kind, name)),
      date,
    )
    return once(`${kind} ${id}`, () => (id === undefined ? undefined : { row: { id } }))
  }

  function named(kind: NamedKind, name: ReferenceName, date?: string): Found | undefined {
    const stored = storedNamed(kind, name, date)
    if (stored) return stored
    missing.addNamed(kind, name)
    const full = fullName(name)
    const names = name.lookups.map(({ by, value }) => `${by} ${by === 'name' ? foldCase(value) : value}`)
    return missing.findNamed(kind, [...(full ? [sameRow(full.name, full.icao)] : []), ...names])
  }

  // An earlier row may refer by code to a record that only a later row has in full.
  for (const { flight, problems } of isRestore ? file.rows : []) {
    if (!flight || problems.length > 0) continue
    const { from, to, airline, aircraft } = flight
    for (const name of [from, to]) if (name && !storedAirport(name)) missing.addAirport(name)
    if (airline && !storedNamed('airline', airline)) missing.addNamed('airline', airline)
    if (aircraft && !storedNamed('aircraft', aircraft)) missing.addNamed('aircraft', aircraft)
  }

  return {
    readNames,
    airport,
    unknownAirport,
    /** By the day of the flight (contract 17.8). */
    airline: (name: ReferenceName, date?: string) => named('airline', name, date),
    aircraft: (name: ReferenceName) => named('aircraft', name),
    /** The prefix of flight numbers; undefined for an airline that is not stored yet. */
    iataOf: ({ row }: Found): string | undefined =>
      (row && records.airline(row.id)?.iata?.replace('*', '')) || undefined,
  }
}

export type ReferenceLookup = ReturnType<typeof referenceLookup>
