import type { Db } from '../../../db/open.ts'
import { compareTexts } from '../../../lib/text.ts'
import { yielder } from '../../../lib/yield.ts'
import { type Airport, codeOf } from '../../reference/contract.ts'
import { idsInFlights } from '../../reference/kinds.ts'
import type { ReferenceService } from '../../reference/service.ts'
import { logStore } from '../store/log-store.ts'
import type { Period } from './target.ts'

// The order of codes does not reveal dates.

/** A user's flights, or those with a track, by the codes of origin and destination. */
export function flightsByCodes(db: Db) {
  const store = logStore(db)
  return async (userId: string, period: Period, which: 'all' | 'tracked'): Promise<number[]> => {
    const idsByCodes = new Map<string, number[]>()
    const turn = yielder()
    for (const rows of store.codes(userId, period, which)) {
      for (const { id, from, to } of rows) {
        const codes = `${from} ${to}`
        const ids = idsByCodes.get(codes)
        if (ids) ids.push(id)
        else idsByCodes.set(codes, [id])
      }
      if (turn.isOver()) await turn.end()
    }
    return [...idsByCodes]
      .sort(([left], [right]) => compareTexts(left, right))
      .flatMap(([, ids]) => ids.sort((left, right) => left - right))
  }
}

/** Directed: the way back is another route. */
interface FlownRoute {
  from: Airport
  to: Airport
  count: number
}

const byCodes = (a: FlownRoute, b: FlownRoute) =>
  compareTexts(codeOf(a.from), codeOf(b.from)) ||
  compareTexts(codeOf(a.to), codeOf(b.to)) ||
  a.from.id - b.from.id ||
  a.to.id - b.to.id

export function flownRoutes({ db, reference }: { db: Db; reference: ReferenceService }) {
  const store = logStore(db)
  return async (userId: string, period: Period = { from: null, to: null }): Promise<FlownRoute[]> => {
    const { add, airport } = reference.records.batch()
    const found = new Map<string, FlownRoute>()
    const turn = yielder()
    for (const rows of store.routes(userId, period)) {
      add(idsInFlights(rows))
      for (const { fromId, toId, count } of rows) {
        const key = `${fromId} ${toId}`
        const known = found.get(key)
        if (known) known.count += count
        else found.set(key, { from: airport(fromId)!, to: airport(toId)!, count })
      }
      if (turn.isOver()) await turn.end()
    }
    return [...found.values()].sort(byCodes)
  }
}
