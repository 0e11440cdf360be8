import type { GeoContext } from 'd3-geo'
import type { Frame } from './frame.ts'
import { type Globe, globeOf } from './globe.ts'

const TURN = 2 * Math.PI

/** How far beyond the edge lines still are drawn, in pixels: longer than any of their pieces. */
const BEYOND = 80

/** Around the point behind the globe, which is the rim of the map, no short line is straight. */
const BEHIND = -0.97

/** Degrees from one line to the next. */
function stepOf(scale: number): number {
  if (scale > 1200) return 5
  return scale > 400 ? 10 : 30
}

/** A pen for one line after another on this globe, which lifts where the map is cut and where nobody sees it. */
function linePen({ look, isWorld, middleX }: Globe, { width, height }: Frame, pen: GeoContext) {
  const last = { turn: 0, wide: 0, x: 0, y: 0, isSeen: false }
  let isDown = false
  let isFirst = true

  function draw(x: number, y: number): void {
    const isSeen = x > -BEYOND && x < width + BEYOND && y > -BEYOND && y < height + BEYOND
    if (!isDown && !isFirst && (isSeen || last.isSeen)) {
      pen.moveTo(last.x, last.y)
      isDown = true
    }
    if (isDown) pen.lineTo(x, y)
    if (!isSeen) isDown = false
    last.x = x
    last.y = y
    last.isSeen = isSeen
    isFirst = false
  }

  function lift(): void {
    isDown = false
    isFirst = true
  }

  /** From one side of the map to the other: up to the edge here, and on from the edge there. */
  function leap(turn: number, wide: number, y: number): void {
    const side = last.turn > 0 ? Math.PI : -Math.PI
    const part = (side - last.turn) / (turn + (side > 0 ? TURN : -TURN) - last.turn)
    const [wideThere, yThere] = [last.wide + (wide - last.wide) * part, last.y + (y - last.y) * part]
    draw(middleX + side * wideThere, yThere)
    lift()
    draw(middleX - side * wideThere, yThere)
  }

  function to(longitude: number, latitude: number): void {
    const { turn, wide, front, x, y } = look(longitude, latitude)
    if (!isWorld && front < BEHIND) {
      lift()
      return
    }
    if (isWorld && !isFirst && Math.abs(turn - last.turn) > Math.PI) leap(turn, wide, y)
    draw(isWorld ? middleX + turn * wide : x, y)
    last.turn = turn
    last.wide = wide
  }

  return { to, lift }
}

/** Lines of longitude and latitude, as far as they come into sight. */
export function drawGrid(frame: Frame, pen: GeoContext): void {
  const step = stepOf(frame.projection.scale())
  // Short enough for pieces that look like a curve.
  const piece = Math.min(2.5, step / 8)
  const line = linePen(globeOf(frame), frame, pen)
  const [longitude, latitude] = frame.centre
  const [south, north] = [Math.max(-90, latitude - frame.radius), Math.min(90, latitude + frame.radius)]
  const narrowest = Math.cos((Math.max(-south, north) * Math.PI) / 180)
  const reach = Math.min(180, frame.radius / Math.max(narrowest, 0.01))
  /** From the last multiple of the step before one end to the first after the other. */
  const ends = (least: number, most: number) =>
    [Math.floor(least / step) * step, Math.ceil(most / step) * step] as const
  // Once around and not further.
  const [west, east] = reach === 180 ? [-180, 180] : ends(longitude - reach, longitude + reach)
  const [lowest, highest] = ends(south, north)
  for (let at = west; at <= (reach === 180 ? east - step : east); at += step) {
    for (let up = Math.max(-90, lowest); up <= Math.min(90, highest); up += piece) line.to(at, up)
    line.lift()
  }
  for (let up = lowest; up <= highest; up += step) {
    for (let at = west; Math.abs(up) < 90 && at <= east; at += piece) line.to(at, up)
    line.lift()
  }
}
