import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { changeMarks } from '../../db/changes.ts'
import type { Db } from '../../db/open.ts'
import type { Clock } from '../../lib/clock.ts'
import { lru } from '../../lib/lru.ts'
import { concernsOthers, leavesMine, type Period, type Target, targetOf } from '../flights/target.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { Stats } from './contract.ts'
import { figures } from './figures.ts'
import { statsStore } from './store.ts'

export type StatsService = ReturnType<typeof statsService>

const MOST_KEPT = 200

/**
 * Figures hold until anything is written, or until another flight counts as completed: going through a large log takes
 * milliseconds in which nobody else is served, and dashboards ask again and again.
 */
interface Kept {
  mark: string
  stats: Stats
  from: number
  until: number
}

interface Dependencies {
  db: Db
  clock: Clock
  reference: ReferenceService
}

export function statsService({ db, clock, reference }: Dependencies) {
  const store = statsStore(db)
  const marks = changeMarks(db)
  const kept = lru<Kept>(MOST_KEPT)

  function compute(target: Target, now: number, period?: Period): Omit<Kept, 'mark'> {
    reference.records.refresh()
    const groups = store.groups(target, now, period)
    const next = groups.reduce((least, [, , , , , , , , at]) => Math.min(least, at ?? least), Number.POSITIVE_INFINITY)
    return { stats: Object.freeze(figures(groups, reference.records)), from: now, until: next }
  }

  /** For those who have decided already: pages and shares. */
  function of(target: Target, period?: Period): Stats {
    const name = JSON.stringify([target, period])
    const [mark, now] = [marks.any(), clock()]
    const known = kept.get(name)
    if (known?.mark === mark && known.from <= now && now <= known.until) return known.stats
    const made = { ...compute(target, now, period), mark }
    kept.set(name, made)
    return made.stats
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
