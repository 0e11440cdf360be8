/**
 * Builds the TopoJSON files of the maps: `npm run map:build -- FOLDER`. The folder holds `land.geojson.gz` and
 * `borders.geojson.gz` of Natural Earth 1:50m. Countries come from world-atlas.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Feature, FeatureCollection, LineString, MultiLineString, MultiPolygon, Polygon } from 'geojson'
import { feature, quantize } from 'topojson-client'
import { topology } from 'topojson-server'
import { filter, filterAttachedWeight, presimplify, simplify } from 'topojson-simplify'
import type { GeometryCollection, Objects, Topology } from 'topojson-specification'
import fine from 'world-atlas/countries-50m.json' with { type: 'json' }
import coarse from 'world-atlas/countries-110m.json' with { type: 'json' }
import { packageRoot } from '../../../../lib/package-root.ts'
import { boundingCircle, type Point } from '../../../../lib/sphere.ts'
import { countryOf } from './country-of.ts'

/** Steps around the earth: 400 metres for regional maps, 4 kilometres for maps of the world. */
const [FINE_STEPS, COARSE_STEPS] = [1e5, 1e4]

/** Points and islands that add less than this, in square degrees, are left out of maps of the world. */
const [MIN_BEND, MIN_ISLAND] = [0.05, 0.15]

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Usage: npm run map:build -- FOLDER')

const write = (name: string, content: Topology) =>
  writeFileSync(join(packageRoot, 'src/http/pages/maps/data', name), `${JSON.stringify(content)}\n`)

/** The polygons or lines of a layer, each with a circle around it. */
function readLayer(name: string) {
  const text = gunzipSync(readFileSync(join(folder!, `${name}.geojson.gz`))).toString()
  const { features } = JSON.parse(text) as FeatureCollection<Polygon | MultiPolygon | LineString | MultiLineString>
  const geometries = features.flatMap(({ geometry }): (Polygon | LineString)[] => {
    if (geometry.type === 'MultiPolygon') {
      return geometry.coordinates.map((coordinates) => ({ type: 'Polygon', coordinates }))
    }
    if (geometry.type === 'MultiLineString') {
      return geometry.coordinates.map((coordinates) => ({ type: 'LineString', coordinates }))
    }
    return [geometry]
  })
  return {
    type: 'FeatureCollection' as const,
    features: geometries.map((geometry) => {
      const outline = (geometry.type === 'Polygon' ? geometry.coordinates[0] : geometry.coordinates) as Point[]
      const { centre, radius } = boundingCircle(outline)
      // Rounding moves the centre by less than one degree.
      const circle = [...centre.map(Math.round), Math.ceil(radius) + 1]
      return { type: 'Feature' as const, properties: { circle }, geometry }
    }),
  }
}

function simplified(land: Topology): Topology {
  const weighted = presimplify(land as Topology<Objects>)
  const large = filter(weighted, filterAttachedWeight(weighted, MIN_ISLAND))
  for (const object of Object.values(large.objects) as GeometryCollection[]) {
    // Removed islands leave empty geometries.
    object.geometries = object.geometries.filter(({ type }) => type !== null)
  }
  return quantize(simplify(large, MIN_BEND), COARSE_STEPS)
}

const land = topology({ land: readLayer('land'), borders: readLayer('borders') }, FINE_STEPS)
write('land-fine.json', land)
write('land-coarse.json', simplified(land))

const POLE_LATITUDE = 89.9

/** world-atlas closes Antarctica along the pole of a flat map; on the globe that ring is a point and not a coast. */
const isPole = (ring: readonly Point[]) => ring.every(([, latitude]) => Math.abs(latitude) > POLE_LATITUDE)

/** The polygons of each country by its code. */
function countriesIn(atlas: Topology): Map<string, Point[][][]> {
  const { features } = feature(atlas, atlas.objects.countries as GeometryCollection<{ name: string }>)
  const polygons = features.flatMap(({ id, properties, geometry }) => {
    const { type, coordinates } = geometry as Polygon | MultiPolygon
    return ((type === 'Polygon' ? [coordinates] : coordinates) as Point[][][]).map((rings) => ({
      code: countryOf(id, properties.name, rings[0]!),
      rings: rings.filter((ring) => !isPole(ring)),
    }))
  })
  const byCode = Map.groupBy(polygons, ({ code }) => code)
  return new Map([...byCode].map(([code, list]) => [code, list.map(({ rings }) => rings)]))
}

// Small countries exist only in the fine atlas.
const features = [...countriesIn(fine), ...countriesIn(coarse)].map(
  ([id, coordinates]): [string, Feature<MultiPolygon>] => [
    id,
    { type: 'Feature', id, properties: {}, geometry: { type: 'MultiPolygon', coordinates } },
  ],
)
const countries = { type: 'FeatureCollection' as const, features: [...new Map(features).values()] }
write('countries.json', topology({ countries }, FINE_STEPS))
