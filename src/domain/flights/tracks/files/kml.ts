import { english } from '../../../../messages/english.ts'
import { MAX_POINTS } from '../contract.ts'
import { type FilePoint, numberIn, pointList, secondsIn, unreadable } from './points.ts'
import { parseXml } from './xml.ts'

const SPACE = 0x20
const MAX_TUPLE_LENGTH = 200

/** `longitude, latitude, altitude`, with commas in coordinates and spaces in gx:coord. */
function pointIn(cells: readonly string[]): FilePoint {
  const [longitude, latitude, altitude] = [numberIn(cells[0]), numberIn(cells[1]), numberIn(cells[2])]
  if (latitude === undefined || longitude === undefined) throw unreadable(english.tracks.noPosition)
  return { latitude, longitude, altitude }
}

const isSame = (a: FilePoint | undefined, b: FilePoint) => a?.latitude === b.latitude && a.longitude === b.longitude

/** Lazily, since a line can be the whole file. */
function* tuplesIn(text: string): Generator<FilePoint> {
  const isSpace = (index: number) => text.charCodeAt(index) <= SPACE
  for (let start = 0; start < text.length; ) {
    let end = start
    while (end < text.length && !isSpace(end)) end++
    if (end > start) yield pointIn(text.slice(start, Math.min(end, start + MAX_TUPLE_LENGTH)).split(','))
    start = end + 1
  }
}

/** Reads a gx:Track, or else points with times, or else lines without times. */
export function readKml(text: string): FilePoint[] {
  const [tracks, timed, lines] = [pointList(), pointList(), pointList()]
  const path: string[] = []
  let whens: (number | undefined)[] = []
  let coords = pointList()
  let stamp: number | undefined
  let place: FilePoint | undefined

  function takeText(raw: string): void {
    const [name, parent] = [path.at(-1), path.at(-2)]
    if (name === 'when') {
      const time = secondsIn(raw)
      if (parent === 'Track' && whens.length <= MAX_POINTS) whens.push(time)
      else if (parent === 'TimeStamp') stamp = time
    } else if (name === 'coord' && parent === 'Track')
      coords.add(pointIn(raw.trim().slice(0, MAX_TUPLE_LENGTH).split(/\s+/)))
    else if (name === 'coordinates' && parent === 'Point') [place] = tuplesIn(raw)
    else if (name === 'coordinates' && parent === 'LineString') {
      for (const point of tuplesIn(raw)) {
        // A line may repeat the last point of the line before.
        if (!isSame(lines.points.at(-1), point)) lines.add(point)
      }
    }
  }

  function takeTrack(): void {
    const { points } = coords
    const isTimed = whens.length === points.length
    for (const [index, point] of points.entries()) tracks.add(isTimed ? { ...point, time: whens[index] } : point)
    whens = []
    coords = pointList()
  }

  parseXml(text, {
    open(name) {
      path.push(name)
      if (name === 'Placemark') [stamp, place] = [undefined, undefined]
    },
    text: takeText,
    close(name) {
      path.pop()
      if (name === 'Track') takeTrack()
      if (name === 'Placemark' && place && stamp !== undefined) timed.add({ ...place, time: stamp })
    },
  })
  if (tracks.points.length > 0) return tracks.points
  return timed.points.length > 1 ? timed.points : lines.points
}
