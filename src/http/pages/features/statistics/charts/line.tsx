import type { Formats } from '../../../framework/formats.ts'
import { useTexts } from '../../../framework/localization.ts'
import { tenth } from '../../../maps/path.ts'

interface Milestone {
  month: string
  distanceKm: number
}

const [WIDTH, HEIGHT, TOP, FOOT] = [1000, 190, 22, 24]
const FLOOR = HEIGHT - FOOT - TOP

const monthNumber = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1

/** Draws steps, because the distance only grows with a flight. */
function pathOf(milestones: readonly Milestone[]): string {
  const [first, last] = [milestones[0]!, milestones.at(-1)!]
  const start = monthNumber(first.month)
  const months = Math.max(1, monthNumber(last.month) + 1 - start)
  const steps = milestones.map(({ month, distanceKm }) => {
    const x = tenth(((monthNumber(month) - start) / months) * WIDTH)
    const y = tenth(FLOOR - (distanceKm / Math.max(1, last.distanceKm)) * FLOOR)
    return `H${x}V${y}`
  })
  return `M0 ${FLOOR}${steps.join('')}H${WIDTH}`
}

interface Props {
  id: string
  title: string
  milestones: readonly Milestone[]
  formats: Formats
}

export function Line({ id, title, milestones, formats }: Props) {
  const t = useTexts().statistics
  const path = pathOf(milestones)
  const [first, last] = [milestones[0]!, milestones.at(-1)!]
  const monthOf = ({ month }: Milestone) => formats.day(`${month}-01`, 'month')
  const [start, end] = [monthOf(first), monthOf(last)]
  const total = formats.distance(last.distanceKm)
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
      <desc id={`${id}-words`}>{t.growth({ start, total, end })}</desc>
      {/* Only the line is stretched, not the text. */}
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
        {total}
      </text>
      <text class="start" x="0" y={HEIGHT - 6}>
        {start}
      </text>
      <text class="end" x="100%" y={HEIGHT - 6}>
        {end}
      </text>
    </svg>
  )
}
