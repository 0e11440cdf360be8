import type { Db } from '../../db/open.ts'
import { foldCase, isWithinLength } from '../../lib/text.ts'
import { codeStore } from './code-store.ts'
import { MAX_NAME_LENGTH } from './contract.ts'
import {
  airlinePlaces,
  carriersSoldUnder,
  formerAirportCodes,
  iataAircraftCodes,
  movedAirports,
  type SoldUnder,
} from './shipped.ts'
import { formerCodeUses, isValidOn, type Validity } from './validity.ts'

export interface Coded {
  id: number
  icao: string | null
  iata: string | null
}

export type CodeKind = 'icao' | 'iata' | 'name'

/** A row that has or had a code, and the days on which it used it. */
export interface CodeHolder extends Validity {
  id: number
}

/**
 * The holders of a code on a day, the most likely one first; all of them if none is known to have existed on it.
 * A known end after the day counts more than none, since holders of today often lack their first day.
 */
export function holdersOn(holders: readonly CodeHolder[], date: string): readonly CodeHolder[] {
  const valid = holders.filter((holder) => isValidOn(holder, date))
  if (valid.length === 0) return holders
  return valid.toSorted((a, b) => Number(a.validUntil === null) - Number(b.validUntil === null))
}

/** The id of the holder of a code on a day (contract 17.8), or without a day the one of today. */
export function holderOn(holders: readonly CodeHolder[], date: string | undefined): number | undefined {
  return (date === undefined ? holders : holdersOn(holders, date))[0]?.id
}

const isTooLong = (text: string) => !isWithinLength(text, MAX_NAME_LENGTH)

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}

/** Finds rows by the codes and names in files and in the legacy API, ignoring case. */
export function codeLookup(db: Db) {
  const { airports, airlines, sources, having, types, names, same } = codeStore(db)
  const formerCodes = once(formerAirportCodes)
  const places = once(airlinePlaces)
  const iataTypes = once(iataAircraftCodes)
  const moves = once(movedAirports)
  const soldUnder = once(carriersSoldUnder)
  const formerUses = {
    airports: once(() => formerCodeUses('airports')),
    airlines: once(() => formerCodeUses('airlines')),
  }

  function formerHolders(kind: 'airports' | 'airlines', code: string): CodeHolder[] {
    return (formerUses[kind]().get(code) ?? []).flatMap(({ sourceId, validFrom, validUntil }) => {
      const id = sources[kind].get({ sourceId })
      return id === undefined ? [] : { id, validFrom, validUntil }
    })
  }

  /**
   * All airlines with a code, the most likely one of today first: airlines with routes that have not ended, then the
   * others, in the order of the shipped data, then rows that have left it, then custom rows.
   */
  function airlineHolders(value: string, by: 'icao' | 'iata'): CodeHolder[] {
    if (isTooLong(value)) return []
    const upper = value.toUpperCase().replace(/\*$/, '')
    const found = airlines[by].all({ code: upper, starred: `${upper}*` })
    const former = (upper.length === 3) === (by === 'icao') ? formerHolders('airlines', upper) : []
    if (found.length < 2) return [...found, ...former]
    const placeOf = ({ sourceId }: { sourceId: string | null }) =>
      sourceId === null ? undefined : places().get(sourceId)
    const isActive = (row: (typeof found)[number]) => row.validUntil === null && placeOf(row)?.hasRoutes === true
    const order = (row: (typeof found)[number]) =>
      placeOf(row)?.place ?? Number.MAX_SAFE_INTEGER - (row.sourceId === null ? 0 : 1)
    const sorted = found.toSorted(
      (a, b) => Number(isActive(b)) - Number(isActive(a)) || order(a) - order(b) || a.id - b.id,
    )
    return [...sorted, ...former]
  }

  /** With former holders, after those of today. */
  function airportHolders(value: string, by: 'icao' | 'iata' | 'code' = 'code'): CodeHolder[] {
    if (isTooLong(value)) return []
    const upper = value.toUpperCase()
    const isKind = by === 'code' || (upper.length === 3) === (by === 'iata')
    const holding = [...airports[by].all({ code: upper }), ...(isKind ? formerHolders('airports', upper) : [])]
    if (holding.length > 0) return holding
    const today = formerCodes().get(upper)
    return today === undefined ? [] : airports.icao.all({ code: today })
  }

  const airport = (value: string, by: 'icao' | 'iata' | 'code' = 'code', date?: string): number | undefined =>
    holderOn(airportHolders(value, by), date)

  const airlinesWith = (value: string, by: 'icao' | 'iata'): number[] => airlineHolders(value, by).map(({ id }) => id)

  /** Current and former holders of the codes of these records, and the airports that their flights moved to or from. */
  function otherHolders(kind: 'airports' | 'airlines', records: readonly Coded[]): (record: Coded) => CodeHolder[] {
    const { to, from } = moves()
    const codesOf = ({ iata, icao }: Coded) => [(iata ?? icao ?? '').replace('*', '')].filter(Boolean)
    const usesOf = (record: Coded) => codesOf(record).flatMap((code) => formerUses[kind]().get(code) ?? [])
    const partnersOf = ({ icao }: Coded) =>
      kind === 'airlines' || icao === null ? [] : [to.get(icao), from.get(icao)].flatMap((move) => move?.icao ?? [])
    const rows = having[kind].all({
      iatas: JSON.stringify(records.flatMap(codesOf)),
      icaos: JSON.stringify(records.flatMap(partnersOf)),
      sources: JSON.stringify(records.flatMap((record) => usesOf(record).map(({ sourceId }) => sourceId))),
    })
    const bySource = new Map(rows.map((row) => [row.sourceId, row.id]))
    return (record) => {
      const [codes, partners] = [codesOf(record), partnersOf(record)]
      const today = rows.filter(({ iata, icao }) => codes.includes(iata ?? '') || partners.includes(icao ?? ''))
      const former = usesOf(record).flatMap((use) => ({ ...use, id: bySource.get(use.sourceId) ?? record.id }))
      return [...former, ...today].filter(({ id }) => id !== record.id)
    }
  }

  return {
    /** The airport that used a code on a day (contract 17.8). Without a day, the one that has it today. */
    airport,
    otherHolders,
    /** For callers that resolve one code on many days: pass them to `holderOn`. */
    airportHolders,
    airlineHolders,
    /** The airport that a route used on a day: the table of routes has either the old or the new airport. */
    airportOn(icao: string, date: string): number | undefined {
      const { to, from } = moves()
      const [left, entered] = [to.get(icao), from.get(icao)]
      if (left && date >= left.since) return airport(left.icao, 'code', date)
      return airport(entered && date < entered.since ? entered.icao : icao, 'code', date)
    },
    airlinesWith,
    /** Airlines that operate flights sold under this IATA code: `flying` operate this number, `others` may. */
    airlinesSoldUnder(iata: string, number: number): { flying: number[]; others: number[] } {
      const carriers = soldUnder().get(iata) ?? []
      const idsOf = (list: readonly SoldUnder[]) =>
        list.flatMap(({ airline }) => airlinesWith(airline, 'icao').slice(0, 1))
      return {
        flying: idsOf(carriers.filter(({ numbers: [first, last] = [1, 0] }) => first <= number && number <= last)),
        others: idsOf(carriers.filter(({ numbers }) => numbers === undefined)),
      }
    },
    /** The airline that used a code on a day (contract 17.8). Without a day, the one of today. A name has no day. */
    airline(value: string, by: CodeKind, date?: string): number | undefined {
      if (by !== 'name') return holderOn(airlineHolders(value, by), date)
      return isTooLong(value) ? undefined : names.airline.get({ name: foldCase(value) })
    },
    aircraft(value: string, by: CodeKind): number | undefined {
      if (isTooLong(value)) return undefined
      if (by === 'name') return names.aircraft.get({ name: foldCase(value) })
      const upper = value.toUpperCase()
      return types.get({ code: by === 'icao' ? upper : (iataTypes().get(upper) ?? '') })
    },
    /** By name and ICAO code, which may be null: several rows may share a code. */
    same: (kind: 'airline' | 'aircraft', value: string, icao: string | null) =>
      isTooLong(value) ? undefined : same[kind].get({ name: foldCase(value), code: icao }),
  }
}
