import { type GeoContext, geoPath } from 'd3-geo'
import type { Atlas } from './atlas.ts'
import { clipped, type Extent } from './clip.ts'
import type { Frame } from './frame.ts'
import { type Globe, globeOf } from './globe.ts'
import { eachPoint } from './land-file.ts'
import { angleBetween, type Point } from './sphere.ts'

const TURN = 2 * Math.PI

/** One ring on a map of the world, not yet cut: turns go on beyond half a turn instead of leaping to the other side. */
interface Ring {
  turns: number[]
  wides: number[]
  ys: number[]
  least: number
  most: number
}

function draw(line: readonly number[], pen: GeoContext): void {
  // A ring ends where it began, and closing it leads there by itself.
  const isBack = line[0] === line.at(-2) && line[1] === line.at(-1)
  const end = line.length - (isBack ? 2 : 0)
  if (end < 6) return
  pen.moveTo(line[0]!, line[1]!)
  for (let at = 2; at < end; at += 2) pen.lineTo(line[at]!, line[at + 1]!)
  pen.closePath()
}

const sideOf = (turn: number) => (turn > Math.PI ? 1 : turn < -Math.PI ? -1 : 0)

/** The part of a ring, moved by whole turns, that lies between the two sides of the map. */
function between({ turns, wides, ys }: Ring, moved: number, middleX: number): number[] {
  const line: number[] = []

  /** Where the way from one point to the next comes to a side of the map. */
  function cross(from: number, to: number, side: number): void {
    const part = (side - moved - turns[from]!) / (turns[to]! - turns[from]!)
    if (part <= 0 || part >= 1) return
    line.push(
      middleX + side * (wides[from]! + (wides[to]! - wides[from]!) * part),
      ys[from]! + (ys[to]! - ys[from]!) * part,
    )
  }

  let before = turns.length - 1
  let sideBefore = sideOf(turns[before]! + moved)
  for (let index = 0; index < turns.length; index++) {
    const turn = turns[index]! + moved
    const side = sideOf(turn)
    if (side !== sideBefore) {
      // One side or both, the nearer one first.
      const first = side > sideBefore ? -Math.PI : Math.PI
      cross(before, index, first)
      cross(before, index, -first)
    }
    if (side === 0) line.push(middleX + turn * wides[index]!, ys[index]!)
    before = index
    sideBefore = side
  }
  return line
}

/** Draws a ring of a world map as often as it comes into sight: one that crosses the cut is seen on both sides. */
function drawAround(ring: Ring, middleX: number, window: Extent, pen: GeoContext): void {
  const { least, most } = ring
  for (let turn = Math.ceil((-Math.PI - most) / TURN); turn * TURN + least < Math.PI; turn++) {
    draw(clipped(between(ring, turn * TURN, middleX), window), pen)
  }
}

function ringOnWorld(numbers: Int16Array, start: number, globe: Globe): { ring: Ring; end: number } {
  const ring: Ring = { turns: [], wides: [], ys: [], least: Infinity, most: -Infinity }
  let shift = 0
  let before: number | undefined
  const end = eachPoint(numbers, start, (longitude, latitude) => {
    const seen = globe.look(longitude, latitude)
    if (before !== undefined && Math.abs(seen.turn - before) > Math.PI) shift += seen.turn < before ? TURN : -TURN
    before = seen.turn
    const turn = before + shift
    if (turn < ring.least) ring.least = turn
    if (turn > ring.most) ring.most = turn
    ring.turns.push(turn)
    ring.wides.push(seen.wide)
    ring.ys.push(seen.y)
  })
  return { ring, end }
}

/** A ring that goes around a pole has no end on a flat map until it is led along the pole. */
function closeAtPole({ turns, wides, ys }: Ring, side: 1 | -1, globe: Globe): void {
  const { wide, y } = globe.pole(side)
  turns.push(turns.at(-1)!, turns[0]!)
  wides.push(wide, wide)
  ys.push(y, y)
}

function drawOnWorld(numbers: Int16Array, start: number, globe: Globe, window: Extent, pen: GeoContext): void {
  let at = start + 1
  let pole: 1 | -1 | undefined
  for (let index = 0; index < numbers[start]!; index++) {
    const { ring, end } = ringOnWorld(numbers, at, globe)
    const around = ring.turns.at(-1)! - ring.turns[0]!
    if (Math.abs(around) > Math.PI) {
      // Land lies to the right of its outline, so eastwards it has the south pole inside; holes follow the outline.
      pole ??= around > 0 ? -1 : 1
      closeAtPole(ring, pole, globe)
    }
    drawAround(ring, globe.middleX, window, pen)
    at = end
  }
}

function drawFromAbove(numbers: Int16Array, start: number, globe: Globe, window: Extent, pen: GeoContext): void {
  let at = start + 1
  for (let index = 0; index < numbers[start]!; index++) {
    const line: number[] = []
    at = eachPoint(numbers, at, (longitude, latitude) => {
      const seen = globe.look(longitude, latitude)
      line.push(seen.x, seen.y)
    })
    draw(clipped(line, window), pen)
  }
}

/** Nearer to the point behind the globe than this, in degrees, what lies between two points is no straight line at all. */
const BEHIND = 10

/** Land around the point behind the globe becomes the rim of the map, which d3 does well; no other land is in need of it. */
function drawRim(numbers: Int16Array, start: number, { projection }: Frame, pen: GeoContext): void {
  let at = start + 1
  const coordinates = Array.from({ length: numbers[start]! }, () => {
    const ring: Point[] = []
    at = eachPoint(numbers, at, (longitude, latitude) => ring.push([longitude, latitude]))
    return ring
  })
  geoPath(projection, pen)({ type: 'Polygon', coordinates })
}

/**
 * Draws land as d3 would, in a fraction of its time: the first map of a process is drawn by code that no compiler has
 * improved yet, and land is nearly all of it.
 */
export function drawLand({ numbers, lands }: Atlas, frame: Frame, pen: GeoContext): void {
  const globe = globeOf(frame)
  const [[left, top], [right, bottom]] = frame.projection.clipExtent()!
  const window = { left, top, right, bottom }
  for (const { start, centre, radius } of lands) {
    if (frame.isWorld) drawOnWorld(numbers, start, globe, window, pen)
    else if (angleBetween(frame.centre, centre) + radius > 180 - BEHIND) drawRim(numbers, start, frame, pen)
    else drawFromAbove(numbers, start, globe, window, pen)
  }
}
