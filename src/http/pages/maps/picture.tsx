import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Point } from '../../../lib/sphere.ts'
import { drawMap, type MapDrawing } from './draw.ts'
import { type MapRoute, PICTURE } from './plan.ts'
import { renderPng } from './png.ts'

/** As in `map.css`. */
const light = {
  ground: '#f5f7fa',
  sea: '#d3e5f1',
  land: '#f4f1e9',
  glacier: '#ffffff',
  border: '#cdc6b8',
  halo: '#9cc4e4',
  routes: ['#2a6cb5', '#6b55b8', '#a9449f', '#cf3f62', '#d9480f'],
  airport: '#134a83',
  track: '#b05216',
  ring: '#ffffff',
}

const [text, quiet, accent] = ['#e7eef5', '#a5b6c6', '#8cc4ff']
const dark: typeof light = {
  ground: '#0e151c',
  sea: '#0c1b2b',
  land: '#213140',
  glacier: '#2e4153',
  border: '#3a5066',
  halo: '#3f86c9',
  routes: ['#58b0ff', '#a695ff', '#e584d6', '#ff8f87', '#ffd166'],
  airport: '#d6eaff',
  track: '#ffb27a',
  ring: '#0e151c',
}

const LINE_WIDTH = [0, 1.8, 2.5, 3.3, 4.2, 5.2] as const
const DOT_WIDTH = [0, 6, 7, 8.5, 10, 12] as const
const [BORDER_WIDTH, TRACK_WIDTH, RING_WIDTH] = [0.8, 2, 1.5]
const HALO_SIZE = 1.08

interface Box {
  left?: number
  top?: number
  width: number
  height: number
}

function PictureMap({ drawing, box, colours }: { drawing: MapDrawing; box: Box; colours: typeof light }) {
  const { width, height, base, limb, legs, tracks, airports } = drawing
  const pixel = width / box.width
  const middle = { cx: width / 2, cy: height / 2 }
  // Preact writes an empty attribute without a value, which is not XML.
  const pathOf = (path: string) => ({ d: path || undefined })
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: rendered as PNG
    <svg x={box.left} y={box.top} width={box.width} height={box.height} viewBox={`0 0 ${width} ${height}`}>
      {limb === undefined ? (
        <rect width={width} height={height} fill={colours.sea} />
      ) : (
        <>
          <radialGradient id="halo">
            <stop offset={1 / HALO_SIZE} stop-color={colours.halo} stop-opacity="0.6" />
            <stop offset="1" stop-color={colours.halo} stop-opacity="0" />
          </radialGradient>
          <circle {...middle} r={limb * HALO_SIZE} fill="url(#halo)" />
          <circle {...middle} r={limb} fill={colours.sea} />
        </>
      )}
      <path {...pathOf(base.land)} fill={colours.land} />
      <path {...pathOf(base.glaciers)} fill={colours.glacier} />
      <path {...pathOf(base.lakes)} fill={colours.sea} />
      <g fill="none" stroke-linecap="round" stroke-linejoin="round">
        <path {...pathOf(base.borders)} stroke={colours.border} stroke-width={BORDER_WIDTH * pixel} />
        <g stroke-opacity={0.85}>
          {legs.map(({ size, path }) => (
            <path key={path} d={path} stroke={colours.routes[size - 1]} stroke-width={LINE_WIDTH[size] * pixel} />
          ))}
        </g>
        <path {...pathOf(tracks)} stroke={colours.track} stroke-width={TRACK_WIDTH * pixel} />
      </g>
      {[RING_WIDTH, 0].map((ring) => (
        <g key={ring} fill={ring > 0 ? colours.ring : colours.airport}>
          {airports.map(({ x, y, size }, index) => (
            <circle key={index} cx={x} cy={y} r={(DOT_WIDTH[size] / 2 + ring) * pixel} />
          ))}
        </g>
      ))}
    </svg>
  )
}

function drawForBox({ width, height }: Box, routes: Iterable<MapRoute>, tracks?: readonly Point[][]) {
  const shape = Math.round((1000 * height) / width)
  return drawMap(routes, tracks, { limits: { least: shape, most: shape } })
}

const renderPicture = ({ width, height }: Box, ground: string, content: ComponentChildren): Promise<Buffer> =>
  renderPng(
    renderToString(
      // biome-ignore lint/a11y/noSvgWithoutTitle: rendered as PNG
      <svg xmlns="http://www.w3.org/2000/svg" width={width} height={height}>
        <rect width={width} height={height} fill={ground} />
        {content}
      </svg>,
    ),
  )

/** The link preview of a share as PNG; undefined without routes. */
export async function previewOf(routes: Iterable<MapRoute>, tracks?: readonly Point[][]): Promise<Buffer | undefined> {
  const drawing = await drawForBox(PICTURE, routes, tracks)
  if (!drawing) return undefined
  return renderPicture(PICTURE, light.ground, <PictureMap drawing={drawing} box={PICTURE} colours={light} />)
}

/** Positions of text are baselines, sizes are font sizes. */
const layouts = {
  story: {
    width: 1080,
    height: 1920,
    map: { left: 0, top: 430, width: 1080, height: 860 },
    title: { x: 80, y: 280, size: 206 },
    subtitle: { y: 372, size: 60 },
    figures: { x: 80, y: 1430, columns: 2, across: 490, down: 165, size: 82, label: 36 },
  },
  card: {
    ...PICTURE,
    map: { left: 400, top: 0, width: 800, height: 630 },
    title: { x: 44, y: 132, size: 116 },
    subtitle: { y: 184, size: 34 },
    figures: { x: 44, y: 250, columns: 1, across: 320, down: 78, size: 42, label: 21 },
  },
}

interface Poster {
  format: keyof typeof layouts
  title: string
  subtitle: string
  figures: readonly (readonly [label: string, value: string])[]
  routes: Iterable<MapRoute>
}

/** The average width of a character, relative to the font size. */
const CHARACTER_WIDTH = 0.58
const LABEL_DISTANCE = 1.35

/** A map with a title and figures as PNG; undefined without routes. */
export async function posterOf({ format, title, subtitle, figures, routes }: Poster): Promise<Buffer | undefined> {
  const { width, height, map, title: head, subtitle: below, figures: grid } = layouts[format]
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
          const fittingSize = (grid.across - grid.label) / (value.length * CHARACTER_WIDTH)
          return (
            <g key={label}>
              <text x={x} y={y} font-size={Math.min(grid.size, fittingSize)} fill={text}>
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
  return renderPicture({ width, height }, dark.ground, content)
}
