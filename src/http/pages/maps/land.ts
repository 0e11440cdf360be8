import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { geoPath } from 'd3-geo'
import { feature } from 'topojson-client'
import type { GeometryCollection, LineString, Objects, Polygon, Topology } from 'topojson-specification'
import { packageRoot } from '../../../lib/package-root.ts'
import { angleBetween } from '../../../lib/sphere.ts'
import { yielder } from '../../../lib/yield.ts'
import type { Detail, Frame } from './frame.ts'
import { pathWriter } from './path.ts'

/** A circle around a shape, in degrees of the globe. */
type Circled = { circle: [longitude: number, latitude: number, radius: number] }

interface Shapes extends GeometryCollection {
  geometries: (Polygon<Circled> | LineString<Circled>)[]
}

export type LandObjects = { land: Shapes; borders: Shapes }

export const readTopology = async <Content extends Objects>(name: string): Promise<Topology<Content>> =>
  JSON.parse(await readFile(join(packageRoot, 'src/http/pages/maps/data', name), 'utf8'))

const files: Partial<Record<Detail, Promise<Topology<LandObjects>>>> = {}

/** In units of the map. */
const MIN_STEP = 0.9

/** Only visible shapes become GeoJSON, which takes several times the memory of TopoJSON. */
async function pathOf(name: 'land' | 'borders', { detail, outlines, centre, radius }: Frame): Promise<string> {
  files[detail] ??= readTopology<LandObjects>(`land-${detail}.json`)
  const topology = await files[detail]
  const { context, text } = pathWriter(MIN_STEP)
  const draw = geoPath(outlines, context)
  const turn = yielder()
  for (const shape of topology.objects[name].geometries) {
    const [longitude, latitude, ownRadius] = shape.properties!.circle
    if (angleBetween(centre, [longitude, latitude]) < ownRadius + radius) draw(feature(topology, shape))
    if (turn.isOver()) await turn.end()
  }
  return text()
}

export async function drawLand(frame: Frame): Promise<{ land: string; borders: string }> {
  return { land: await pathOf('land', frame), borders: await pathOf('borders', frame) }
}
