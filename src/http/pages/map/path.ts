import type { GeoContext } from 'd3-geo'

/** A tenth of a unit is less than anybody sees. */
const FINENESS = 10
export const tenth = (value: number) => Math.round(value * FINENESS) / FINENESS

const textOf = (tenths: number) => String(tenths / FINENESS).replace(/^(-?)0\./, '$1.')

// Outlines go on in small steps, so nearly every number of a path is one of these.
const FARTHEST = 400
const small = Array.from<string | undefined>({ length: 2 * FARTHEST + 1 })

function written(tenths: number): string {
  if (tenths < -FARTHEST || tenths > FARTHEST) return textOf(tenths)
  const text = small[tenths + FARTHEST] ?? textOf(tenths)
  small[tenths + FARTHEST] = text
  return text
}

/** Numbers of a path need a space between them only where no sign parts them. */
const following = (tenths: number) => (tenths < 0 ? written(tenths) : ` ${written(tenths)}`)

/** A bend of less than this, in tenths of a unit, is none. */
const STRAIGHT = 2

/** More points than these are not left out in a row. */
const LONGEST_STRAIGHT = 60

/**
 * Whether the points after one of them, up to another, lie on the line to the next, as far as anybody sees. All of them
 * are asked: a long bend is straight from each point to the next.
 */
function areStraight(points: readonly number[], from: number, last: number): boolean {
  if (last - from > 2 * LONGEST_STRAIGHT) return false
  const [fromX, fromY] = [points[from]!, points[from + 1]!]
  const [wayX, wayY] = [points[last + 2]! - fromX, points[last + 3]! - fromY]
  const most = STRAIGHT * STRAIGHT * (wayX * wayX + wayY * wayY)
  for (let at = from + 2; at <= last; at += 2) {
    const off = (points[at]! - fromX) * wayY - (points[at + 1]! - fromY) * wayX
    if (off * off >= most) return false
  }
  return true
}

/** Collects what is drawn as the text of an SVG path: rounded, relative, and without steps that cannot be seen. */
export function pathWriter(leastStep = 0) {
  let text = ''
  /** One line in tenths, x and y in turn. */
  let line: number[] = []
  const least = Math.max(1, leastStep * FINENESS)

  function add(atX: number, atY: number): void {
    const x = Math.round(atX * FINENESS)
    const y = Math.round(atY * FINENESS)
    const length = line.length
    if (length > 0 && Math.abs(x - line[length - 2]!) < least && Math.abs(y - line[length - 1]!) < least) return
    line.push(x, y)
  }

  function flush(closed: boolean): void {
    const points = line
    line = []
    if (points.length === 0) return
    let [kept, steps, count] = [0, '', 0]
    for (let at = 2; at < points.length; at += 2) {
      const isLast = at + 2 === points.length
      if (!isLast && areStraight(points, kept, at)) continue
      const x = points[at]! - points[kept]!
      const y = points[at + 1]! - points[kept + 1]!
      steps += (count === 0 ? written(x) : following(x)) + following(y)
      kept = at
      count++
    }
    if (count < (closed ? 2 : 1)) return
    text += `M${written(points[0]!)}${following(points[1]!)}l${steps}${closed ? 'z' : ''}`
  }

  const context: GeoContext = {
    beginPath: () => undefined,
    moveTo(x, y) {
      flush(false)
      add(x, y)
    },
    lineTo: add,
    closePath: () => flush(true),
    // Places are drawn by other means.
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
