import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { dataCache } from '../../db/data-cache.ts'
import type { Db } from '../../db/open.ts'
import { named, statements } from '../../db/statements.ts'
import { airports, flights, flightTracks, passengers } from '../../db/tables/index.ts'
import { compareTexts } from '../../lib/text.ts'
import { sortYielding, yielder } from '../../lib/yield.ts'
import { inStretch, logStretches } from './stretches.ts'
import type { Period } from './target.ts'

const MAX_CACHE_BYTES = 4 * 1024 * 1024
const BYTES_OF_LIST = 200
const BYTES_OF_ID = 8

interface Coded {
  id: number
  from: string
  to: string
}

const byCodes = (a: Coded, b: Coded) => compareTexts(a.from, b.from) || compareTexts(a.to, b.to) || a.id - b.id

/** A user's flights by the codes of origin and destination: an order that tells nothing of dates. */
export function flightsByCodes(db: Db) {
  const [origin, destination] = [alias(airports, 'origin'), alias(airports, 'destination')]
  const { rows } = statements(db)
  const stretchesOf = logStretches(db)
  const coded = () =>
    db
      .select(
        named({
          id: flights.id,
          from: sql<string>`coalesce(${origin.iata}, ${origin.icao})`,
          to: sql<string>`coalesce(${destination.iata}, ${destination.icao})`,
        }),
      )
      .from(passengers)
      .innerJoin(flights, eq(flights.id, passengers.flightId))
      .innerJoin(origin, eq(origin.id, flights.fromId))
      .innerJoin(destination, eq(destination.id, flights.toId))
  const inPart = {
    all: rows(coded().where(inStretch)),
    tracked: rows(coded().innerJoin(flightTracks, eq(flightTracks.flightId, flights.id)).where(inStretch)),
  }
  const cache = dataCache<readonly number[]>(db, {
    part: 'flights',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ length }) => BYTES_OF_LIST + length * BYTES_OF_ID,
  })

  async function read(userId: string, period: Period, which: keyof typeof inPart): Promise<readonly number[]> {
    const found: Coded[] = []
    const turn = yielder()
    for (const stretch of stretchesOf(userId, period)) {
      found.push(...inPart[which].all({ ...stretch }))
      if (turn.isOver()) await turn.end()
    }
    return (await sortYielding(found, byCodes)).map(({ id }) => id)
  }

  /** All of them, or those that have a track. */
  return (userId: string, period: Period, which: keyof typeof inPart): Promise<readonly number[]> =>
    cache.load(JSON.stringify([userId, period.from, period.to, which]), () => read(userId, period, which))
}
