import { useTexts } from '../framework/localization.ts'
import type { MapDrawing } from './draw.ts'

export function MapLegend({ drawing }: { drawing: MapDrawing }) {
  const { legs, tracks } = drawing
  const t = useTexts().routeMap
  const flown = legs.filter(({ isPlanned }) => !isPlanned)
  const sizes = [...new Set(flown.map(({ size }) => size))]
  const scale = Object.values(t.counts)
    .slice(0, Math.max(0, ...sizes))
    .map((label, index) => ({ style: `size-${index + 1}`, label }))
  const items = [
    ...(sizes.length === 1 ? [{ style: `size-${sizes[0]}`, label: t.route }] : scale),
    ...(flown.length < legs.length ? [{ style: 'planned', label: t.planned }] : []),
    ...(tracks !== '' ? [{ style: 'tracked', label: t.track }] : []),
  ]
  return (
    <ul class="legend map-legend" aria-label={t.legend}>
      {items.map(({ style, label }) => (
        <li key={style} class={style}>
          {label}
        </li>
      ))}
    </ul>
  )
}
