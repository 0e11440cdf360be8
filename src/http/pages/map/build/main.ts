/** Writes the outlines of land that maps are drawn with, from Natural Earth: `npm run map:build`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import fine from 'world-atlas/countries-50m.json' with { type: 'json' }
import coarse from 'world-atlas/countries-110m.json' with { type: 'json' }
import { packageRoot } from '../../../../lib/package-root.ts'
import type { Point } from '../../../../lib/sphere.ts'
import { packLand } from '../land-file.ts'
import { countryOf } from './country-of.ts'

interface Piece {
  country: string
  rings: Point[][]
}

const POLE_LATITUDE = 89.9

/** Natural Earth closes Antarctica along the pole of a flat map; on the globe that ring is a point and not a coast. */
const isPole = (ring: readonly Point[]) => ring.every(([, latitude]) => Math.abs(latitude) > POLE_LATITUDE)

function piecesOf(topology: Topology): Piece[] {
  const { features } = feature(topology, topology.objects.countries as GeometryCollection<{ name: string }>)
  return features.flatMap(({ id, properties, geometry }) => {
    const all =
      geometry.type === 'Polygon'
        ? [geometry.coordinates]
        : geometry.type === 'MultiPolygon'
          ? geometry.coordinates
          : []
    return (all as Point[][][])
      .map((rings) => rings.filter((ring) => !isPole(ring)))
      .map((rings) => ({ country: countryOf(id, properties.name, rings[0]!), rings }))
  })
}

const write = (name: string, content: string | Int16Array) =>
  writeFileSync(join(packageRoot, 'src/http/pages/map/data', name), content)

const owners: Record<string, string> = {}
for (const [name, topology] of Object.entries({ coarse, fine })) {
  const pieces = piecesOf(topology)
  // As it is: unpacking it would take longer than everything else that is done with it.
  write(`land-${name}.bin`, packLand(pieces.map(({ rings }) => rings)))
  owners[name] = pieces.map(({ country }) => country).join(' ')
}
write('land-countries.json', `${JSON.stringify(owners, null, 2)}\n`)
