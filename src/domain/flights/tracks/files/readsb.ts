import { distanceMeters } from '../../../../lib/geo.ts'
import { english } from '../../../../messages/english.ts'
import { type FilePoint, metresOfFeet, pointList, unreadable } from './points.ts'

interface Place {
  latitude: number
  longitude: number
}

/** Selects the leg of a trace, which has all flights of a day. */
export interface Ends {
  from: Place
  to: Place
}

const STALE = 1
const NEW_LEG = 2

const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)

/** `[seconds after the beginning, latitude, longitude, feet or "ground" or null, knots, degrees, flags, …]` */
function pointOf(row: readonly unknown[], beginning: number): FilePoint | undefined {
  const [after, latitude, longitude, height, speed, direction, flags] = row
  const [seconds, north, east, feet] = [number(after), number(latitude), number(longitude), number(height)]
  if (seconds === undefined || north === undefined || east === undefined) return undefined
  return {
    latitude: north,
    longitude: east,
    altitude: feet === undefined ? undefined : metresOfFeet(feet),
    time: Math.floor(beginning + seconds),
    groundSpeedKt: number(speed),
    trackDeg: number(direction),
    ground: height === 'ground',
    estimated: ((number(flags) ?? 0) & STALE) !== 0,
  }
}

const farFrom = (leg: readonly FilePoint[], { from, to }: Ends) =>
  distanceMeters(leg[0]!, from) + distanceMeters(leg.at(-1)!, to)

export function readReadsb(trace: { timestamp?: unknown; trace: readonly unknown[] }, ends: Ends): FilePoint[] {
  const beginning = number(trace.timestamp)
  if (beginning === undefined || beginning < 0 || beginning > 1e11) throw unreadable(english.tracks.noStartTime)
  const { points, add } = pointList()
  const starts = [0]
  for (const row of trace.trace) {
    if (!Array.isArray(row)) throw unreadable(english.tracks.tracePoint)
    if (((number(row[6]) ?? 0) & NEW_LEG) !== 0 && points.length > starts.at(-1)!) starts.push(points.length)
    const point = pointOf(row, beginning)
    if (point) add(point)
  }
  const legs = starts.map((start, index) => points.slice(start, starts[index + 1])).filter((leg) => leg.length > 1)
  if (legs.length === 0) return points
  return legs.reduce((best, leg) => (farFrom(leg, ends) < farFrom(best, ends) ? leg : best))
}
