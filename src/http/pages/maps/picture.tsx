import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Point } from '../../../lib/sphere.ts'
import { drawMap, type MapDrawing } from './draw.ts'
import { type MapRoute, PICTURE } from './plan.ts'
import { renderPng } from './png.ts'

export interface MapColours {
  ground: string
  sea: string
  land: string
  route: string
  track: string
  ring: string
}

const light: MapColours = {
  ground: '#f5f7fa',
  sea: '#e2edf6',
  land: '#c8d4cd',
  route: '#1a5694',
  track: '#b05216',
  ring: '#ffffff',
}

/** In pixels, by size. */
const LINE_WIDTH = [0, 1.8, 2.5, 3.3, 4.2, 5.2] as const
const DOT_WIDTH = [0, 6, 7, 8.5, 10, 12] as const
const [BORDER_WIDTH, TRACK_WIDTH, RING_WIDTH] = [0.8, 2, 1.5]

interface Box {
  left?: number
  top?: number
  width: number
  height: number
}

/** A map without text. Widths of lines and dots are in pixels of the picture. */
export function PictureMap({ drawing, box, colours }: { drawing: MapDrawing; box: Box; colours: MapColours }) {
  const { width, height, sea, land, borders, legs, tracks, airports } = drawing
  const pixel = width / box.width
  // Preact writes an empty attribute without a value, which is not XML.
  const pathOf = (path: string) => ({ d: path || undefined })
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: rendered as PNG
    <svg x={box.left} y={box.top} width={box.width} height={box.height} viewBox={`0 0 ${width} ${height}`}>
      <path {...pathOf(sea)} fill={colours.sea} />
      <path {...pathOf(land)} fill={colours.land} />
      <g fill="none" stroke-linecap="round" stroke-linejoin="round">
        <path {...pathOf(borders)} stroke={colours.sea} stroke-width={BORDER_WIDTH * pixel} />
        <g stroke={colours.route} stroke-opacity={0.75}>
          {legs.map(({ size, path }) => (
            <path key={path} d={path} stroke-width={LINE_WIDTH[size] * pixel} />
          ))}
        </g>
        <path {...pathOf(tracks)} stroke={colours.track} stroke-width={TRACK_WIDTH * pixel} />
      </g>
      {[RING_WIDTH, 0].map((ring) => (
        <g key={ring} fill={ring > 0 ? colours.ring : colours.route}>
          {airports.map(({ x, y, size }, index) => (
            <circle key={index} cx={x} cy={y} r={(DOT_WIDTH[size] / 2 + ring) * pixel} />
          ))}
        </g>
      ))}
    </svg>
  )
}

/** Draws a map that fills a box; nothing without routes. */
export function drawForBox({ width, height }: Box, routes: Iterable<MapRoute>, tracks?: readonly Point[][]) {
  const shape = Math.round((1000 * height) / width)
  return drawMap(routes, tracks, { limits: { least: shape, most: shape } })
}

interface Picture {
  width: number
  height: number
  ground: string
  content: ComponentChildren
}

export const renderPicture = ({ width, height, ground, content }: Picture): Promise<Buffer> =>
  renderPng(
    renderToString(
      // biome-ignore lint/a11y/noSvgWithoutTitle: rendered as PNG
      <svg xmlns="http://www.w3.org/2000/svg" width={width} height={height}>
        <rect width={width} height={height} fill={ground} />
        {content}
      </svg>,
    ),
  )

/** The preview of a share as a PNG, without text; nothing without routes. */
export async function previewOf(routes: Iterable<MapRoute>, tracks?: readonly Point[][]): Promise<Buffer | undefined> {
  const drawing = await drawForBox(PICTURE, routes, tracks)
  if (!drawing) return undefined
  const content = <PictureMap drawing={drawing} box={PICTURE} colours={light} />
  return renderPicture({ ...PICTURE, ground: light.ground, content })
}
