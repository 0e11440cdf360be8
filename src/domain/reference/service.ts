import { authorize } from '../../access/authorize.ts'
import type { Caller, CurrentCaller } from '../../access/caller.ts'
import { INLINE_ROW_LIMIT, type LongWrites } from '../../db/long-writes.ts'
import type { Db } from '../../db/open.ts'
import { dataVersion } from '../../db/version.ts'
import { write } from '../../db/write.ts'
import { AppError, conflict, invalid, notFound } from '../../lib/errors.ts'
import { isWithinLength } from '../../lib/text.ts'
import { english } from '../../messages/english.ts'
import { referenceCache } from './cache.ts'
import { codeLookup } from './codes.ts'
import {
  type Aircraft,
  type AircraftWrite,
  type Airline,
  type AirlineDetails,
  type AirlineWrite,
  type Airport,
  type AirportDetails,
  type AirportWrite,
  MAX_QUERY_LENGTH,
} from './contract.ts'
import { type ChangedRows, type KindRenewal, loadedVersion, type ReferenceFiles, renewReference } from './load.ts'
import { MAX_RESULTS } from './search/find.ts'
import type { SearchResult } from './search/indexes.ts'
import { shippedVersion } from './shipped.ts'
import { type ListPart, type RowStore, referenceStore } from './store.ts'

const { reference: texts } = english

/** Of an airline, including the star of a shared code. */
const MAX_CODE_LENGTH = 3

interface KindOptions<Row extends { id: number; custom: boolean }, Write, Details extends Row> {
  /** As in operation ids. */
  name: 'Airport' | 'Airline' | 'Aircraft'
  noun: string
  store: RowStore<Row, Write>
  byIds: (ids: readonly number[]) => Row[]
  /** The record of the operations, which has members that a record in a flight lacks. */
  detailsOf: (row: Row) => Details
  search: (query: string) => Promise<SearchResult>
  messages: Record<'shipped' | 'same' | 'used', string>
  conflictMessage: (write: Write) => string
  changed: (id: number) => void
}

export interface Merged<Row> {
  into: Row
  /** How many flights were changed. */
  flights: number
}

export type ReferenceService = ReturnType<typeof referenceService>

interface Dependencies {
  db: Db
  /** Updates data that depends on these rows, in the same transaction. */
  rowsChanged: (rows: ChangedRows & { flights?: readonly number[] }) => void
  longWrites: LongWrites
  currentCaller: CurrentCaller
}

export function referenceService({ db, rowsChanged, longWrites, currentCaller }: Dependencies) {
  const store = referenceStore(db)
  const cache = referenceCache(db, store)
  const codes = codeLookup(db)
  const versions = dataVersion(db)

  /** Counts the write in the database, for the caches of all processes. */
  function changing<Result>(work: () => Result): Promise<Result> {
    return write(db, 'reference', () => {
      const result = work()
      versions.countReferenceWrite()
      return result
    })
  }

  function kind<Row extends { id: number; custom: boolean }, Write, Details extends Row>(
    options: KindOptions<Row, Write, Details>,
  ) {
    const { name, noun, store: rows, detailsOf } = options
    const decide = (caller: Caller, verb: 'get' | 'create' | 'update' | 'delete') =>
      authorize(caller, `${verb}${name}`, {})
    /** Inside the transaction: the role may have changed while the write waited for an import. */
    const decideAgain = (caller: Caller, verb: 'create' | 'update' | 'delete') => decide(currentCaller(caller), verb)

    function existing(id: number): Row {
      const row = rows.find(id)
      if (!row) throw notFound(noun)
      return row
    }

    function own(id: number): Row {
      const row = existing(id)
      if (row.custom) return row
      throw conflict(options.messages.shipped)
    }

    function requireUnique(write: Write, id?: number): void {
      const other = rows.conflictingId(write)
      if (other !== undefined && other !== id) throw conflict(options.conflictMessage(write))
    }

    function insertRow(caller: Caller, write: Write): Row {
      decideAgain(caller, 'create')
      requireUnique(write)
      return existing(rows.insert(write))
    }

    const isLong = ({ id }: { id: number }) => rows.isPointedAt(id, INLINE_ROW_LIMIT)

    const change = longWrites.declare({
      name: `change an ${noun}`,
      run: ({ caller, id, write }: { caller: Caller; id: number; write: Write }): Promise<Details> =>
        changing(() => {
          decideAgain(caller, 'update')
          own(id)
          requireUnique(write, id)
          rows.update(id, write)
          options.changed(id)
          return detailsOf(existing(id))
        }),
      isLong,
    })

    const mergeInto = longWrites.declare({
      name: `merge an ${noun}`,
      run: ({ caller, id, intoId }: { caller: Caller; id: number; intoId: number }): Promise<Merged<Row>> =>
        changing(() => {
          decideAgain(caller, 'update')
          decideAgain(caller, 'delete')
          own(id)
          const into = existing(intoId)
          if (intoId === id) throw invalid(texts.notMerged, ['into'], options.messages.same)
          const flights = rows.repoint(id, intoId)
          rowsChanged({ flights })
          rows.delete(id)
          return { into, flights: flights.length }
        }),
      isLong,
    })

    return {
      /** Also whether the query was misspelled. */
      async find(caller: Caller, query: string): Promise<{ rows: Details[]; isCorrected: boolean }> {
        authorize(caller, name === 'Aircraft' ? 'searchAircraft' : `search${name}s`, {})
        if (!isWithinLength(query, MAX_QUERY_LENGTH)) {
          throw new AppError('bad_request', texts.searchTooLong({ max: MAX_QUERY_LENGTH }))
        }
        const { ids, isCorrected } = await options.search(query)
        return { rows: options.byIds(ids).map(detailsOf), isCorrected }
      },
      async search(caller: Caller, query: string): Promise<Details[]> {
        return (await this.find(caller, query)).rows
      },
      get(caller: Caller, id: number): Details {
        decide(caller, 'get')
        return detailsOf(existing(id))
      },
      create: (caller: Caller, write: Write): Promise<Details> => changing(() => detailsOf(insertRow(caller, write))),
      /** Inside a transaction that writes reference data. */
      insert(caller: Caller, write: Write): Row {
        versions.countReferenceWrite()
        return insertRow(caller, write)
      },
      update(caller: Caller, id: number, write: Write): Promise<Details> {
        decide(caller, 'update')
        return change({ caller, id, write })
      },
      remove: (caller: Caller, id: number): Promise<void> =>
        changing(() => {
          decideAgain(caller, 'delete')
          own(id)
          if (rows.isUsed(id)) throw conflict(options.messages.used)
          rows.delete(id)
        }),
      own(caller: Caller, part: ListPart) {
        decide(caller, 'update')
        return rows.own(part)
      },
      countOwn(caller: Caller): number {
        decide(caller, 'update')
        return rows.countOwn()
      },
      /** Replaces all uses of a custom row by another row, then deletes it. */
      merge(caller: Caller, id: number, intoId: number): Promise<Merged<Row>> {
        decide(caller, 'update')
        decide(caller, 'delete')
        return mergeInto({ caller, id, intoId })
      },
    }
  }

  /** The airline that imports and flight numbers find by the code comes first. */
  async function searchAirlines(query: string): Promise<SearchResult> {
    const { ids, isCorrected } = await cache.search('airlines', query)
    const code = query.trim()
    const first =
      code.length > MAX_CODE_LENGTH ? undefined : (codes.airline(code, 'icao') ?? codes.airline(code, 'iata'))
    if (first === undefined) return { ids, isCorrected }
    return { ids: [...new Set([first, ...ids])].slice(0, MAX_RESULTS), isCorrected: false }
  }

  const sameName = ({ name, icao }: { name: string; icao: string | null }) =>
    icao === null ? texts.nameWithoutCodeExists({ name }) : texts.nameWithCodeExists({ name, icao })

  /** From newer files, or without files from the shipped data. */
  const update = (files?: ReferenceFiles): Promise<KindRenewal[]> => changing(() => renew(files))

  function renew(files?: ReferenceFiles): KindRenewal[] {
    const { report, changed } = renewReference(db, files)
    rowsChanged(changed)
    return report
  }

  async function loadShipped(): Promise<KindRenewal[]> {
    const isLoaded = () => loadedVersion(db) === shippedVersion()
    // Another process may have loaded it while this one waited for the lock.
    return isLoaded() ? [] : changing(() => (isLoaded() ? [] : renew()))
  }

  return {
    airports: kind<Airport, AirportWrite, AirportDetails>({
      name: 'Airport',
      noun: 'airport',
      messages: { shipped: texts.shippedAirport, same: texts.sameAirport, used: texts.usedAirport },
      store: store.airports,
      byIds: (ids) => cache.all('airports', ids),
      detailsOf: (airport) => ({ ...airport, ...store.airports.validity(airport) }),
      search: (query) => cache.search('airports', query),
      conflictMessage: ({ icao }) => texts.icaoTaken({ icao }),
      changed: (id) => rowsChanged({ airports: [id] }),
    }),
    airlines: kind<Airline, AirlineWrite, AirlineDetails>({
      name: 'Airline',
      noun: 'airline',
      messages: { shipped: texts.shippedAirline, same: texts.sameAirline, used: texts.usedAirline },
      store: store.airlines,
      byIds: (ids) => cache.all('airlines', ids),
      detailsOf: (airline) => ({ ...airline, ...store.airlines.validity(airline) }),
      search: searchAirlines,
      conflictMessage: sameName,
      changed: (id) => rowsChanged({ airlines: [id] }),
    }),
    aircraft: kind<Aircraft, AircraftWrite, Aircraft>({
      name: 'Aircraft',
      noun: 'aircraft type',
      messages: { shipped: texts.shippedAircraft, same: texts.sameAircraft, used: texts.usedAircraft },
      store: store.aircraft,
      byIds: (ids) => cache.all('aircraft', ids),
      detailsOf: (type) => type,
      search: (query) => cache.search('aircraft', query),
      conflictMessage: sameName,
      changed: (id) => rowsChanged({ aircraft: [id] }),
    }),
    records: cache.records,
    codes,
    validity: { airport: store.airports.validity, airline: store.airlines.validity },
    sourceIds: { airline: store.airlines.sourceId, aircraft: store.aircraft.sourceId },
    loadShipped,
    update,
    prepareSearch: cache.prepareSearch,
    /** For imports. Several airports if the name is ambiguous. */
    async airportsNamed(name: string): Promise<{ airports: AirportDetails[]; isWholeName: boolean }> {
      if (!isWithinLength(name, MAX_QUERY_LENGTH)) return { airports: [], isWholeName: false }
      const { ids, isWholeName } = await cache.airportsNamed(name)
      const airports = cache.all('airports', ids)
      return { airports: airports.map((row) => ({ ...row, ...store.airports.validity(row) })), isWholeName }
    },
  }
}
