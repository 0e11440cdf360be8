import { drawForBox, type MapColours, PictureMap, renderPicture } from './picture.tsx'
import { type MapRoute, PICTURE } from './plan.ts'

/** A map with a title and figures, to be shown around. */

const [text, quiet, accent] = ['#e7eef5', '#a5b6c6', '#8cc4ff']
const dark: MapColours = {
  ground: '#0e151c',
  sea: '#12202d',
  land: '#314352',
  route: accent,
  track: '#ffb27a',
  ring: '#0e151c',
}

/** Positions are those of baselines, sizes those of the font. */
interface Layout {
  width: number
  height: number
  map: { left: number; top: number; width: number; height: number }
  title: { x: number; y: number; size: number }
  subtitle: { y: number; size: number }
  figures: { x: number; y: number; columns: number; across: number; down: number; size: number; label: number }
}

const layouts = {
  /** For a phone held upright. */
  story: {
    width: 1080,
    height: 1920,
    map: { left: 0, top: 430, width: 1080, height: 860 },
    title: { x: 80, y: 280, size: 206 },
    subtitle: { y: 372, size: 60 },
    figures: { x: 80, y: 1430, columns: 2, across: 490, down: 165, size: 82, label: 36 },
  },
  /** For what networks show beside a link. */
  card: {
    ...PICTURE,
    map: { left: 400, top: 0, width: 800, height: 630 },
    title: { x: 44, y: 132, size: 116 },
    subtitle: { y: 184, size: 34 },
    figures: { x: 44, y: 250, columns: 1, across: 320, down: 78, size: 42, label: 21 },
  },
} as const satisfies Record<string, Layout>

interface Poster {
  format: keyof typeof layouts
  title: string
  subtitle: string
  figures: readonly (readonly [label: string, value: string])[]
  routes: Iterable<MapRoute>
}

/** The average width of the characters of a figure, in parts of the font size. */
const CHARACTER_WIDTH = 0.58
const LABEL_DISTANCE = 1.35

const fittingSize = (words: string, size: number, room: number) =>
  Math.min(size, room / (words.length * CHARACTER_WIDTH))

/** A PNG; nothing without routes. */
export async function posterOf({ format, title, subtitle, figures, routes }: Poster): Promise<Buffer | undefined> {
  const { width, height, map, title: head, subtitle: below, figures: grid }: Layout = layouts[format]
  const drawing = await drawForBox(map, routes)
  if (!drawing) return undefined
  const content = (
    <>
      <PictureMap drawing={drawing} box={map} colours={dark} />
      <g font-family="Inter" font-weight="600">
        <text x={head.x} y={head.y} font-size={head.size} fill={accent}>
          {title}
        </text>
        <text x={head.x} y={below.y} font-size={below.size} fill={quiet}>
          {subtitle}
        </text>
        {figures.map(([label, value], index) => {
          const x = grid.x + (index % grid.columns) * grid.across
          const y = grid.y + Math.floor(index / grid.columns) * grid.down
          return (
            <g key={label}>
              <text x={x} y={y} font-size={fittingSize(value, grid.size, grid.across - grid.label)} fill={text}>
                {value}
              </text>
              <text x={x} y={y + grid.label * LABEL_DISTANCE} font-size={grid.label} fill={quiet}>
                {label}
              </text>
            </g>
          )
        })}
      </g>
    </>
  )
  return renderPicture({ width, height, ground: dark.ground, content })
}
