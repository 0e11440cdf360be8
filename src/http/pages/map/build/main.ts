/** Writes the outlines of land that maps are drawn with, from Natural Earth: `npm run map:build`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import fine from 'world-atlas/countries-50m.json' with { type: 'json' }
import coarse from 'world-atlas/countries-110m.json' with { type: 'json' }
import { packageRoot } from '../../../../lib/package-root.ts'
import { packLand } from '../land-file.ts'
import type { Point } from '../sphere.ts'

function piecesOf(topology: Topology): Point[][][] {
  const { features } = feature(topology, topology.objects.countries as GeometryCollection)
  return features.flatMap(({ geometry }) => {
    if (geometry.type === 'Polygon') return [geometry.coordinates as Point[][]]
    return geometry.type === 'MultiPolygon' ? (geometry.coordinates as Point[][][]) : []
  })
}

for (const [name, topology] of Object.entries({ coarse, fine })) {
  // As it is: unpacking it would take longer than everything else that is done with it.
  writeFileSync(join(packageRoot, `src/http/pages/assets/land-${name}.bin`), packLand(piecesOf(topology)))
}
