import type { MapDrawing } from './draw.ts'
import { textWidth } from './labels.ts'

/** The dark colours of `tokens.css`, by the names of their tokens. resvg does not support variables. */
export const colours = {
  ground: '#0e151c',
  text: '#e7eef5',
  quiet: '#a5b6c6',
  accent: '#8cc4ff',
  warm: '#ffb454',
  sea: '#0d1c2c',
  shallow: '#16304a',
  land: '#22313f',
  glacier: '#314558',
  border: '#41576c',
  halo: '#3d83c4',
  grid: '#1a2f44',
  airport: '#d6eaff',
  track: '#ffb27a',
  'route-1': '#58b0ff',
  'route-2': '#a695ff',
  'route-3': '#e584d6',
  'route-4': '#ff8f87',
  'route-5': '#ffd166',
} as const

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

const LINE_WIDTH = [0, 2, 2.6, 3.4, 4.2, 5.2] as const
const DOT_WIDTH = [0, 7, 8, 9.5, 11, 13] as const
const [BORDER_WIDTH, TRACK_WIDTH, RING_WIDTH] = [0.8, 2.4, 2]
/** Wide lines of low opacity. A blur takes twice the time of the rest of the picture. */
const GLOW = { width: 4, opacity: 0.16 }
const HALO_SIZE = 1.08
/** The edges of a map without an outline fade into the ground. */
const FADE = 80
/** The size of `narrow` labels. */
const LABEL_SIZE = 30

/** Preact writes an empty attribute without a value, which is not XML. */
const pathOf = (path: string) => ({ d: path || undefined })

function Sphere({ width, height, limb }: { width: number; height: number; limb: number }) {
  const middle = { cx: width / 2, cy: height / 2 }
  return (
    <>
      <radialGradient id="halo">
        <stop offset={1 / HALO_SIZE} stop-color={colours.halo} stop-opacity="0.6" />
        <stop offset="1" stop-color={colours.halo} stop-opacity="0" />
      </radialGradient>
      <radialGradient id="sea">
        <stop offset="0.5" stop-color={colours.shallow} />
        <stop offset="1" stop-color={colours.sea} />
      </radialGradient>
      <circle {...middle} r={limb * HALO_SIZE} fill="url(#halo)" />
      <circle {...middle} r={limb} fill="url(#sea)" />
    </>
  )
}

const edges = [
  { id: 'left', x1: 0, y1: 0, x2: 1, y2: 0 },
  { id: 'top', x1: 0, y1: 0, x2: 0, y2: 1 },
  { id: 'right', x1: 1, y1: 0, x2: 0, y2: 0 },
  { id: 'bottom', x1: 0, y1: 1, x2: 0, y2: 0 },
] as const

function FadedEdges({ width, height }: { width: number; height: number }) {
  const rects = {
    left: { x: 0, y: 0, width: FADE, height },
    top: { x: 0, y: 0, width, height: FADE },
    right: { x: width - FADE, y: 0, width: FADE, height },
    bottom: { x: 0, y: height - FADE, width, height: FADE },
  }
  return (
    <>
      {edges.map(({ id, ...line }) => (
        <g key={id}>
          <linearGradient id={`edge-${id}`} {...line}>
            <stop offset="0.08" stop-color={colours.ground} />
            <stop offset="1" stop-color={colours.ground} stop-opacity="0" />
          </linearGradient>
          <rect {...rects[id]} fill={`url(#edge-${id})`} />
        </g>
      ))}
    </>
  )
}

function Earth({ drawing }: { drawing: MapDrawing }) {
  const { width, height, base, limb, view } = drawing
  return (
    <>
      {limb === undefined ? (
        <rect width={width} height={height} fill={colours.sea} />
      ) : (
        <Sphere width={width} height={height} limb={limb} />
      )}
      <path {...pathOf(base.grid)} fill="none" stroke={colours.grid} />
      <path {...pathOf(base.land)} fill={colours.land} />
      <path {...pathOf(base.glaciers)} fill={colours.glacier} />
      <path {...pathOf(base.lakes)} fill={colours.sea} />
      <path {...pathOf(base.borders)} fill="none" stroke={colours.border} stroke-width={BORDER_WIDTH} />
      {!view.isWhole && <FadedEdges width={width} height={height} />}
    </>
  )
}

function Lines({ drawing: { legs, tracks }, pixel }: { drawing: MapDrawing; pixel: number }) {
  const lines = [
    ...legs.map(({ size, path }) => ({ path, colour: colours[`route-${size}`], width: LINE_WIDTH[size] * pixel })),
    { path: tracks, colour: colours.track, width: TRACK_WIDTH * pixel },
  ]
  const layers = [
    { factor: GLOW.width, opacity: GLOW.opacity },
    { factor: 1, opacity: 0.95 },
  ]
  return (
    <g fill="none" stroke-linecap="round" stroke-linejoin="round">
      {layers.map(({ factor, opacity }) => (
        <g key={factor} stroke-opacity={opacity}>
          {lines.map(({ path, colour, width }, index) => (
            <path key={index} {...pathOf(path)} stroke={colour} stroke-width={width * factor} />
          ))}
        </g>
      ))}
    </g>
  )
}

/** A map whose sea ends at the edges of the box without a border. Maps that are lower than the box are in its middle. */
export function PictureMap({ drawing, box }: { drawing: MapDrawing; box: Box }) {
  const { width, height, airports, labels } = drawing
  const pixel = width / box.width
  const shownHeight = Math.round(height / pixel)
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: rendered as PNG
    <svg
      x={box.left}
      y={Math.round(box.top + (box.height - shownHeight) / 2)}
      width={box.width}
      height={shownHeight}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      overflow={drawing.view.isWhole ? 'visible' : undefined}
    >
      <Earth drawing={drawing} />
      <Lines drawing={drawing} pixel={pixel} />
      {[RING_WIDTH, 0].map((ring) => (
        <g key={ring} fill={ring > 0 ? colours.ground : colours.airport}>
          {airports.map(({ x, y, size }, index) => (
            <circle key={index} cx={x} cy={y} r={(DOT_WIDTH[size] / 2 + ring) * pixel} />
          ))}
        </g>
      ))}
      <g
        font-size={LABEL_SIZE * 0.9}
        fill={colours.airport}
        stroke={colours.ground}
        stroke-width="5"
        stroke-linejoin="round"
        paint-order="stroke"
      >
        {labels.narrow.map(({ x, y, anchor, text }, index) => (
          <text key={index} x={x} y={y} text-anchor={anchor}>
            {text}
          </text>
        ))}
      </g>
    </svg>
  )
}

/** The largest font size up to `size` at which a text fits into a width. */
export const fittingSize = (text: string, { size, width }: { size: number; width: number }): number =>
  Math.min(size, width / textWidth(text))
