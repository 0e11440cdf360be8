import { authorize } from '../../access/authorize.ts'
import type { Caller, CurrentCaller } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { FlightFilter } from '../flights/query/filter-contract.ts'
import { continentOf } from '../reference/countries.ts'
import type { CountryVisits } from '../stats/countries.ts'
import type { StatsService } from '../stats/service.ts'
import type { CountryRecord, VisitedCountry, VisitedCountryWrite } from './contract.ts'
import { visitedStore } from './store.ts'

export type KnownCountry = CountryRecord &
  Record<'firstPrecision' | 'lastPrecision', CountryVisits['firstPrecision'] | undefined>

interface Dependencies {
  db: Db
  stats: StatsService
  currentCaller: CurrentCaller
}

export type VisitedService = ReturnType<typeof visitedService>

export function visitedService({ db, stats, currentCaller }: Dependencies) {
  const store = visitedStore(db)

  function list(caller: Caller): VisitedCountry[] {
    authorize(caller, 'listVisitedCountries', {})
    return store.list(caller.userId)
  }

  function put(caller: Caller, body: VisitedCountryWrite): Promise<VisitedCountry> {
    return write(db, 'accounts', () => {
      authorize(currentCaller(caller), 'putVisitedCountry', {})
      return store.save(caller.userId, body)
    })
  }

  function remove(caller: Caller, code: string): Promise<void> {
    return write(db, 'accounts', () => {
      authorize(currentCaller(caller), 'deleteVisitedCountry', {})
      store.delete(caller.userId, code)
    })
  }

  async function known(caller: Caller, filter: FlightFilter = {}): Promise<KnownCountry[]> {
    authorize(caller, 'listCountries', {})
    const derived = new Map((await stats.countriesOf(caller.userId, filter)).map((visits) => [visits.code, visits]))
    const entered = new Map(store.list(caller.userId).map((record) => [record.code, record]))
    const codes = [...new Set([...derived.keys(), ...entered.keys()])].sort()
    return codes.map((code) => {
      const [visits, record] = [derived.get(code), entered.get(code)]
      return {
        code,
        continent: continentOf(code),
        derived: visits !== undefined,
        airports: visits?.airports ?? 0,
        flights: visits?.flights ?? 0,
        firstDate: visits?.firstDate ?? null,
        lastDate: visits?.lastDate ?? null,
        status: record?.status ?? null,
        note: record?.note ?? null,
        firstPrecision: visits?.firstPrecision,
        lastPrecision: visits?.lastPrecision,
      }
    })
  }

  const countries = async (caller: Caller): Promise<CountryRecord[]> =>
    (await known(caller)).map(({ firstPrecision: _, lastPrecision: __, ...record }) => record)

  return { list, put, remove, known, countries }
}
