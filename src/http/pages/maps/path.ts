import type { GeoContext } from 'd3-geo'

const SCALE = 10
export const tenth = (value: number) => Math.round(value * SCALE) / SCALE

/** In tenths of a unit. */
const MAX_DEVIATION = 2
const MAX_SKIPPED_POINTS = 60

/** Whether the points after `from` and up to `last` are close to the line from `from` to the point after `last`. */
function isStraight(points: readonly number[], from: number, last: number): boolean {
  if (last - from > 2 * MAX_SKIPPED_POINTS) return false
  const [fromX, fromY] = [points[from]!, points[from + 1]!]
  const [dx, dy] = [points[last + 2]! - fromX, points[last + 3]! - fromY]
  for (let at = from + 2; at <= last; at += 2) {
    const area = (points[at]! - fromX) * dy - (points[at + 1]! - fromY) * dx
    if (Math.abs(area) >= MAX_DEVIATION * Math.hypot(dx, dy)) return false
  }
  return true
}

/** Writes an SVG path with relative coordinates, without steps that are too small to be seen. */
export function pathWriter(minStep = 0) {
  let text = ''
  /** The current line in tenths: x and y alternate. */
  let line: number[] = []
  const least = Math.max(1, minStep * SCALE)

  function add(atX: number, atY: number): void {
    const [x, y] = [Math.round(atX * SCALE), Math.round(atY * SCALE)]
    const [lastX, lastY] = [line.at(-2) ?? Infinity, line.at(-1) ?? Infinity]
    if (Math.abs(x - lastX) >= least || Math.abs(y - lastY) >= least) line.push(x, y)
  }

  function flush(closed: boolean): void {
    const points = line
    line = []
    const steps: number[] = []
    let kept = 0
    for (let at = 2; at < points.length; at += 2) {
      if (at + 2 < points.length && isStraight(points, kept, at)) continue
      steps.push((points[at]! - points[kept]!) / SCALE, (points[at + 1]! - points[kept + 1]!) / SCALE)
      kept = at
    }
    if (steps.length < (closed ? 4 : 2)) return
    const numbers = `M${points[0]! / SCALE} ${points[1]! / SCALE}l${steps.join(' ')}`
    text += numbers.replaceAll(' -', '-') + (closed ? 'z' : '')
  }

  const context: GeoContext = {
    beginPath: () => undefined,
    moveTo(x, y) {
      flush(false)
      add(x, y)
    },
    lineTo: add,
    closePath: () => flush(true),
    arc: () => undefined,
  }

  return {
    context,
    text(): string {
      flush(false)
      return text
    },
  }
}
