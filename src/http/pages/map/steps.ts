import type { Point } from '../../../lib/sphere.ts'

/**
 * A line as its first point and the steps to the others, in parts of a degree. In 16 bits a step around the earth is too
 * long; it comes back whole by overflow.
 */
export function stepsOf(line: readonly Point[], parts: number): number[] {
  const steps: number[] = []
  let [x, y] = [0, 0]
  for (const [longitude, latitude] of line) {
    const [nextX, nextY] = [Math.round(longitude * parts), Math.round(latitude * parts)]
    steps.push(nextX - x, nextY - y)
    x = nextX
    y = nextY
  }
  return steps
}
