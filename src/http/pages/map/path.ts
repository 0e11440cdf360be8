import type { GeoContext } from 'd3-geo'

/** A tenth of a unit is less than anybody sees. */
const FINENESS = 10

const written = (tenths: number) => String(tenths / FINENESS).replace(/^(-?)0\./, '$1.')

/** Numbers of a path need a space between them only where no sign parts them. */
const pair = (x: number, y: number) => {
  const second = written(y)
  return `${written(x)}${second.startsWith('-') ? '' : ' '}${second}`
}

/** A bend of less than this, in tenths of a unit, is none. */
const STRAIGHT = 2

type Spot = [x: number, y: number]

/** Leaves out the points that lie on the line between their neighbours. */
function withoutStraights(line: readonly Spot[]): Spot[] {
  const kept: Spot[] = []
  for (const [index, point] of line.entries()) {
    const [before, after] = [kept.at(-1), line[index + 1]]
    if (before && after) {
      const [x, y] = [after[0] - before[0], after[1] - before[1]]
      const off = Math.abs((point[0] - before[0]) * y - (point[1] - before[1]) * x)
      if (off < STRAIGHT * Math.hypot(x, y)) continue
    }
    kept.push(point)
  }
  return kept
}

/** Collects what is drawn as the text of an SVG path: rounded, relative, and without steps that cannot be seen. */
export function pathWriter(leastStep = 0) {
  let text = ''
  let line: Spot[] = []
  const least = Math.max(1, leastStep * FINENESS)

  function add(x: number, y: number): void {
    const point: Spot = [Math.round(x * FINENESS), Math.round(y * FINENESS)]
    const before = line.at(-1)
    if (!before || Math.max(Math.abs(point[0] - before[0]), Math.abs(point[1] - before[1])) >= least) line.push(point)
  }

  function flush(closed: boolean): void {
    const [first, ...rest] = withoutStraights(line)
    line = []
    if (!first || rest.length < (closed ? 2 : 1)) return
    let [x, y] = first
    text += `M${pair(x, y)}l`
    const steps = rest.map(([nextX, nextY]) => {
      const step = pair(nextX - x, nextY - y)
      x = nextX
      y = nextY
      return step
    })
    text += steps.reduce((all, step) => (step.startsWith('-') ? all + step : `${all} ${step}`))
    if (closed) text += 'z'
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
