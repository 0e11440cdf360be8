import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import type { VisitedCountry, VisitedCountryWrite } from './contract.ts'
import { visitedStore } from './store.ts'

export type VisitedService = ReturnType<typeof visitedService>

export function visitedService({ db }: { db: Db }) {
  const store = visitedStore(db)

  function list(caller: Caller): VisitedCountry[] {
    authorize(caller, 'listVisitedCountries', {})
    return store.list(caller.userId)
  }

  function put(caller: Caller, body: VisitedCountryWrite): VisitedCountry {
    authorize(caller, 'putVisitedCountry', {})
    return store.save(caller.userId, body)
  }

  function remove(caller: Caller, code: string): void {
    authorize(caller, 'deleteVisitedCountry', {})
    store.delete(caller.userId, code)
  }

  return { list, put, remove }
}
