import type { Formats } from '../framework/formats.ts'
import { useTexts } from '../framework/localization.ts'
import type { PageTexts } from '../texts/languages.ts'
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

export function mapDescription({ lines, routeCount, airportCount }: MapDrawing, { routeMap: t }: PageTexts): string {
  const sentences = [
    t.description({ routes: t.routes({ count: routeCount }), airports: t.airports({ count: airportCount }) }),
  ]
  const [first] = lines
  if (first && first.count > 1) {
    sentences.push(t.mostFlown({ from: first.from.code, to: first.to.code, count: first.count }))
  }
  if (lines.length < routeCount) sentences.push(t.onlyMostFlown({ drawn: lines.length }))
  return sentences.join(' ')
}

const HALO_SIZE = 1.08

/** Water and land. The outline of a globe has a halo. */
function Earth({ drawing: { width, height, base, limb } }: { drawing: MapDrawing }) {
  const middle = { cx: width / 2, cy: height / 2 }
  return (
    <>
      <defs>
        <radialGradient id="map-halo">
          <stop class="halo-edge" offset={(1 / HALO_SIZE).toFixed(3)} />
          <stop class="halo-end" offset="1" />
        </radialGradient>
        <radialGradient id="map-sea">
          <stop class="sea-middle" offset="0.55" />
          <stop class="sea-edge" offset="1" />
        </radialGradient>
      </defs>
      {limb === undefined ? (
        <rect class="sea" x="-8" y="-8" width={width + 16} height={height + 16} />
      ) : (
        <>
          <circle fill="url(#map-halo)" r={(limb * HALO_SIZE).toFixed(1)} {...middle} />
          <circle fill="url(#map-sea)" r={limb.toFixed(1)} {...middle} />
        </>
      )}
      {base.grid !== '' && <path class="grid" d={base.grid} />}
      <path class="land coast" d={base.land} />
      <path class="glaciers" d={base.glaciers} />
      <path class="lakes" d={base.lakes} />
      <path class="borders" d={base.borders} />
    </>
  )
}

const PlaceNames = ({ names }: Pick<MapDrawing, 'names'>) => (
  <g class="names">
    {names.map(({ kind, x, y, text }) =>
      kind === 'city' || kind === 'capital' ? (
        <text key={text} class={kind} x={x} y={y} dx="6">
          {text}
        </text>
      ) : (
        <text key={`${text} ${x}`} class={kind} x={x} y={y}>
          {text}
        </text>
      ),
    )}
  </g>
)

export function RouteMap({ drawing }: { drawing: MapDrawing }) {
  const texts = useTexts()
  const { width, height, view, legs, tracks, heights, airports, labels } = drawing
  return (
    <svg
      class="map"
      viewBox={`0 0 ${width} ${height}`}
      // On narrow screens a whole globe fills the height.
      preserveAspectRatio={view.isWhole ? 'xMidYMid slice' : undefined}
      role="img"
      aria-labelledby="map-title"
      aria-describedby="map-words"
    >
      <title id="map-title">{texts.routeMap.title({ count: drawing.routeCount })}</title>
      <desc id="map-words">{mapDescription(drawing, texts)}</desc>
      <Earth drawing={drawing} />
      <PlaceNames names={drawing.names} />
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
  const t = useTexts().routeMap
  if (drawing.heights.length === 0) return null
  const { unit, steps } = heightScales[formats.heightUnit]
  const ranges = [t.below({ altitude: steps[0] }), ...steps.map((altitude) => t.from({ altitude }))]
  return (
    <p class="legend">
      {t.altitude[unit]}{' '}
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

export function RouteList({ lines, links }: Pick<MapDrawing, 'lines'> & { links?: LogLinks }) {
  const { routeMap, formats } = useTexts()
  return (
    <details class="in-words">
      <summary class="fold">{routeMap.listRoutes}</summary>
      <ul class="routes">
        {lines.map(({ from, to, count }, index) => (
          <li key={index}>
            <span>
              <End place={from} /> – <End place={to} />
            </span>
            {links ? (
              <a class="standalone" href={routeAddress(from, to, links)}>
                {formats.flights({ count })}
              </a>
            ) : (
              <span class="quiet">{formats.flights({ count })}</span>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}
