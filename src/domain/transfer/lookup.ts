import type { Caller } from '../../access/caller.ts'
import { foldCase } from '../../lib/text.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { ImportOrder } from './contract.ts'
import type { AirportName, ParsedFile, ReferenceName } from './formats/row.ts'
import { type Found, type FoundAirport, type NamedKind, newRows, sameRow } from './new-rows.ts'

/** Resolves the airports, airlines and aircraft types of a file. A restore creates missing ones if the caller may. */
export function referenceLookup(
  reference: ReferenceService,
  caller: Caller,
  file: ParsedFile,
  { mode, airports: instead = {} }: Pick<ImportOrder, 'mode' | 'airports'>,
) {
  const restoring = mode === 'restore'
  const { codes, records } = reference
  const missing = newRows(reference, caller, restoring)
  const known = new Map<string, Found | undefined>()

  function once<Result extends Found>(key: string, find: () => Result | undefined): Result | undefined {
    if (!known.has(key)) known.set(key, find())
    return known.get(key) as Result | undefined
  }

  function storedAirport({ by, code }: AirportName): FoundAirport | undefined {
    return once(`airport ${by} ${code}`, () => {
      const id = codes.airport(code, by) ?? instead[code]
      const row = id === undefined ? undefined : records.airport(id)
      return row && { row, timezone: row.timezone }
    })
  }

  function airport(name: AirportName): FoundAirport | undefined {
    const stored = storedAirport(name)
    if (stored) return stored
    missing.learnAirport(name)
    const { by, code } = name
    return missing.airport(by === 'code' ? [`icao ${code}`, `iata ${code}`] : [`${by} ${code}`])
  }

  /** Several airlines may share a code; the one with the same name is preferred. */
  function whole({ record }: ReferenceName): { name: string; icao: string | null } | undefined {
    const { name, icao } = record ?? {}
    if (typeof name !== 'string') return undefined
    return { name: name.trim(), icao: typeof icao === 'string' && icao !== '' ? icao.toUpperCase() : null }
  }

  function storedNamed(kind: NamedKind, name: ReferenceName): Found | undefined {
    const same = whole(name)
    const key = [
      kind,
      same ? sameRow(same.name, same.icao) : '',
      ...name.lookups.map(({ by, value }) => `${by} ${value}`),
    ]
    return once(key.join(' '), () => {
      const exact = same && codes.same(kind, same.name, same.icao)
      if (exact !== undefined) return { row: { id: exact } }
      for (const { by, value } of name.lookups) {
        const id = codes[kind](value, by)
        if (id !== undefined) return { row: { id } }
      }
      return undefined
    })
  }

  function named(kind: NamedKind, name: ReferenceName): Found | undefined {
    const stored = storedNamed(kind, name)
    if (stored) return stored
    missing.learnNamed(kind, name)
    const same = whole(name)
    const names = name.lookups.map(({ by, value }) => `${by} ${by === 'name' ? foldCase(value) : value}`)
    return missing.named(kind)([...(same ? [sameRow(same.name, same.icao)] : []), ...names])
  }

  // An earlier row may refer by code to a record that only a later row has in full.
  for (const parsed of restoring ? file.rows : []) {
    if (!parsed.flight || parsed.problems.length > 0) continue
    const { from, to, airline, aircraft } = parsed.flight
    for (const name of [from, to]) if (name && !storedAirport(name)) missing.learnAirport(name)
    if (airline && !storedNamed('airline', airline)) missing.learnNamed('airline', airline)
    if (aircraft && !storedNamed('aircraft', aircraft)) missing.learnNamed('aircraft', aircraft)
  }

  return {
    airport,
    airline: (name: ReferenceName) => named('airline', name),
    aircraft: (name: ReferenceName) => named('aircraft', name),
    /** The prefix of flight numbers; undefined for an airline that is not stored yet. */
    iataOf: ({ row }: Found): string | undefined =>
      (row && records.airline(row.id)?.iata?.replace('*', '')) || undefined,
  }
}

export type ReferenceLookup = ReturnType<typeof referenceLookup>
