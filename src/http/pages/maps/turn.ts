import { geoRotation } from 'd3-geo'
import type { Point } from '../../../lib/sphere.ts'
import { yielder } from '../../../lib/yield.ts'

/** Ways that come nearer to a pole than this are drawn badly by a map that makes a line of the pole. */
const POLAR_LATITUDE = 74

/** Turns a point around the axis of the earth; where the globe leans, d3 knows the rest. */
function turner([east, lean]: [number, number]): (point: Point) => readonly [number, number] {
  if (lean !== 0) return geoRotation([east, lean])
  return ([longitude, latitude]) => {
    const turned = longitude + east
    return [turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned, latitude]
  }
}

/** How many ways a world map with this turn would cut at its sides or bend along its upper and lower edge. */
function costOf(ways: readonly (readonly Point[])[], turn: [number, number]): number {
  const rotate = turner(turn)
  let cost = 0
  for (const way of ways) {
    let cuts = 0
    let edges = 0
    let off = 0
    let before: number | undefined
    for (const point of way) {
      const turned = rotate(point)
      const longitude = turned[0]
      if (before !== undefined && Math.abs(longitude - before) > 180) cuts = 1
      if (Math.abs(turned[1]) > POLAR_LATITUDE) edges = 1
      off += Math.abs(longitude)
      before = longitude
    }
    cost += cuts + edges + off / way.length / 360
  }
  return cost / ways.length
}

/** More ways than these do not change the choice. */
const ENOUGH_WAYS = 80
/** Leaning puts north out of its place: it has to save so large a part of the ways. */
const LEAN_COST = 0.2
const LEAN = 40

export const isPolar = (way: readonly Point[]) => way.some(([, latitude]) => Math.abs(latitude) > POLAR_LATITUDE)

/**
 * How the globe is turned for a map of the whole world: so that the fewest ways are cut at its sides, and of equals with
 * most flights around the middle. Where many ways pass by a pole, the globe may lean, which brings the pole into the map.
 * Steps of ten degrees let different logs share one drawing of the land.
 */
export async function bestTurn(all: readonly (readonly Point[])[]): Promise<[number, number]> {
  const turn = yielder()
  const ways = all.slice(0, ENOUGH_WAYS)
  const leans = ways.filter(isPolar).length > ways.length * LEAN_COST ? [0, -LEAN, LEAN] : [0]
  let best: { turn: [number, number]; cost: number } = { turn: [0, 0], cost: Number.POSITIVE_INFINITY }
  for (const lean of leans) {
    for (let longitude = -180; longitude < 180; longitude += 10) {
      const cost = costOf(ways, [longitude, lean]) + (lean === 0 ? 0 : LEAN_COST)
      if (cost < best.cost) best = { turn: [longitude, lean], cost }
      if (turn.isOver()) await turn.end()
    }
  }
  return best.turn
}
