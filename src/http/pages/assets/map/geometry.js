import { greatCirclePoints } from '../../../../lib/sphere.ts'

const STEP_DEGREES = 2
/** Mercator stretches lines near the poles. */
const [FAR_LATITUDE, FAR_STEP_DEGREES] = [60, 0.5]

function routeLine(from, to) {
  const line = greatCirclePoints(from, to)
  const isFar = line.some(([, latitude]) => Math.abs(latitude) > FAR_LATITUDE)
  return greatCirclePoints(from, to, isFar ? FAR_STEP_DEGREES : STEP_DEGREES)
}

/** Continues beyond 180 degrees where a line crosses the antimeridian. */
export function unrolled(line) {
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
export const collection = (features) => ({ type: 'FeatureCollection', features })

export const airportPoints = ({ airports }) =>
  collection(airports.map(({ at, code, visits }, id) => feature('Point', at, { code, visits }, id)))

/** The latitude limit of Web Mercator. */
const MAX_LATITUDE = 85.05

/** On a globe a line continues around the pole; a flat map ends before it. */
function drawableParts(line, isGlobe) {
  if (isGlobe) {
    return [line.map(([longitude, latitude]) => [longitude, Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude))])]
  }
  const parts = [[]]
  for (const point of line) {
    if (Math.abs(point[1]) <= MAX_LATITUDE) parts.at(-1).push(point)
    else if (parts.at(-1).length > 0) parts.push([])
  }
  return parts.filter(({ length }) => length > 1)
}

export const lineOfRoute = ({ airports, routes }, index) => {
  const [from, to] = routes[index].ends.map((end) => airports[end].at)
  return unrolled(routeLine(from, to))
}

/** A route with its airports, or an airport. */
export function litShapes(data, { source, id }) {
  const { count, ends = [id] } = source === 'routes' ? data.routes[id] : {}
  const points = ends.map((end) => {
    const { at, visits } = data.airports[end]
    return feature('Point', at, { visits })
  })
  return collection(source === 'routes' ? [feature('LineString', lineOfRoute(data, id), { count }), ...points] : points)
}

export const routeLines = (data, isGlobe) =>
  collection(
    data.routes.map(({ count, planned = 0, tracked = false }, id) => {
      const lines = drawableParts(lineOfRoute(data, id), isGlobe)
      return feature('MultiLineString', lines, { count, tracked, planned: planned === count }, id)
    }),
  )

/** Tracks are delta-encoded in ten-thousandths of a degree. */
const PARTS = 10_000

export const trackLines = ({ tracks, bands = [] }, isGlobe) =>
  collection(
    tracks.map((steps, id) => {
      let [x, y] = [0, 0]
      const line = []
      for (let at = 0; at < steps.length; at += 2) {
        x += steps[at]
        y += steps[at + 1]
        line.push([x / PARTS, y / PARTS])
      }
      return feature('MultiLineString', drawableParts(unrolled(line), isGlobe), { band: bands[id] ?? -1 }, id)
    }),
  )

export function gridLines() {
  const lines = []
  for (let longitude = -180; longitude < 180; longitude += 30) {
    lines.push(Array.from({ length: 35 }, (_, index) => [longitude, index * 5 - 85]))
  }
  for (let latitude = -60; latitude <= 60; latitude += 30) {
    lines.push(Array.from({ length: 73 }, (_, index) => [index * 5 - 180, latitude]))
  }
  return collection([feature('MultiLineString', lines, {})])
}
