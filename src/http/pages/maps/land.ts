import { geoPath } from 'd3-geo'
import { feature } from 'topojson-client'
import { angleBetween } from '../../../lib/sphere.ts'
import { yielder } from '../../../lib/yield.ts'
import type { Detail, Frame } from './frame.ts'
import { pathWriter } from './path.ts'
import { type LandTopology, readTopology } from './topology.ts'

const files: Partial<Record<Detail, Promise<LandTopology>>> = {}

/** Reads a file when the first map needs it. */
function landOf(detail: Detail): Promise<LandTopology> {
  files[detail] ??= readTopology<LandTopology>(`land-${detail}.json`)
  return files[detail]
}

/** Steps shorter than this, in units of the map, are left out. */
const MIN_STEP = 0.9

/** Only shapes in sight become GeoJSON, which takes several times the memory of TopoJSON. */
async function pathOf(name: 'land' | 'borders', { detail, outlines, centre, radius }: Frame): Promise<string> {
  const topology = await landOf(detail)
  const { context, text } = pathWriter(MIN_STEP)
  const draw = geoPath(outlines, context)
  const turn = yielder()
  for (const shape of topology.objects[name].geometries) {
    const [longitude, latitude, ownRadius] = shape.properties!.circle
    const isInSight = angleBetween(centre, [longitude, latitude]) < ownRadius + radius
    if (isInSight) draw(feature(topology, shape))
    if (turn.isOver()) await turn.end()
  }
  return text()
}

/** SVG paths of the land and the country borders in sight. */
export async function drawLand(frame: Frame): Promise<{ land: string; borders: string }> {
  return { land: await pathOf('land', frame), borders: await pathOf('borders', frame) }
}
