import { inDigits } from '../../../lib/english.ts'
import type { MapDrawing } from '../map/draw.ts'
import type { Label } from '../map/labels.ts'
import type { MapPlace } from '../map/plan.ts'

function Labels({ labels, kind }: { labels: readonly Label[]; kind: string }) {
  return (
    <g class={`labels ${kind}`}>
      {labels.map(({ x, y, anchor, text }, index) => (
        // Two airports may have the same code; the order never changes on the page.
        <text key={index} x={x.toFixed(1)} y={y.toFixed(1)} text-anchor={anchor === 'start' ? undefined : anchor}>
          {text}
        </text>
      ))}
    </g>
  )
}

/** One drawing that needs no script and loads nothing; its colours come with the theme. */
export function RouteMap({ drawing }: { drawing: MapDrawing }) {
  const { width, height, sea, grid, land, legs, tracks, airports, labels } = drawing
  return (
    <svg
      class="map"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-labelledby="map-title"
      aria-describedby="map-words"
    >
      <title id="map-title">{drawing.title}</title>
      <desc id="map-words">{drawing.description}</desc>
      <path class="sea" d={sea} />
      <path class="grid" d={grid} />
      <path class="land" d={land} />
      {legs.map(({ size, path }) => (
        <path key={size} class={`flown size-${size}`} d={path} />
      ))}
      {tracks !== '' && <path class="tracks" d={tracks} />}
      {airports.map(({ x, y, size, code, name }, index) => (
        // A line without length has round ends, and unlike a circle the same size on every screen.
        <path key={index} class={`airport size-${size}`} d={`M${x} ${y}h0`}>
          <title>{`${code} ${name}`}</title>
        </path>
      ))}
      <Labels labels={labels.wide} kind="wide" />
      <Labels labels={labels.narrow} kind="narrow" />
    </svg>
  )
}

function End({ place }: { place: MapPlace }) {
  return (
    <>
      <strong>{place.code}</strong> {place.municipality ?? place.name}
    </>
  )
}

/** The map in words, folded away until somebody asks. */
export function RouteList({ lines }: Pick<MapDrawing, 'lines'>) {
  return (
    <details class="in-words">
      <summary class="fold">The routes as a list</summary>
      <ul class="routes">
        {lines.map(({ from, to, count }, index) => (
          <li key={index}>
            <span>
              <End place={from} /> – <End place={to} />
            </span>
            <span class="quiet">{`${inDigits(count)} ${count === 1 ? 'flight' : 'flights'}`}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
