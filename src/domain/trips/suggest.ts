import { daysBetween } from '../../lib/dates.ts'
import { distanceMeters } from '../../lib/geo.ts'
import { codePoints } from '../../lib/text.ts'
import type { Airport } from '../reference/contract.ts'
import { MAX_FLIGHTS, MAX_NAME_LENGTH, type TripSuggestion } from './contract.ts'

const MAX_GAP_DAYS = 45
const MAX_HOME_METERS = 100_000
const MAX_SUGGESTIONS = 50

export interface Leg {
  id: number
  date: string
  from: Airport
  to: Airport
}

/** API and tool texts are English (contract 17.7). */
const monthFormat = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

function farthestFrom(home: Airport, legs: readonly Leg[]): Airport {
  let [farthest, meters] = [home, 0]
  for (const airport of legs.flatMap(({ from, to }) => [from, to])) {
    const distance = distanceMeters(home, airport)
    if (distance > meters) [farthest, meters] = [airport, distance]
  }
  return farthest
}

/** Shortens the name so that a trip accepts it. */
function cut(place: string, max: number): string {
  return codePoints(place) <= max ? place : `${[...place].slice(0, max - 1).join('')}…`
}

function suggestion(legs: readonly Leg[]): TripSuggestion {
  const [first, last] = [legs[0]!, legs.at(-1)!]
  const { municipality, name } = farthestFrom(first.from, legs)
  const month = `, ${monthFormat.format(Date.parse(first.date))}`
  return {
    name: cut(municipality ?? name, MAX_NAME_LENGTH - month.length) + month,
    flightIds: legs.map(({ id }) => id),
    dateFrom: first.date,
    dateTo: last.date,
  }
}

/** Finds round journeys among legs that are added in travel order (contract 17.2). */
export function journeyFinder() {
  let group: Leg[] = []
  const found: TripSuggestion[] = []

  function add(leg: Leg): void {
    const previous = group.at(-1)
    if (previous && daysBetween(previous.date, leg.date)! > MAX_GAP_DAYS) group = []
    group.push(leg)
    if (distanceMeters(group[0]!.from, leg.to) > MAX_HOME_METERS) return
    if (group.length > 1 && group.length <= MAX_FLIGHTS) found.push(suggestion(group))
    if (found.length > MAX_SUGGESTIONS) found.shift()
    group = []
  }

  return { add, newestFirst: () => found.toReversed() }
}
