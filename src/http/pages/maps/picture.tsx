import { renderToString } from 'preact-render-to-string'
import type { Point } from '../../../lib/sphere.ts'
import { MARK_PATH } from '../framework/brand.ts'
import { drawMap } from './draw.ts'
import { type Box, colours, fittingSize, PictureMap } from './picture-map.tsx'
import { type MapRoute, type PictureFormat, pictureSizes } from './plan.ts'
import { renderPng } from './png.ts'

/** Positions are baselines, sizes are font sizes. */
interface Line {
  x: number
  y: number
  size: number
  width: number
}

interface Layout {
  width: number
  height: number
  map: Box
  title: Line
  subtitle: Line
  hero: Line
  figures: { x: number; y: number; columns: number; across: number; down: number; size: number }
  label: number
  brand: { x: number; y: number; size: number }
}

const layouts: Readonly<Record<PictureFormat, Layout>> = {
  story: {
    ...pictureSizes.story,
    map: { left: 0, top: 420, width: 1080, height: 940 },
    title: { x: 72, y: 300, size: 250, width: 936 },
    subtitle: { x: 80, y: 384, size: 56, width: 936 },
    hero: { x: 80, y: 1490, size: 148, width: 920 },
    figures: { x: 80, y: 1700, columns: 4, across: 240, down: 0, size: 76 },
    label: 36,
    brand: { x: 80, y: 1850, size: 34 },
  },
  square: {
    ...pictureSizes.square,
    map: { left: 0, top: 150, width: 1080, height: 640 },
    title: { x: 56, y: 164, size: 140, width: 640 },
    subtitle: { x: 60, y: 214, size: 34, width: 640 },
    hero: { x: 60, y: 880, size: 96, width: 940 },
    figures: { x: 60, y: 1004, columns: 4, across: 245, down: 0, size: 54 },
    label: 26,
    brand: { x: 880, y: 110, size: 30 },
  },
  card: {
    ...pictureSizes.card,
    map: { left: 380, top: 0, width: 820, height: 630 },
    title: { x: 46, y: 142, size: 118, width: 350 },
    subtitle: { x: 50, y: 186, size: 30, width: 350 },
    hero: { x: 50, y: 320, size: 66, width: 350 },
    figures: { x: 50, y: 428, columns: 2, across: 180, down: 96, size: 42 },
    label: 22,
    brand: { x: 50, y: 600, size: 20 },
  },
}

/** A flat map of the world would fill a tall box with Antarctica. */
const MIN_FLAT_HEIGHT = 620

type Figure = readonly [label: string, value: string]

/** The texts of a picture. Parts that are too wide shrink. */
export interface PictureTexts {
  title: string
  subtitle: string
  /** The first is the largest. */
  figures: readonly Figure[]
}

const LABEL_DISTANCE = 1.35
const VALUE_SPACING = -0.03

function Value({ line, label, labelSize }: { line: Line & { text: string }; label: string; labelSize: number }) {
  const { x, y, text } = line
  return (
    <g>
      <text x={x} y={y} font-size={fittingSize(text, line)} font-weight="600" letter-spacing={`${VALUE_SPACING}em`}>
        {text}
      </text>
      <text
        x={x}
        y={y + labelSize * LABEL_DISTANCE}
        font-size={fittingSize(label, { size: labelSize, width: line.width })}
        fill={colours.quiet}
      >
        {label}
      </text>
    </g>
  )
}

const MARK_SIZE = 24

const Brand = ({ x, y, size }: Layout['brand']) => (
  <g fill={colours.quiet}>
    <path
      d={MARK_PATH}
      transform={`translate(${x} ${y - size * 0.92}) scale(${(size * 1.1) / MARK_SIZE})`}
      fill={colours.accent}
    />
    <text x={x + size * 1.5} y={y} font-size={size} font-weight="600">
      Paxlog
    </text>
  </g>
)

function Texts({ layout, texts: { title, subtitle, figures } }: { layout: Layout; texts: PictureTexts }) {
  const { figures: grid, hero, label: labelSize } = layout
  const [first, ...others] = figures
  return (
    <g font-family="Inter" font-weight="500" fill={colours.text}>
      <text
        x={layout.title.x}
        y={layout.title.y}
        font-size={fittingSize(title, layout.title)}
        font-weight="600"
        letter-spacing="-0.04em"
      >
        {title}
      </text>
      <text
        x={layout.subtitle.x}
        y={layout.subtitle.y}
        font-size={fittingSize(subtitle, layout.subtitle)}
        fill={colours.accent}
      >
        {subtitle}
      </text>
      {first && (
        <g fill={colours.warm}>
          <Value line={{ ...hero, text: first[1] }} label={first[0]} labelSize={labelSize} />
        </g>
      )}
      {others.map(([label, text], index) => {
        const { x, y, columns, across, down, size } = grid
        const line = {
          x: x + (index % columns) * across,
          y: y + Math.floor(index / columns) * down,
          size,
          width: across - labelSize,
          text,
        }
        return <Value key={label} line={line} label={label} labelSize={labelSize} />
      })}
      <Brand {...layout.brand} />
    </g>
  )
}

interface Picture extends PictureTexts {
  format: PictureFormat
  routes: Iterable<MapRoute>
  tracks?: readonly Point[][]
}

/** A map with a title and figures as PNG; undefined without routes. */
export async function pictureOf({ format, routes, tracks, ...texts }: Picture): Promise<Buffer | undefined> {
  const layout = layouts[format]
  const { width, height, map } = layout
  const shape = Math.round((1000 * map.height) / map.width)
  const limits = { least: shape, most: shape, leastFlat: Math.min(shape, MIN_FLAT_HEIGHT) }
  const drawing = await drawMap(routes, tracks, { limits, isCropped: true })
  if (!drawing) return undefined
  return renderPng(
    renderToString(
      // biome-ignore lint/a11y/noSvgWithoutTitle: rendered as PNG
      <svg xmlns="http://www.w3.org/2000/svg" width={width} height={height} font-family="Inter" font-weight="500">
        <rect width={width} height={height} fill={colours.ground} />
        <PictureMap drawing={drawing} box={map} />
        <Texts layout={layout} texts={texts} />
      </svg>,
    ),
  )
}
