import { eq, inArray, sql } from 'drizzle-orm'
import { authorize } from '../../../access/authorize.ts'
import type { Caller } from '../../../access/caller.ts'
import type { Db } from '../../../db/open.ts'
import { jsonList, named, statements } from '../../../db/statements.ts'
import { passengers, users } from '../../../db/tables/index.ts'
import { inChunks } from '../../../lib/chunks.ts'
import type { Clock } from '../../../lib/clock.ts'
import { compareTexts, fold } from '../../../lib/text.ts'
import { yielder } from '../../../lib/yield.ts'
import type { flightScan } from './scan.ts'

/** Values that occur in a log; years newest first. */
export interface FilterChoices {
  years: readonly string[]
  fromIds: readonly number[]
  toIds: readonly number[]
  airlineIds: readonly number[]
  aircraftIds: readonly number[]
  companions: readonly { id: string; displayName: string }[]
}

/** Longer lists are useless and slow to render; the search finds the rest. */
const MAX_CHOICES = 200
/** Flights per read; each can have 500 passengers. */
const FLIGHTS_WITH_PEOPLE = 500
const READ = ['id', 'date', 'fromId', 'toId', 'airlineId', 'aircraftId'] as const

function counter() {
  const counts = new Map<number, number>()
  return {
    add: (id: number | null) => {
      if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1)
    },
    most: (): number[] => {
      const ids = [...counts.keys()]
      if (ids.length <= MAX_CHOICES) return ids
      return ids.sort((a, b) => counts.get(b)! - counts.get(a)! || a - b).slice(0, MAX_CHOICES)
    },
  }
}

interface Dependencies {
  db: Db
  clock: Clock
  scan: ReturnType<typeof flightScan>
}

/** What the user's own log offers to filter by. */
export function filterChoices({ db, clock, scan }: Dependencies) {
  const usersAboard = statements(db).rows(
    db
      .selectDistinct(named({ id: users.id, displayName: users.displayName }))
      .from(passengers)
      .innerJoin(users, eq(users.id, passengers.userId))
      .where(inArray(passengers.flightId, jsonList(sql.placeholder('ids')))),
  )

  return async function mine(caller: Caller): Promise<FilterChoices> {
    authorize(caller, 'listFlights', { otherUsers: false })
    const { userId } = caller
    const [from, to, airlines, types] = [counter(), counter(), counter(), counter()]
    const years = new Set<string>()
    const people = new Map<string, string>()
    const turn = yielder()
    for (const slice of scan.figures({ target: { userId }, filter: {} }, clock(), READ)) {
      for (const { date, fromId, toId, airlineId, aircraftId } of slice) {
        years.add(date.slice(0, 4))
        from.add(fromId)
        to.add(toId)
        airlines.add(airlineId)
        types.add(aircraftId)
      }
      for (const some of inChunks(slice, FLIGHTS_WITH_PEOPLE)) {
        if (people.size > MAX_CHOICES) break
        const ids = JSON.stringify(some.map(({ id }) => id))
        for (const { id, displayName } of usersAboard.all({ ids })) people.set(id, displayName)
        if (turn.isOver()) await turn.end()
      }
      if (turn.isOver()) await turn.end()
    }
    people.delete(userId)
    const companions = [...people].slice(0, MAX_CHOICES).map(([id, displayName]) => ({ id, displayName }))
    return {
      years: [...years],
      fromIds: from.most(),
      toIds: to.most(),
      airlineIds: airlines.most(),
      aircraftIds: types.most(),
      companions: companions.sort((a, b) => compareTexts(fold(a.displayName), fold(b.displayName))),
    }
  }
}
