import type { Caller } from '../../access/caller.ts'
import { AircraftWrite, AirlineWrite, AirportWrite } from '../reference/contract.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { AirportName, ReferenceName } from './formats/row.ts'

/** A row of reference data: one that is there, or one that the restore will make; its id is known once it is made. */
export interface Found {
  id: number | undefined
  make?: () => number
}

export interface FoundAirport extends Found {
  timezone: string
}

type Kind = 'airport' | 'airline' | 'aircraft'

const scopes = {
  airport: 'data.airports.manage',
  airline: 'data.airlines.manage',
  aircraft: 'data.aircraft.manage',
} as const

/** Finds what rows of a file name, each name once; in a restore missing rows are made where the caller may. */
export function referenceLookup(reference: ReferenceService, caller: Caller, restoring: boolean) {
  const { codes, records } = reference
  const known = new Map<string, Found | undefined>()
  const mayMake = (kind: Kind) =>
    restoring && caller.permissions.has(scopes[kind]) && caller.credential.usable.has(scopes[kind])

  function once<Result extends Found>(key: string, find: () => Result | undefined): Result | undefined {
    if (!known.has(key)) known.set(key, find())
    return known.get(key) as Result | undefined
  }

  function newAirport(record: Record<string, unknown> | undefined): FoundAirport | undefined {
    const write = AirportWrite.safeParse(record)
    if (!write.success || !mayMake('airport')) return undefined
    return {
      id: undefined,
      timezone: write.data.timezone,
      make: () => reference.airports.create(caller, write.data).id,
    }
  }

  function airport({ by, code, record }: AirportName): FoundAirport | undefined {
    return once(`airport ${by} ${code}`, () => {
      const id = codes.airport(code, by)
      return id === undefined ? newAirport(record) : { id, timezone: records.airport(id)!.timezone }
    })
  }

  function newRow(kind: 'airline' | 'aircraft', record: Record<string, unknown> | undefined): Found | undefined {
    if (!mayMake(kind)) return undefined
    if (kind === 'airline') {
      const write = AirlineWrite.safeParse(record)
      return write.success ? { id: undefined, make: () => reference.airlines.create(caller, write.data).id } : undefined
    }
    const write = AircraftWrite.safeParse(record)
    return write.success ? { id: undefined, make: () => reference.aircraft.create(caller, write.data).id } : undefined
  }

  function named(kind: 'airline' | 'aircraft', { lookups, record }: ReferenceName): Found | undefined {
    const key = `${kind} ${lookups.map(({ by, value }) => `${by} ${value}`).join(' ')}`
    return once(key, () => {
      for (const { by, value } of lookups) {
        const id = codes[kind](value, by)
        if (id !== undefined) return { id }
      }
      return newRow(kind, record)
    })
  }

  return {
    airport,
    airline: (name: ReferenceName) => named('airline', name),
    aircraft: (name: ReferenceName) => named('aircraft', name),
  }
}

export type ReferenceLookup = ReturnType<typeof referenceLookup>

/** The id of a row, made now if it must be. */
export function idOf(found: Found): number {
  if (found.id === undefined) found.id = found.make!()
  return found.id
}
