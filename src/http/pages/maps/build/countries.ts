import type { Feature, FeatureCollection, MultiPolygon, Polygon } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import fine from 'world-atlas/countries-50m.json' with { type: 'json' }
import coarse from 'world-atlas/countries-110m.json' with { type: 'json' }
import type { Point } from '../../../../lib/sphere.ts'

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

/** The countries of the world as polygons, by ISO code. */
export function countryPolygons(): FeatureCollection<MultiPolygon> {
  // Small countries exist only in the fine atlas.
  const features = [...countriesIn(fine), ...countriesIn(coarse)].map(
    ([id, coordinates]): [string, Feature<MultiPolygon>] => [
      id,
      { type: 'Feature', id, properties: {}, geometry: { type: 'MultiPolygon', coordinates } },
    ],
  )
  return { type: 'FeatureCollection', features: [...new Map(features).values()] }
}
