import { blockOf } from '../../db/flight-changes.ts'
import type { Row } from './store.ts'

/** How often something was met, and in which flight first, since ties go to the first. */
export interface Met {
  id: number
  count: number
  firstId: number
}

export interface MetRoute {
  fromId: number
  toId: number
  count: number
  firstId: number
}

/** The completed flights of a log, counted up. */
export interface Counts {
  flights: number
  meters: number
  seconds: number
  routes: MetRoute[]
  airlines: Met[]
  aircraft: Met[]
}

/** The flights of a log in one block of ids. Unless they are written, they count alike from one instant to another. */
interface Part {
  /** For each completed flight four members: its id, and the numbers of its route, airline and aircraft type. */
  completed: number[]
  meters: number
  seconds: number
  from: number
  until: number
}

const MEMBERS = 4
const NONE = 0
/** Far more airports than a log has, and pairs of them are still exact numbers. */
const AIRPORTS = 2 ** 26

/** Gives every key a small number above NONE, so that counting is adding in a list. */
function numbering() {
  const numbers = new Map<number, number>()
  const keys: number[] = [Number.NaN]
  return {
    keys,
    of(key: number): number {
      const known = numbers.get(key)
      if (known !== undefined) return known
      numbers.set(key, keys.length)
      return keys.push(key) - 1
    },
  }
}

function counting(keys: readonly number[]) {
  const counts = new Float64Array(keys.length)
  const firstIds = new Float64Array(keys.length).fill(Number.POSITIVE_INFINITY)
  return {
    add(number: number, id: number): void {
      counts[number]!++
      if (id < firstIds[number]!) firstIds[number] = id
    },
    met(): Met[] {
      const met: Met[] = []
      for (let number = NONE + 1; number < keys.length; number++) {
        if (counts[number]! > 0) met.push({ id: keys[number]!, count: counts[number]!, firstId: firstIds[number]! })
      }
      return met
    },
  }
}

export type Parts = ReturnType<typeof logParts>

/** A log in parts of which each can be replaced; no flight is kept but as four small numbers. */
export function logParts() {
  const parts = new Map<number, Part>()
  const [airports, routes, airlines, aircraft] = [numbering(), numbering(), numbering(), numbering()]
  const numberOf = (numbers: typeof airlines, id: number | null) => (id === null ? NONE : numbers.of(id))

  function partOf(id: number, now: number): Part {
    const block = blockOf(id)
    const part = parts.get(block) ?? {
      completed: [],
      meters: 0,
      seconds: 0,
      from: now,
      until: Number.POSITIVE_INFINITY,
    }
    parts.set(block, part)
    return part
  }

  function add(rows: readonly Row[], now: number): void {
    for (const [id, , fromId, toId, airlineId, aircraftId, meters, seconds, completedFrom] of rows) {
      const part = partOf(id, now)
      if (completedFrom >= now) {
        part.until = Math.min(part.until, completedFrom)
        continue
      }
      const route = routes.of(airports.of(fromId) * AIRPORTS + airports.of(toId))
      part.completed.push(id, route, numberOf(airlines, airlineId), numberOf(aircraft, aircraftId))
      part.meters += meters ?? 0
      part.seconds += seconds ?? 0
    }
  }

  function counts(): Counts {
    const [route, airline, type] = [counting(routes.keys), counting(airlines.keys), counting(aircraft.keys)]
    let [flights, meters, seconds] = [0, 0, 0]
    for (const { completed, ...sums } of parts.values()) {
      flights += completed.length / MEMBERS
      meters += sums.meters
      seconds += sums.seconds
      for (let at = 0; at < completed.length; at += MEMBERS) {
        const id = completed[at]!
        route.add(completed[at + 1]!, id)
        airline.add(completed[at + 2]!, id)
        type.add(completed[at + 3]!, id)
      }
    }
    const ends = ({ id, count, firstId }: Met): MetRoute => ({
      fromId: airports.keys[Math.floor(id / AIRPORTS)]!,
      toId: airports.keys[id % AIRPORTS]!,
      count,
      firstId,
    })
    return { flights, meters, seconds, routes: route.met().map(ends), airlines: airline.met(), aircraft: type.met() }
  }

  const windows = () => [...parts.values()]

  return {
    add,
    replace(block: number, rows: readonly Row[], now: number): void {
      parts.delete(block)
      add(rows, now)
    },
    counts,
    /** Those in which a flight counts differently at another time than the one they were read for. */
    outdated: (now: number): number[] =>
      [...parts].flatMap(([block, { from, until }]) => (from <= now && now <= until ? [] : [block])),
    /** How long the whole stays as it is. */
    window: () => ({
      from: windows().reduce((latest, { from }) => Math.max(latest, from), Number.NEGATIVE_INFINITY),
      until: windows().reduce((earliest, { until }) => Math.min(earliest, until), Number.POSITIVE_INFINITY),
    }),
    flights: () => windows().reduce((sum, { completed }) => sum + completed.length / MEMBERS, 0),
  }
}
