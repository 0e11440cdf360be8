import { geoEqualEarth, geoPath } from 'd3-geo'
import { turns } from '../../../lib/turns.ts'
import { landByCountry } from './land.ts'
import { type Land, ringsOf } from './land-file.ts'
import { pathWriter, tenth } from './path.ts'

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

/** On its largest island: the middle of all may lie far out at sea. */
function spotOf(lands: readonly Land[]): CountryShape['spot'] {
  const largest = lands.reduce((best, land) => (land.radius > best.radius ? land : best))
  const [x, y] = projection(largest.centre)!
  return { x: tenth(x), y: tenth(y) }
}

function shapeOf(code: string, lands: readonly Land[]): CountryShape {
  const polygons = { type: 'MultiPolygon' as const, coordinates: lands.map(ringsOf) }
  const isSmall = geoPath(projection).area(polygons) < SMALL
  const { context, text } = pathWriter(isSmall ? 0 : 0.8)
  geoPath(projection, context)(polygons)
  return { code, path: text(), spot: isSmall ? spotOf(lands) : undefined }
}

async function draw(): Promise<CountryShape[]> {
  const turn = turns()
  const shapes: CountryShape[] = []
  for (const [code, lands] of await landByCountry()) {
    shapes.push(shapeOf(code, lands))
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
