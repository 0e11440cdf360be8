import type { Formats } from '../../../framework/formats.ts'
import { tenth } from '../../../maps/path.ts'

interface Spot {
  /** Months since the year 0. */
  month: number
  distanceKm: number
}

const [WIDTH, HEIGHT, TOP, FOOT] = [1000, 190, 22, 24]
const FLOOR = HEIGHT - FOOT - TOP

const monthOf = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7)) - 1

/** Steps, since the distance grows with a flight and not between two of them. */
function pathOf(spots: readonly Spot[]): string {
  const [first, last] = [spots[0]!, spots.at(-1)!]
  const across = (month: number) => tenth(((month - first.month) / Math.max(1, last.month + 1 - first.month)) * WIDTH)
  const up = (km: number) => tenth(FLOOR - (km / Math.max(1, last.distanceKm)) * FLOOR)
  return `M0 ${FLOOR}${spots.map(({ month, distanceKm }) => `H${across(month)}V${up(distanceKm)}`).join('')}H${WIDTH}`
}

interface Props {
  /** Of the chart that it is in. */
  id: string
  title: string
  milestones: readonly { month: string; distanceKm: number }[]
  formats: Formats
}

/** How far the log has come, over time. */
export function Line({ id, title, milestones, formats }: Props) {
  const spots = milestones.map(({ month, distanceKm }) => ({ month: monthOf(month), distanceKm }))
  const path = pathOf(spots)
  const [first, last] = [milestones[0]!, milestones.at(-1)!]
  const day = (month: string) => formats.day(`${month}-01`, 'month')
  const words = `From nothing in ${day(first.month)} to ${formats.distance(last.distanceKm)} in ${day(last.month)}.`
  return (
    <svg
      class="line-chart"
      width="100%"
      height={HEIGHT}
      role="img"
      aria-labelledby={`${id}-name`}
      aria-describedby={`${id}-words`}
    >
      <title id={`${id}-name`}>{title}</title>
      <desc id={`${id}-words`}>{words}</desc>
      {/* Stretched to the width of the page, as letters must not be. */}
      <svg
        y={TOP}
        width="100%"
        height={FLOOR}
        viewBox={`0 0 ${WIDTH} ${FLOOR}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path class="area" d={`${path}V${FLOOR}z`} />
        <path class="line" d={path} />
      </svg>
      <line class="axis" x1="0" x2="100%" y1={TOP + FLOOR + 0.5} y2={TOP + FLOOR + 0.5} />
      <text class="end" x="100%" y={TOP - 8}>
        {formats.distance(last.distanceKm)}
      </text>
      <text class="start" x="0" y={HEIGHT - 6}>
        {day(first.month)}
      </text>
      <text class="end" x="100%" y={HEIGHT - 6}>
        {day(last.month)}
      </text>
    </svg>
  )
}
