import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GeometryCollection, LineString, Polygon, Topology } from 'topojson-specification'
import { packageRoot } from '../../../lib/package-root.ts'

/** A circle around a shape, in degrees of the globe. */
interface Circled {
  circle: [longitude: number, latitude: number, radius: number]
}

interface Shapes extends GeometryCollection {
  geometries: (Polygon<Circled> | LineString<Circled>)[]
}

export type LandTopology = Topology<{ land: Shapes; borders: Shapes }>

export type CountryTopology = Topology<{ countries: GeometryCollection }>

/** Reads a TopoJSON file of the data folder. */
export const readTopology = async <Content extends Topology>(name: string): Promise<Content> =>
  JSON.parse(await readFile(join(packageRoot, 'src/http/pages/maps/data', name), 'utf8'))
