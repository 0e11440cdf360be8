import { pluralize } from '../../../lib/english.ts'
import type { Formats } from '../framework/formats.ts'
import type { MapDrawing } from './draw.ts'
import { heightScales } from './heights.ts'
import type { Label } from './labels.ts'
import type { MapPlace } from './plan.ts'

export interface LogLinks {
  basePath: string
  query: string
}

const Labels = ({ labels, kind }: { labels: readonly Label[]; kind: string }) => (
  <g class={`labels ${kind}`}>
    {labels.map(({ x, y, anchor, text }, index) => (
      <text key={index} x={x.toFixed(1)} y={y.toFixed(1)} text-anchor={anchor === 'start' ? undefined : anchor}>
        {text}
      </text>
    ))}
  </g>
)

export function RouteMap({ drawing }: { drawing: MapDrawing }) {
  const { width, height, sea, grid, land, borders, legs, tracks, heights, airports, labels } = drawing
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
      <path class="borders" d={borders} />
      {legs.map(({ size, isPlanned, path }, index) => (
        <path key={index} class={`flown${isPlanned ? ' planned' : ''} size-${size}`} d={path} />
      ))}
      {tracks !== '' && <path class="tracks" d={tracks} />}
      {heights.map(({ band, path }, index) => (
        <path key={index} class={`tracks height-${band ?? 'unknown'}`} d={path} />
      ))}
      {airports.map(({ x, y, size, code, name }, index) => (
        // A line of length 0 with round ends; unlike a circle it has the same size on every screen.
        <path key={index} class={`airport size-${size}`} d={`M${x} ${y}h0`}>
          <title>{`${code} ${name}`}</title>
        </path>
      ))}
      <Labels labels={labels.wide} kind="wide" />
      <Labels labels={labels.narrow} kind="narrow" />
    </svg>
  )
}

export function HeightLegend({ drawing, formats }: { drawing: MapDrawing; formats: Formats }) {
  if (drawing.heights.length === 0) return null
  const { unit, steps } = heightScales[formats.heightUnit]
  const ranges = [`below ${formats.count(steps[0])}`, ...steps.map((step) => `${formats.count(step)}+`)]
  return (
    <p class="legend">
      Altitude ({unit}):{' '}
      {ranges.map((range, band) => (
        <span key={range} class={`key height-${band}`}>
          {range}
        </span>
      ))}
    </p>
  )
}

const End = ({ place }: { place: MapPlace }) => (
  <>
    <strong>{place.code}</strong> <bdi>{place.municipality ?? place.name}</bdi>
  </>
)

function routeAddress(from: MapPlace, to: MapPlace, { basePath, query }: LogLinks): string {
  const parameters = new URLSearchParams(query)
  for (const name of ['fromId', 'toId']) parameters.set(name, `${from.id},${to.id}`)
  parameters.delete('airportId')
  return `${basePath}/?${parameters.toString().replaceAll('%2C', ',')}`
}

export const RouteList = ({ lines, links }: Pick<MapDrawing, 'lines'> & { links?: LogLinks }) => (
  <details class="in-words">
    <summary class="fold">List routes</summary>
    <ul class="routes">
      {lines.map(({ from, to, count }, index) => (
        <li key={index}>
          <span>
            <End place={from} /> – <End place={to} />
          </span>
          {links ? (
            <a href={routeAddress(from, to, links)}>{pluralize(count, 'flight')}</a>
          ) : (
            <span class="quiet">{pluralize(count, 'flight')}</span>
          )}
        </li>
      ))}
    </ul>
  </details>
)
