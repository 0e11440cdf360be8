import { type Colour, canvas } from './canvas.ts'
import { linesOfText, textWidth, type Writing } from './letters.ts'
import { type MapColours, paintRoutes } from './picture.ts'
import { type MapRoute, PICTURE } from './plan.ts'

/** A map with a title and figures, to be shown around. */

const text: Colour = [231, 238, 245]
const quiet: Colour = [165, 182, 198]
const accent: Colour = [140, 196, 255]
const dark: MapColours = {
  ground: [14, 21, 28],
  sea: [18, 32, 45],
  land: [49, 67, 82],
  route: accent,
  track: [255, 178, 122],
  ring: [14, 21, 28],
}

interface Layout {
  width: number
  height: number
  map: { left: number; top: number; width: number; height: number }
  title: { x: number; y: number; size: number; below: number }
  figures: { x: number; y: number; columns: number; across: number; down: number; size: number; label: number }
}

const layouts = {
  /** For a phone held upright. */
  story: {
    width: 1080,
    height: 1920,
    map: { left: 0, top: 430, width: 1080, height: 860 },
    title: { x: 80, y: 130, size: 150, below: 44 },
    figures: { x: 80, y: 1370, columns: 2, across: 490, down: 165, size: 60, label: 26 },
  },
  /** For what networks show beside a link. */
  card: {
    ...PICTURE,
    map: { left: 400, top: 0, width: 800, height: 630 },
    title: { x: 44, y: 48, size: 84, below: 24 },
    figures: { x: 44, y: 216, columns: 1, across: 320, down: 78, size: 30, label: 15 },
  },
} as const satisfies Record<string, Layout>

interface Poster {
  format: keyof typeof layouts
  title: string
  subtitle: string
  figures: readonly (readonly [label: string, value: string])[]
  routes: Iterable<MapRoute>
}

const BOLDNESS = 0.13
/** Between a figure and what it is of. */
const GAP = 0.45

/** As large as wanted, or as its room lets it be. */
const fitting = (words: string, size: number, room: number) => Math.min(size, (size * room) / textWidth(words, size))

async function paint({ format, title, subtitle, figures, routes }: Poster): Promise<Buffer | undefined> {
  const { width, height, map, title: head, figures: grid }: Layout = layouts[format]
  const drawn = await paintRoutes({ routes, size: map, colours: dark })
  if (!drawn) return undefined
  const picture = canvas(width, height, dark.ground)
  picture.place(drawn, map.left, map.top)
  const write = (writing: Writing, colour: Colour) =>
    picture.stroke(linesOfText(writing), writing.size * BOLDNESS, colour)
  await write({ text: title, x: head.x, y: head.y, size: head.size }, accent)
  await write({ text: subtitle, x: head.x, y: head.y + head.size * 1.3, size: head.below }, quiet)
  for (const [index, [label, value]] of figures.entries()) {
    const x = grid.x + (index % grid.columns) * grid.across
    const y = grid.y + Math.floor(index / grid.columns) * grid.down
    await write({ text: value, x, y, size: fitting(value, grid.size, grid.across - 2 * grid.label) }, text)
    await write({ text: label, x, y: y + grid.size * (1 + GAP), size: grid.label }, quiet)
  }
  return picture.png()
}

let last: Promise<unknown> = Promise.resolve()

/** A PNG. Each takes some 20 MB while it is painted, so there is one at a time. */
export function paintPoster(poster: Poster): Promise<Buffer | undefined> {
  const mine = last.then(() => paint(poster))
  last = mine.catch(() => undefined)
  return mine
}
