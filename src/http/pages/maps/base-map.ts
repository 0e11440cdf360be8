import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { geoGraticule, geoPath } from 'd3-geo'
import { LRUCache } from 'lru-cache'
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

const layers = ['land', 'glaciers', 'lakes', 'borders'] as const
type Layer = (typeof layers)[number]

export type WorldObjects = Record<Layer, Shapes>

/** The paths of land, water and borders. */
export type BaseMap = Record<Layer | 'grid', string>

export const readTopology = async <Content extends Objects>(name: string): Promise<Topology<Content>> =>
  JSON.parse(await readFile(join(packageRoot, 'src/http/pages/maps/data', name), 'utf8'))

const files: Partial<Record<Detail, Promise<Topology<WorldObjects>>>> = {}

/** In units of the map. */
const MIN_STEP = 0.9

/** Only visible shapes become GeoJSON, which takes several times the memory of TopoJSON. */
async function layerPath(layer: Layer, { detail, outlines, view, radius }: Frame): Promise<string> {
  // A failed read is tried again.
  files[detail] ??= readTopology<WorldObjects>(`world-${detail}.json`).catch((error) => {
    delete files[detail]
    throw error
  })
  const topology = await files[detail]
  const { context, text } = pathWriter(MIN_STEP)
  const draw = geoPath(outlines, context)
  const turn = yielder()
  for (const shape of topology.objects[layer].geometries) {
    const [longitude, latitude, ownRadius] = shape.properties!.circle
    if (angleBetween(view.centre, [longitude, latitude]) < ownRadius + radius) draw(feature(topology, shape))
    if (turn.isOver()) await turn.end()
  }
  return text()
}

/** Degrees between the lines of the grid of a globe. */
const gridStep = (scale: number) => (scale > 1200 ? 5 : scale > 400 ? 10 : 30)

function gridPath({ outlines, view }: Frame): string {
  if (view.projection === 'flat') return ''
  const { context, text } = pathWriter(2)
  const step = gridStep(outlines.scale())
  geoPath(outlines, context)(geoGraticule().step([step, step])())
  return text()
}

async function draw(frame: Frame): Promise<BaseMap> {
  const base: BaseMap = { land: '', glaciers: '', lakes: '', borders: '', grid: gridPath(frame) }
  for (const layer of layers) base[layer] = await layerPath(layer, frame)
  return base
}

const MAX_CACHED_CHARACTERS = 4 * 1024 * 1024

/** A log usually has the same camera after a write. */
const drawn = new LRUCache<string, BaseMap>({
  maxSize: MAX_CACHED_CHARACTERS,
  sizeCalculation: (base) => Object.values(base).reduce((sum, path) => sum + path.length, 1),
})

export async function baseMapOf(frame: Frame): Promise<BaseMap> {
  const key = JSON.stringify(frame.view)
  const base = drawn.get(key) ?? (await draw(frame))
  drawn.set(key, base)
  return base
}
