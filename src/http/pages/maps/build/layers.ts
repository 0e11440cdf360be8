import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Feature, FeatureCollection, Geometry, LineString, MultiLineString, MultiPolygon, Polygon } from 'geojson'
import { quantize } from 'topojson-client'
import { topology } from 'topojson-server'
import { filter, filterAttachedWeight, presimplify, simplify } from 'topojson-simplify'
import type { GeometryCollection, Objects, Topology } from 'topojson-specification'
import { boundingCircle, type Point } from '../../../../lib/sphere.ts'

export function readGeoJson<Shape extends Geometry, Properties>(folder: string, name: string) {
  const text = gunzipSync(readFileSync(join(folder, `${name}.geojson.gz`))).toString()
  return (JSON.parse(text) as FeatureCollection<Shape, Properties>).features
}

type Shape = Polygon | MultiPolygon | LineString | MultiLineString

function parts(geometry: Shape): (Polygon | LineString)[] {
  if (geometry.type === 'MultiPolygon') {
    return geometry.coordinates.map((coordinates) => ({ type: 'Polygon', coordinates }))
  }
  if (geometry.type === 'MultiLineString') {
    return geometry.coordinates.map((coordinates) => ({ type: 'LineString', coordinates }))
  }
  return [geometry]
}

/** Each shape has a circle around it, so that the server draws only visible shapes. */
function withCircle(geometry: Polygon | LineString): Feature<Polygon | LineString> {
  const outline = (geometry.type === 'Polygon' ? geometry.coordinates[0] : geometry.coordinates) as Point[]
  const { centre, radius } = boundingCircle(outline)
  // Rounding moves the centre by less than one degree.
  const circle = [...centre.map(Math.round), Math.ceil(radius) + 1]
  return { type: 'Feature', properties: { circle }, geometry }
}

/** The polygons or lines of a layer. */
export function readLayer(folder: string, name: string, maxRank = Number.POSITIVE_INFINITY) {
  const features = readGeoJson<Shape, { scalerank?: number }>(folder, name).filter(
    ({ properties }) => (properties.scalerank ?? 0) <= maxRank,
  )
  return {
    type: 'FeatureCollection' as const,
    features: features.flatMap(({ geometry }) => parts(geometry)).map(withCircle),
  }
}

type Layers = Record<string, FeatureCollection>

/** Quantization steps: 400 metres and 4 kilometres. */
const [FINE_STEPS, COARSE_STEPS] = [1e5, 1e4]

export const fineTopology = (layers: Layers): Topology => topology(layers, FINE_STEPS)

/** Smaller bends and islands, in square degrees, are omitted from maps of the world. */
const [MIN_BEND, MIN_ISLAND] = [0.05, 0.15]

export function coarseTopology(layers: Layers): Topology {
  const weighted = presimplify(fineTopology(layers) as Topology<Objects>)
  const large = filter(weighted, filterAttachedWeight(weighted, MIN_ISLAND))
  for (const object of Object.values(large.objects) as GeometryCollection[]) {
    // Removed islands leave empty geometries.
    object.geometries = object.geometries.filter(({ type }) => type !== null)
  }
  return quantize(simplify(large, MIN_BEND), COARSE_STEPS)
}
