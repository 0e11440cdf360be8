import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../../db/open.ts'
import type { Position } from '../../lib/cursor.ts'
import { type LogScan, logScan } from './scan.ts'
import { type Selection, statsStore } from './store.ts'

/** Goes through whole logs, slice by slice. */
export function logReader(db: Db) {
  const store = statsStore(db)
  const inOneState = db.$client.transaction((read: () => LogScan) => read()).deferred

  /** Stops after every slice but the last one. */
  function* slices(selection: Selection, now: number): Generator<undefined, LogScan> {
    const scan = logScan(now)
    let after: Position | undefined
    for (;;) {
      const { rows, end } = store.slice(selection, after)
      scan.add(rows)
      if (!end) return scan.result()
      after = end
      yield
    }
  }

  /** While others are served; what they write meanwhile may be counted as it was or as it is. */
  async function inTurns(selection: Selection, now: number): Promise<LogScan> {
    const work = slices(selection, now)
    for (;;) {
      const { done, value } = work.next()
      if (done) return value
      await nextTurn()
    }
  }

  /** All of it as it is at this moment. */
  function sync(selection: Selection, now: number): LogScan {
    const work = slices(selection, now)
    return inOneState(() => {
      for (;;) {
        const { done, value } = work.next()
        if (done) return value
      }
    })
  }

  return { inTurns, sync }
}
