import type { MapDrawing } from './draw.ts'

const COUNTS = ['1 flight', '2–3 flights', '4–7 flights', '8–15 flights', '16+ flights']

export function MapLegend({ drawing }: { drawing: MapDrawing }) {
  const { legs, tracks } = drawing
  const flown = legs.filter(({ isPlanned }) => !isPlanned)
  const largest = Math.max(0, ...flown.map(({ size }) => size))
  const items = [
    ...COUNTS.slice(0, largest).map((count, index) => ({
      style: `size-${index + 1}`,
      label: largest === 1 ? 'Route' : count,
    })),
    ...(flown.length < legs.length ? [{ style: 'planned', label: 'Planned' }] : []),
    ...(tracks !== '' ? [{ style: 'tracked', label: 'Recorded track' }] : []),
  ]
  return (
    <ul class="legend map-legend" aria-label="Map legend">
      {items.map(({ style, label }) => (
        <li key={style} class={style}>
          {label}
        </li>
      ))}
    </ul>
  )
}
