import { english } from '../../../../messages/english.ts'
import {
  type FilePoint,
  KNOTS_PER_METRE_PER_SECOND,
  numberIn,
  pointList,
  rounded,
  secondsIn,
  unreadable,
} from './points.ts'
import { parseXml } from './xml.ts'

/** Speeds are in metres per second: elements in GPX 1.0, extensions later. */
function take(point: FilePoint, name: string, text: string): void {
  if (name === 'ele') point.altitude = numberIn(text)
  else if (name === 'time') point.time = secondsIn(text)
  else if (name === 'course') point.trackDeg = numberIn(text)
  else if (name === 'speed') {
    const speed = numberIn(text)
    if (speed !== undefined) point.groundSpeedKt = rounded(speed * KNOTS_PER_METRE_PER_SECOND, 1)
  }
}

/** The points of all tracks, or of the routes if there is no track. */
export function readGpx(text: string): FilePoint[] {
  const lists = { trkpt: pointList(), rtept: pointList() }
  let kind: keyof typeof lists | undefined
  let point: FilePoint | undefined
  let inside = ''
  parseXml(text, {
    open(name, attributes) {
      inside = name
      if (name !== 'trkpt' && name !== 'rtept') return
      const [latitude, longitude] = [numberIn(attributes.lat), numberIn(attributes.lon)]
      if (latitude === undefined || longitude === undefined) throw unreadable(english.tracks.noPosition)
      kind = name
      point = { latitude, longitude }
    },
    text(value) {
      if (point) take(point, inside, value)
    },
    close(name) {
      inside = ''
      if (!point || !kind || name !== kind) return
      lists[kind].add(point)
      point = undefined
    },
  })
  const { trkpt, rtept } = lists
  return trkpt.points.length > 0 ? trkpt.points : rtept.points
}
