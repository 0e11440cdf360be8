export interface Extent {
  left: number
  top: number
  right: number
  bottom: number
}

/** Cuts off what lies beyond one side: x (0) or y (1) may reach up to the limit, or with a direction of -1 down to it. */
function cut(line: readonly number[], axis: 0 | 1, limit: number, direction: 1 | -1): number[] {
  const kept: number[] = []
  let before = line.length - 2
  for (let at = 0; at < line.length; before = at, at += 2) {
    const from = line[before + axis]!
    const to = line[at + axis]!
    const isInside = (to - limit) * direction <= 0
    if ((from - limit) * direction <= 0 !== isInside) {
      const part = (limit - from) / (to - from)
      const other = line[before + 1 - axis]! + (line[at + 1 - axis]! - line[before + 1 - axis]!) * part
      if (axis === 0) kept.push(limit, other)
      else kept.push(other, limit)
    }
    if (isInside) kept.push(line[at]!, line[at + 1]!)
  }
  return kept
}

/**
 * The part of a closed line that lies in a window, as x and y in turn. Where a shape leaves and comes back it is led along
 * the edge (Sutherland and Hodgman, 1974), so the window has to be larger than what is seen.
 */
export function clipped(line: readonly number[], { left, top, right, bottom }: Extent): readonly number[] {
  let [leastX, leastY, mostX, mostY] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let at = 0; at < line.length; at += 2) {
    const x = line[at]!
    const y = line[at + 1]!
    if (x < leastX) leastX = x
    if (x > mostX) mostX = x
    if (y < leastY) leastY = y
    if (y > mostY) mostY = y
  }
  if (leastX > right || mostX < left || leastY > bottom || mostY < top) return []
  let kept = line
  if (leastX < left) kept = cut(kept, 0, left, -1)
  if (mostX > right) kept = cut(kept, 0, right, 1)
  if (leastY < top) kept = cut(kept, 1, top, -1)
  if (mostY > bottom) kept = cut(kept, 1, bottom, 1)
  return kept
}
