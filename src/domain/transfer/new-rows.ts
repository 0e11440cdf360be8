import type { Caller } from '../../access/caller.ts'
import { foldCase } from '../../lib/text.ts'
import { AircraftWrite, AirlineWrite, type Airport, AirportWrite } from '../reference/contract.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { AirportName, ReferenceName } from './formats/row.ts'

/** A row of reference data that exists, or that a restore creates when it is first used. */
export interface Found<Row extends { id: number } = { id: number }> {
  row: Row | undefined
  make?: () => Row
}

export interface FoundAirport extends Found<Airport> {
  timezone: string
}

/** The row, created if it does not exist yet. */
export function rowOf<Row extends { id: number }>(found: Found<Row>): Row {
  found.row ??= found.make!()
  return found.row
}

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

export type NamedKind = 'airline' | 'aircraft'

export const sameRow = (name: string, icao: string | null) => `same ${foldCase(name)}|${icao ?? ''}`

const scopes = {
  airport: 'data.airports.manage',
  airline: 'data.airlines.manage',
  aircraft: 'data.aircraft.manage',
} as const

/** Missing rows that can be created: the file has a full record, and credential and role allow it (contract 5.2). */
export function newRows(reference: ReferenceService, caller: Caller, restoring: boolean) {
  const airports = register<FoundAirport>()
  const named = { airline: register<Found>(), aircraft: register<Found>() }
  const may = (kind: keyof typeof scopes) =>
    restoring && caller.permissions.has(scopes[kind]) && caller.credential.usable.has(scopes[kind])

  function learnAirport({ record }: AirportName): void {
    if (!record || !may('airport')) return
    const { success, data: write } = AirportWrite.safeParse(record)
    if (!success) return
    const { icao, iata, timezone } = write
    airports.add([`icao ${icao}`, ...(iata === null ? [] : [`iata ${iata}`])], {
      row: undefined,
      timezone,
      make: () => reference.airports.insert(caller, write),
    })
  }

  function learnNamed(kind: NamedKind, { record }: ReferenceName): void {
    if (!record || !may(kind)) return
    const airline = kind === 'airline' ? AirlineWrite.safeParse(record).data : undefined
    const write = airline ?? AircraftWrite.safeParse(record).data
    if (!write || (kind === 'airline' && !airline)) return
    const { name, icao } = write
    named[kind].add([sameRow(name, icao), `name ${foldCase(name)}`, ...(icao === null ? [] : [`icao ${icao}`])], {
      row: undefined,
      make: () => (airline ? reference.airlines.insert(caller, airline) : reference.aircraft.insert(caller, write)),
    })
  }

  return { learnAirport, learnNamed, airport: airports.find, named: (kind: NamedKind) => named[kind].find }
}
