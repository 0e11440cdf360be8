import { authorize } from '../../access/authorize.ts'
import type { Caller, CurrentCaller } from '../../access/caller.ts'
import { INLINE_ROW_LIMIT, type LongWrites } from '../../db/long-writes.ts'
import type { Db } from '../../db/open.ts'
import { dataVersion } from '../../db/version.ts'
import { write } from '../../db/write.ts'
import { AppError, conflict, invalid, notFound } from '../../lib/errors.ts'
import { isWithinLength } from '../../lib/text.ts'
import { referenceCache } from './cache.ts'
import { codeLookup } from './codes.ts'
import {
  type Aircraft,
  type AircraftWrite,
  type Airline,
  type AirlineWrite,
  type Airport,
  type AirportWrite,
  MAX_QUERY_LENGTH,
} from './contract.ts'
import { type ChangedRows, type KindRenewal, loadedVersion, type ReferenceFiles, renewReference } from './load.ts'
import { MAX_RESULTS } from './search/find.ts'
import { shippedVersion } from './shipped.ts'
import { type ListPart, type RowStore, referenceStore } from './store.ts'

/** Of an airline, with the star that some have. */
const LONGEST_CODE = 3

interface KindOptions<Row extends { id: number; custom: boolean }, Write> {
  /** As in the operation ids. */
  name: 'Airport' | 'Airline' | 'Aircraft'
  /** As in sentences. */
  noun: string
  store: RowStore<Row, Write>
  byIds: (ids: readonly number[]) => Row[]
  search: (query: string) => Promise<number[]>
  /** Says what another row has already. */
  conflictMessage: (write: Write) => string
  changed: (id: number) => void
}

/** The row that took the place of another one, and how many flights it got. */
export interface Merged<Row> {
  into: Row
  flights: number
}

export type ReferenceService = ReturnType<typeof referenceService>

interface Dependencies {
  db: Db
  /** Brings up to date what depends on the values of these rows, in the same transaction. */
  rowsChanged: (rows: ChangedRows & { flights?: readonly number[] }) => void
  longWrites: LongWrites
  currentCaller: CurrentCaller
}

export function referenceService({ db, rowsChanged, longWrites, currentCaller }: Dependencies) {
  const store = referenceStore(db)
  const cache = referenceCache(db, store)
  const codes = codeLookup(db)
  const versions = dataVersion(db)

  /** A write to reference data: one transaction, which is counted in the database for everybody. */
  async function changing<Result>(what: 'one row of the instance' | 'everything', work: () => Result): Promise<Result> {
    const { done, before, after } = await write(db, 'reference', () => {
      const before = versions.referenceState()
      const done = work()
      versions.countReferenceWrite()
      return { done, before, after: versions.referenceState() }
    })
    if (what === 'one row of the instance') cache.shippedStays(before, after)
    return done
  }

  function kind<Row extends { id: number; custom: boolean }, Write>(options: KindOptions<Row, Write>) {
    const { name, noun, store: rows } = options
    const decide = (caller: Caller, verb: 'get' | 'create' | 'update' | 'delete') =>
      authorize(caller, `${verb}${name}`, {})
    /** Inside the transaction, since the role may have changed while the write waited for an import. */
    const decideAgain = (caller: Caller, verb: 'create' | 'update' | 'delete') => decide(currentCaller(caller), verb)

    function existing(id: number): Row {
      const row = rows.find(id)
      if (!row) throw notFound(noun)
      return row
    }

    function own(id: number): Row {
      const row = existing(id)
      if (row.custom) return row
      throw conflict(`This ${noun} is part of the shipped data; only "paxlog reference update" changes it.`)
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
      run: ({ caller, id, write }: { caller: Caller; id: number; write: Write }): Promise<Row> =>
        changing('one row of the instance', () => {
          decideAgain(caller, 'update')
          own(id)
          requireUnique(write, id)
          rows.update(id, write)
          options.changed(id)
          return existing(id)
        }),
      isLong,
    })

    const mergeInto = longWrites.declare({
      name: `merge an ${noun}`,
      run: ({ caller, id, intoId }: { caller: Caller; id: number; intoId: number }): Promise<Merged<Row>> =>
        changing('one row of the instance', () => {
          decideAgain(caller, 'update')
          decideAgain(caller, 'delete')
          own(id)
          const into = existing(intoId)
          if (intoId === id) throw invalid('Nothing was merged.', ['into'], `Choose another ${noun} than this one.`)
          const flights = rows.repoint(id, intoId)
          rowsChanged({ flights })
          rows.delete(id)
          return { into, flights: flights.length }
        }),
      isLong,
    })

    return {
      async search(caller: Caller, query: string): Promise<Row[]> {
        authorize(caller, name === 'Aircraft' ? 'searchAircraft' : `search${name}s`, {})
        if (!isWithinLength(query, MAX_QUERY_LENGTH)) {
          throw new AppError('bad_request', `A search has at most ${MAX_QUERY_LENGTH} characters.`)
        }
        // A row may have gone since it was found.
        return options.byIds(await options.search(query))
      },
      get(caller: Caller, id: number): Row {
        decide(caller, 'get')
        return existing(id)
      },
      create: (caller: Caller, write: Write): Promise<Row> =>
        changing('one row of the instance', () => insertRow(caller, write)),
      /** The same inside a transaction that writes reference data. */
      insert(caller: Caller, write: Write): Row {
        versions.countReferenceWrite()
        return insertRow(caller, write)
      },
      update(caller: Caller, id: number, write: Write): Promise<Row> {
        decide(caller, 'update')
        return change({ caller, id, write })
      },
      remove: (caller: Caller, id: number): Promise<void> =>
        changing('one row of the instance', () => {
          decideAgain(caller, 'delete')
          own(id)
          if (rows.isUsed(id)) throw conflict(`A flight or a custom value uses this ${noun}.`)
          rows.delete(id)
        }),
      /** Rows that were made on this instance, for those who may change them. */
      own(caller: Caller, part: ListPart) {
        decide(caller, 'update')
        return rows.own(part)
      },
      countOwn(caller: Caller): number {
        decide(caller, 'update')
        return rows.countOwn()
      },
      /** Everything that uses a row of the instance uses another one from now on, and the row is gone. */
      merge(caller: Caller, id: number, intoId: number): Promise<Merged<Row>> {
        decide(caller, 'update')
        decide(caller, 'delete')
        return mergeInto({ caller, id, intoId })
      },
    }
  }

  /** Who types a code means the carrier that an import, the legacy API and a flight number mean by it. */
  async function searchAirlines(query: string): Promise<number[]> {
    const found = await cache.search('airlines', query)
    const code = query.trim()
    const meant = code.length > LONGEST_CODE ? undefined : (codes.airline(code, 'icao') ?? codes.airline(code, 'iata'))
    if (meant === undefined || meant === found[0]) return found
    return [meant, ...found.filter((id) => id !== meant)].slice(0, MAX_RESULTS)
  }

  const sameName = ({ name, icao }: { name: string; icao: string | null }) =>
    `There is already one named ${name} with ${icao === null ? 'no ICAO code' : `the ICAO code ${icao}`}.`

  /** For the operator: from the shipped data, or from newer files. */
  const update = (files?: ReferenceFiles): Promise<KindRenewal[]> => changing('everything', () => renew(files))

  function renew(files?: ReferenceFiles): KindRenewal[] {
    const { report, changed } = renewReference(db, files)
    rowsChanged(changed)
    return report
  }

  /** At start: does nothing when the tables already hold what this version ships. */
  async function loadShipped(): Promise<KindRenewal[]> {
    const isLoaded = () => loadedVersion(db) === shippedVersion()
    // Another process that started at the same time may have loaded it while this one waited for the lock.
    return isLoaded() ? [] : changing('everything', () => (isLoaded() ? [] : renew()))
  }

  return {
    airports: kind<Airport, AirportWrite>({
      name: 'Airport',
      noun: 'airport',
      store: store.airports,
      byIds: (ids) => cache.all('airports', ids),
      search: (query) => cache.search('airports', query),
      conflictMessage: ({ icao }) => `The ICAO code ${icao} is taken by another airport.`,
      changed: (id) => rowsChanged({ airports: [id] }),
    }),
    airlines: kind<Airline, AirlineWrite>({
      name: 'Airline',
      noun: 'airline',
      store: store.airlines,
      byIds: (ids) => cache.all('airlines', ids),
      search: searchAirlines,
      conflictMessage: sameName,
      changed: (id) => rowsChanged({ airlines: [id] }),
    }),
    aircraft: kind<Aircraft, AircraftWrite>({
      name: 'Aircraft',
      noun: 'aircraft type',
      store: store.aircraft,
      byIds: (ids) => cache.all('aircraft', ids),
      search: (query) => cache.search('aircraft', query),
      conflictMessage: sameName,
      changed: (id) => rowsChanged({ aircraft: [id] }),
    }),
    /** Records by id for other services, from the cache. */
    records: {
      airport: cache.airport,
      airline: cache.airline,
      aircraft: cache.aircraft,
      batch: cache.batch,
    },
    /** Rows by the codes and names that files use. */
    codes,
    /** Ids in the shipped data, for exports. */
    sourceIds: { airline: store.airlines.sourceId, aircraft: store.aircraft.sourceId },
    loadShipped,
    update,
    prepareSearch: cache.prepareSearch,
  }
}
