import { compareTexts } from '../../lib/text.ts'
import { effectiveTimes } from '../flights/times.ts'

type Timed = Parameters<typeof effectiveTimes>[0] & { id: number; date: string }

/** By date, effective departure (unknown ones last), then id. */
export function inTravelOrder<Leg extends Timed>(legs: readonly Leg[]): Leg[] {
  const departures = new Map(legs.map((leg) => [leg, effectiveTimes(leg).departed ?? Number.POSITIVE_INFINITY]))
  return legs.toSorted((a, b) => {
    const byDate = compareTexts(a.date, b.date)
    if (byDate !== 0) return byDate
    const [first, second] = [departures.get(a)!, departures.get(b)!]
    return first === second ? a.id - b.id : first - second
  })
}
