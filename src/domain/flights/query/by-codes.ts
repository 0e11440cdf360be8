import { eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../../db/open.ts'
import { named, statements } from '../../../db/statements.ts'
import { airports, flights, flightTracks, passengers } from '../../../db/tables/index.ts'
import { compareTexts } from '../../../lib/text.ts'
import { yielder } from '../../../lib/yield.ts'
import { inRange, logRanges } from './ranges.ts'
import type { Period } from './target.ts'

/** A user's flights by the codes of origin and destination: an order that does not reveal dates. */
export function flightsByCodes(db: Db) {
  const [origin, destination] = [alias(airports, 'origin'), alias(airports, 'destination')]
  const { rows } = statements(db)
  const rangesOf = logRanges(db)
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
    all: rows(coded().where(inRange)),
    tracked: rows(coded().innerJoin(flightTracks, eq(flightTracks.flightId, flights.id)).where(inRange)),
  }

  /** All flights, or those with a track. */
  return async (userId: string, period: Period, which: keyof typeof inPart): Promise<number[]> => {
    const idsByCodes = new Map<string, number[]>()
    const turn = yielder()
    for (const range of rangesOf(userId, period)) {
      for (const { id, from, to } of inPart[which].all({ ...range })) {
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
