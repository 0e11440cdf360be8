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
import { logReader, type Passed } from './log.ts'
import type { Parts } from './parts.ts'

export type StatsService = ReturnType<typeof statsService>

const MOST_KEPT = 200
/** How often a log is gone through in turns before it is done in one go, whoever writes beside. */
const MOST_PASSES = 2
const EVER = { from: null, to: null }

/**
 * Figures hold until anything is written, or until another flight counts as completed: dashboards ask again and again.
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
  const log = logReader(db)
  const marks = changeMarks(db)
  const kept = lru<Kept>(MOST_KEPT)

  function compute(parts: Parts): Omit<Kept, 'mark'> {
    reference.records.refresh()
    return { stats: Object.freeze(figures(parts.counts(), reference.records)), ...parts.window() }
  }

  /** For those who have decided already: pages and shares. */
  async function of(target: Target, period: Period = EVER): Promise<Stats> {
    const name = JSON.stringify([target, period])
    const selection = { target, period }
    let passed: Passed | undefined
    for (let passes = 0; ; passes++) {
      const [mark, now] = [marks.any(), clock()]
      const known = kept.get(name)
      if (known?.mark === mark && known.from <= now && now <= known.until) return known.stats
      const made = log.read(name, selection, { now, passed, hurry: passes === MOST_PASSES, use: compute })
      if (made) {
        kept.set(name, { ...made, mark })
        return made.stats
      }
      passed = await log.pass(name, selection, now)
    }
  }

  async function get(caller: Caller, query: { scope: string; userId?: string | undefined }): Promise<Stats> {
    authorize(caller, 'getStats', { otherUsers: concernsOthers(caller, query) })
    return of(targetOf(caller, query))
  }

  /** The same for the legacy API. */
  async function getLegacy(caller: Caller, query: { scope: string; userId?: string | undefined }): Promise<Stats> {
    authorize(caller, 'getStats', { otherUsers: leavesMine(query) })
    return of(targetOf(caller, query))
  }

  return { get, getLegacy, of }
}
