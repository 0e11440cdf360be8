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

/** Quantization: 400 metres for regional maps, 4 kilometres for world maps. */
const [FINE_STEPS, COARSE_STEPS] = [1e5, 1e4]

/** Smaller bends and islands, in square degrees, are omitted from world maps. */
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

/** Areas without an ISO code in Natural Earth, as in the airport data. */
const named: Readonly<Record<string, string>> = { Kosovo: 'XK', 'N. Cyprus': 'CY', Somaliland: 'SO' }

type Box = [west: number, south: number, east: number, north: number]

/** Areas with their own ISO code that Natural Earth shows as part of a country. */
const apart: readonly [within: string, code: string, box: Box][] = [
  ['FR', 'GF', [-55, 1, -51, 7]],
  ['FR', 'GP', [-62, 15.7, -60.9, 16.7]],
  ['FR', 'MQ', [-61.4, 14.2, -60.6, 15.1]],
  ['FR', 'RE', [55, -22, 56, -20]],
  ['FR', 'YT', [44.8, -13.2, 45.5, -12.4]],
  ['NO', 'SJ', [-10, 70, 40, 82]],
  ['NO', 'BV', [3, -55, 4, -54]],
  ['NL', 'BQ', [-69, 11.5, -62.5, 18]],
  ['NZ', 'TK', [-173, -10, -171, -8]],
  ['', 'CX', [105, -11, 106, -10]],
  ['', 'CC', [96, -13, 98, -11]],
]

const isWithin = (outline: readonly Point[], [west, south, east, north]: Box) =>
  outline.every(([x, y]) => x >= west && x <= east && y >= south && y <= north)

/** The country code of a polygon; empty if unknown. */
function countryOf(id: string | number | undefined, name: string, outline: readonly Point[]): string {
  // Intl maps numeric ISO codes to letters.
  const numbered = id === undefined ? '' : Intl.getCanonicalLocales(`und-${String(id).padStart(3, '0')}`)[0]!.slice(4)
  const code = named[name] ?? numbered
  const own = apart.find(([within, , box]) => within === code && isWithin(outline, box))
  return own ? own[1] : code
}

const POLE_LATITUDE = 89.9

/** world-atlas closes Antarctica along the pole, which is a point on the globe. */
const isPole = (ring: readonly Point[]) => ring.every(([, latitude]) => Math.abs(latitude) > POLE_LATITUDE)

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
