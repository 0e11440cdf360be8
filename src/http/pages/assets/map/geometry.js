import { boundingCircle, greatCirclePoints, midpoint } from '../../../../lib/sphere.ts'

const STEP = 2
/** Mercator stretches lines near the poles. */
const [FAR, FAR_STEP] = [60, 0.5]

function wayOf(from, to) {
  const way = greatCirclePoints(from, to)
  const isFar = way.some(([, latitude]) => Math.abs(latitude) > FAR)
  return greatCirclePoints(from, to, isFar ? FAR_STEP : STEP)
}

/** Continues beyond 180 degrees where a line crosses the date line. */
function unrolled(line) {
  let before = line[0]?.[0] ?? 0
  return line.map(([longitude, latitude]) => {
    let east = longitude
    while (east - before > 180) east -= 360
    while (before - east > 180) east += 360
    before = east
    return [east, latitude]
  })
}

const feature = (type, coordinates, properties, id) => ({
  type: 'Feature',
  id,
  properties,
  geometry: { type, coordinates },
})
const collection = (features) => ({ type: 'FeatureCollection', features })

export const pointsOf = ({ airports }) =>
  collection(airports.map(({ at, code, visits }, id) => feature('Point', at, { code, visits }, id)))

/** The latitude limit of Web Mercator. */
const END = 85.05

function partsOf(line) {
  const parts = [[]]
  for (const point of line) {
    if (Math.abs(point[1]) <= END) parts.at(-1).push(point)
    else if (parts.at(-1).length > 0) parts.push([])
  }
  return parts.filter(({ length }) => length > 1)
}

export const routesOf = ({ airports, routes }) =>
  collection(
    routes.map(({ ends: [a, b], count, planned = 0, tracked = false }, id) => {
      const way = unrolled(wayOf(airports[a].at, airports[b].at))
      return feature('MultiLineString', partsOf(way), { count, tracked, planned: planned === count }, id)
    }),
  )

/** Tracks are delta-encoded in ten-thousandths of a degree. */
const PARTS = 10_000

export const tracksOf = ({ tracks, bands = [] }) =>
  collection(
    tracks.map((steps, id) => {
      let [x, y] = [0, 0]
      const line = []
      for (let at = 0; at < steps.length; at += 2) {
        x += steps[at]
        y += steps[at + 1]
        line.push([x / PARTS, y / PARTS])
      }
      return feature('MultiLineString', partsOf(unrolled(line)), { band: bands[id] ?? -1 }, id)
    }),
  )

export function gridOf() {
  const lines = []
  for (let longitude = -180; longitude < 180; longitude += 30) {
    lines.push(Array.from({ length: 35 }, (_, index) => [longitude, index * 5 - 85]))
  }
  for (let latitude = -60; latitude <= 60; latitude += 30) {
    lines.push(Array.from({ length: 73 }, (_, index) => [index * 5 - 180, latitude]))
  }
  return collection([feature('MultiLineString', lines, {})])
}

const heartOf = (airports) =>
  midpoint(airports.flatMap(({ at, visits }) => Array.from({ length: 1 + Math.floor(Math.log2(visits)) }, () => at)))

export function extentOf({ airports }, { features }) {
  const points = features.flatMap(({ geometry }) => geometry.coordinates.flat())
  if (points.length === 0) return { heart: [10, 30], radius: 180, box: [-170, -60, 170, 75] }
  const { centre, radius } = boundingCircle(points)
  const east = points.map(([longitude]) => ((((longitude - centre[0]) % 360) + 540) % 360) - 180)
  const north = points.map(([, latitude]) => Math.max(-84, Math.min(84, latitude)))
  const least = (list) => list.reduce((a, b) => Math.min(a, b))
  const most = (list) => list.reduce((a, b) => Math.max(a, b))
  const box = [centre[0] + least(east), least(north), centre[0] + most(east), most(north)]
  return { heart: heartOf(airports), radius, box }
}
