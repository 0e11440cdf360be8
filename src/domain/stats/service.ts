import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import type { Clock } from '../../lib/clock.ts'
import { concernsOthers, leavesMine, type Period, type Target, targetOf } from '../flights/target.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { Stats } from './contract.ts'
import { figures } from './figures.ts'
import { statsStore } from './store.ts'

export type StatsService = ReturnType<typeof statsService>

interface Dependencies {
  db: Db
  clock: Clock
  reference: ReferenceService
}

export function statsService({ db, clock, reference }: Dependencies) {
  const store = statsStore(db)

  /** For those who have decided already: pages and shares. */
  function of(target: Target, period?: Period): Stats {
    reference.records.refresh()
    return figures(store.groups(target, clock(), period), reference.records)
  }

  function get(caller: Caller, query: { scope: string; userId?: string | undefined }): Stats {
    authorize(caller, 'getStats', { otherUsers: concernsOthers(caller, query) })
    return of(targetOf(caller, query))
  }

  /** The same for the legacy API. */
  function getLegacy(caller: Caller, query: { scope: string; userId?: string | undefined }): Stats {
    authorize(caller, 'getStats', { otherUsers: leavesMine(query) })
    return of(targetOf(caller, query))
  }

  return { get, getLegacy, of }
}
