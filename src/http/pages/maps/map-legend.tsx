import { useTexts } from '../framework/localization.ts'
import type { MapDrawing } from './draw.ts'

export function MapLegend({ drawing }: { drawing: MapDrawing }) {
  const { legs, tracks } = drawing
  const t = useTexts().routeMap
  const flown = legs.filter(({ isPlanned }) => !isPlanned)
  const largest = Math.max(0, ...flown.map(({ size }) => size))
  const items = [
    ...Object.values(t.counts)
      .slice(0, largest)
      .map((count, index) => ({
        style: `size-${index + 1}`,
        label: largest === 1 ? t.route : count,
      })),
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
