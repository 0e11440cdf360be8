import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { angleBetween, middleOf, type Point } from './sphere.ts'

/** One piece of land, and a circle on the globe that holds it. */
export interface Land {
  rings: Point[][]
  centre: Point
  /** In degrees. */
  radius: number
}

const ENOUGH_POINTS = 24

/** The circle is taken from some points of the outline: it has to tell what is far away, not more. */
function landOf(rings: Point[][]): Land {
  const outline = rings[0]!
  const step = Math.ceil(outline.length / ENOUGH_POINTS)
  const some = outline.filter((_, index) => index % step === 0)
  const centre = middleOf(some)
  const radius = Math.max(...some.map((point) => angleBetween(centre, point)))
  return { rings, centre, radius: radius * 1.2 + 1 }
}

function landsOf(topology: Topology): Land[] {
  const { features } = feature(topology, topology.objects.countries as GeometryCollection)
  return features.flatMap(({ geometry }) => {
    if (geometry.type === 'Polygon') return [landOf(geometry.coordinates as Point[][])]
    return geometry.type === 'MultiPolygon' ? (geometry.coordinates as Point[][][]).map(landOf) : []
  })
}

// Natural Earth in two scales; each is read when the first map needs it, and never before.
const sources = {
  coarse: () => import('world-atlas/countries-110m.json', { with: { type: 'json' } }),
  fine: () => import('world-atlas/countries-50m.json', { with: { type: 'json' } }),
}
export type Detail = keyof typeof sources

const read: Partial<Record<Detail, Promise<Land[]>>> = {}

/** The land of the earth, country by country. */
export function landIn(detail: Detail): Promise<Land[]> {
  read[detail] ??= sources[detail]().then(({ default: topology }) => landsOf(topology))
  return read[detail]
}
