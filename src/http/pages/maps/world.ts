import { geoArea, geoCentroid, geoEqualEarth, geoPath } from 'd3-geo'
import type { Feature, FeatureCollection, MultiPolygon, Polygon } from 'geojson'
import { feature } from 'topojson-client'
import { yielder } from '../../../lib/yield.ts'
import { pathWriter, tenth } from './path.ts'
import { type CountryTopology, readTopology } from './topology.ts'

/** A country on the map of the world; numbers are units of its view box. */
export interface CountryShape {
  code: string
  path: string
  /** Where it is so small that only a dot can be seen of it. */
  spot: { x: number; y: number } | undefined
}

const WIDTH = 1000
/** How many units the whole earth is wide on the scale of one unit. */
const WORLD_WIDTH = 5.4134
/** Cut where the Bering Strait leaves both sides whole. */
const MIDDLE = 11
const NORTH = 84
/** Of the far south only as much is shown as somebody has been to. */
const SOUTH = { usual: -57, whole: -90 }
/** What has less area than this gets a dot. */
const SMALL = 8

const projection = geoEqualEarth()
  .rotate([-MIDDLE, 0])
  .scale((WIDTH - 8) / WORLD_WIDTH)
  .translate([WIDTH / 2, 0])
const top = projection([MIDDLE, NORTH])![1]
projection.translate([WIDTH / 2, -top])
const heightTo = (latitude: number) => Math.round(projection([MIDDLE, latitude])![1])

/** For the view box: Antarctica is most of the way to the pole. */
export const worldSize = (withAntarctica: boolean) => ({
  width: WIDTH,
  height: heightTo(withAntarctica ? SOUTH.whole : SOUTH.usual),
})

/** On its largest island: the centre of all islands may lie far out at sea. */
function spotOf(islands: readonly Polygon[]): CountryShape['spot'] {
  const largest = islands.reduce((best, island) => (geoArea(island) > geoArea(best) ? island : best))
  const [x, y] = projection(geoCentroid(largest))!
  return { x: tenth(x), y: tenth(y) }
}

function shapeOf({ id, geometry }: Feature<MultiPolygon>): CountryShape {
  const isSmall = geoPath(projection).area(geometry) < SMALL
  const { context, text } = pathWriter(isSmall ? 0 : 0.8)
  geoPath(projection, context)(geometry)
  const islands = geometry.coordinates.map((coordinates): Polygon => ({ type: 'Polygon', coordinates }))
  return { code: String(id), path: text(), spot: isSmall ? spotOf(islands) : undefined }
}

async function draw(): Promise<CountryShape[]> {
  const topology = await readTopology<CountryTopology>('countries.json')
  const { features } = feature(topology, topology.objects.countries) as FeatureCollection<MultiPolygon>
  const turn = yielder()
  const shapes: CountryShape[] = []
  for (const country of features) {
    shapes.push(shapeOf(country))
    if (turn.isOver()) await turn.end()
  }
  return shapes
}

let drawn: Promise<CountryShape[]> | undefined

/** The same for everybody, so it is drawn once. */
export function worldCountries(): Promise<CountryShape[]> {
  drawn ??= draw().catch((error) => {
    drawn = undefined
    throw error
  })
  return drawn
}
