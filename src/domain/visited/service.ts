import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { writing } from '../../db/writing.ts'
import type { FlightFilter } from '../flights/filter-contract.ts'
import { continentOf } from '../reference/countries.ts'
import type { CountryVisits } from '../stats/countries.ts'
import type { StatsService } from '../stats/service.ts'
import type { CountryRecord, VisitedCountry, VisitedCountryWrite } from './contract.ts'
import { visitedStore } from './store.ts'

/** With how much of the first and the last day is known, for pages. */
export type KnownCountry = CountryRecord &
  Record<'firstPrecision' | 'lastPrecision', CountryVisits['firstPrecision'] | undefined>

export type VisitedService = ReturnType<typeof visitedService>

export function visitedService({ db, stats }: { db: Db; stats: StatsService }) {
  const store = visitedStore(db)

  function list(caller: Caller): VisitedCountry[] {
    authorize(caller, 'listVisitedCountries', {})
    return store.list(caller.userId)
  }

  function put(caller: Caller, body: VisitedCountryWrite): VisitedCountry {
    authorize(caller, 'putVisitedCountry', {})
    return writing(db, () => store.save(caller.userId, body))
  }

  function remove(caller: Caller, code: string): void {
    authorize(caller, 'deleteVisitedCountry', {})
    writing(db, () => store.delete(caller.userId, code))
  }

  /** What the flights that the filter lets through tell and what was entered by hand, together; nothing is written by it. */
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

  /** The same as records of the API. */
  const countries = async (caller: Caller): Promise<CountryRecord[]> =>
    (await known(caller)).map(({ firstPrecision: _, lastPrecision: __, ...record }) => record)

  return { list, put, remove, known, countries }
}
