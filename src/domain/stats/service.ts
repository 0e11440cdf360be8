import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { dataCache } from '../../db/data-cache.ts'
import type { DataVersion } from '../../db/data-version.ts'
import type { Db } from '../../db/open.ts'
import type { Clock } from '../../lib/clock.ts'
import { concernsOthers, legacyConcernsOthers, type Period, type Target, targetOf } from '../flights/target.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { Stats } from './contract.ts'
import { figures } from './figures.ts'
import { logReader } from './log.ts'
import type { LogScan } from './scan.ts'
import type { Selection } from './store.ts'

export type StatsService = ReturnType<typeof statsService>

const MAX_CACHE_BYTES = 1024 * 1024
const BYTES_OF_FIGURES = 2 * 1024
/** How often a log that is written meanwhile is gone through in turns. */
const MAX_SCANS = 2
/** A log of this length can be gone through in one go while everybody else waits: some 30 ms. */
const MAX_ROWS_AT_ONCE = 20_000
const EVER = { from: null, to: null }

/** Figures hold until a flight is written, or until another one counts as completed: dashboards ask again and again. */
interface Kept {
  stats: Stats
  from: number
  until: number
}

interface Scanned extends Kept {
  rows: number
  /** Of the data when the scan began. */
  version: DataVersion
}

interface Dependencies {
  db: Db
  clock: Clock
  reference: ReferenceService
}

export function statsService({ db, clock, reference }: Dependencies) {
  const log = logReader(db)
  const cache = dataCache<Kept>(db, { part: 'flights', maxBytes: MAX_CACHE_BYTES, sizeOf: () => BYTES_OF_FIGURES })
  const running = new Map<string, Promise<Scanned>>()

  /** Kept where nothing was written since the scan began. */
  function keep(name: string, version: DataVersion, scan: LogScan): Scanned {
    const { rows, from, until } = scan
    const stats = figures(scan, reference.records)
    if (cache.version() === version) cache.set(name, { stats, from, until }, version)
    return { stats, from, until, rows, version }
  }

  async function scan(name: string, selection: Selection): Promise<Scanned> {
    const version = cache.version()
    try {
      return keep(name, version, await log.inTurns(selection, clock()))
    } finally {
      running.delete(name)
    }
  }

  /** Whoever asks for the same log waits for the same scan. */
  function shared(name: string, selection: Selection): Promise<Scanned> {
    const started = running.get(name) ?? scan(name, selection)
    running.set(name, started)
    return started
  }

  function scanNow(name: string, selection: Selection): Stats {
    const version = cache.version()
    return keep(name, version, log.sync(selection, clock())).stats
  }

  /** For those who have decided already: pages and shares. */
  async function of(target: Target, period: Period = EVER): Promise<Stats> {
    const name = JSON.stringify([target, period])
    const selection = { target, period }
    const asked = cache.version() ?? 0
    let last: Scanned | undefined
    for (let scans = 0; ; scans++) {
      const now = clock()
      const known = cache.get(name)
      if (known && known.from <= now && now <= known.until) return known.stats
      if (last && scans >= MAX_SCANS) {
        // Somebody writes all the time. A long log is answered for as it was found by a scan that began after the question.
        if (last.rows <= MAX_ROWS_AT_ONCE) return scanNow(name, selection)
        if ((last.version ?? 0) >= asked) return last.stats
      }
      last = await shared(name, selection)
    }
  }

  async function get(caller: Caller, query: { scope: string; userId?: string | undefined }): Promise<Stats> {
    authorize(caller, 'getStats', { otherUsers: concernsOthers(caller, query) })
    return of(targetOf(caller, query))
  }

  /** The same for the legacy API. */
  async function getLegacy(caller: Caller, query: { scope: string; userId?: string | undefined }): Promise<Stats> {
    authorize(caller, 'getStats', { otherUsers: legacyConcernsOthers(query) })
    return of(targetOf(caller, query))
  }

  return { get, getLegacy, of }
}
