import { type GeoProjection, geoPath } from 'd3-geo'
import type { Point } from '../../../lib/sphere.ts'
import { yielder } from '../../../lib/yield.ts'

export interface Extent {
  left: number
  top: number
  right: number
  bottom: number
}

/** The scale at which projections measure. */
export const MEASURE = 1000

/** Ways that are looked at between two looks at the clock. */
const SOME_WAYS = 40

/** Where the ways lie on a map of scale 1. */
export async function measured(projection: GeoProjection, ways: readonly (readonly Point[])[]): Promise<Extent> {
  const path = geoPath(projection)
  const turn = yielder()
  const [far, near] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const extent: Extent = { left: far, top: far, right: near, bottom: near }
  for (let from = 0; from < ways.length; from += SOME_WAYS) {
    const coordinates = ways.slice(from, from + SOME_WAYS).map((way) => [...way])
    const [[left, top], [right, bottom]] = path.bounds({ type: 'MultiLineString', coordinates })
    extent.left = Math.min(extent.left, left / MEASURE)
    extent.top = Math.min(extent.top, top / MEASURE)
    extent.right = Math.max(extent.right, right / MEASURE)
    extent.bottom = Math.max(extent.bottom, bottom / MEASURE)
    if (turn.isOver()) await turn.end()
  }
  return extent
}
