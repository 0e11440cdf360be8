import { percent } from '../../../components/shares.tsx'
import type { Formats } from '../../../framework/formats.ts'
import { useTexts } from '../../../framework/localization.ts'
import type { Bar, ChartProps } from './chart.tsx'

const [HEIGHT, TOP, FOOT] = [190, 20, 24]
const FLOOR = HEIGHT - FOOT
const MIN_COLUMN_HEIGHT = 3
/** With more columns there is no room for numbers above them. */
const MAX_NUMBERED_COLUMNS = 12
/** With more columns each is narrower than 24 pixels on a phone. */
const MAX_TOUCH_COLUMNS = 11
/** A single year does not fill the whole width. */
const MIN_COLUMNS = 5
const [LETTER_WIDTH, LABEL_GAP] = [6.4, 3]

/** A width in pixels has room for every n-th label. */
function labelStep(labels: readonly string[], width: number): number {
  const longest = Math.max(...labels.map(({ length }) => length))
  return Math.ceil((labels.length * (longest * LETTER_WIDTH + LABEL_GAP)) / width)
}

interface ColumnProps {
  bar: Bar
  /** Position and width as fractions of the whole width. */
  at: number
  width: number
  heights: readonly number[]
  labelled: 'always' | 'wide' | 'never'
  numbered: boolean
  /** The part of the width that the column fills. */
  fill: number
  formats: Formats
}

function Column({ bar, at, width, heights, labelled, numbered, fill, formats }: ColumnProps) {
  const t = useTexts().statistics
  const { label, tick = label, flights, distanceKm, href } = bar
  const middle = percent(at + width / 2)
  const each = (width * fill) / heights.length
  const drawing = (
    <>
      <title>{t.column({ label, count: flights, distance: formats.distance(distanceKm) })}</title>
      <rect class="hit" x={percent(at)} y="0" width={percent(width)} height={HEIGHT} />
      {heights.map((height, index) => (
        <rect
          key={index}
          class={index === 0 ? 'amount' : 'amount second'}
          x={percent(at + (width * (1 - fill)) / 2 + each * index)}
          y={FLOOR - height}
          width={percent(each * 0.94)}
          height={height}
        />
      ))}
      {numbered && flights > 0 && (
        <text x={middle} y={FLOOR - Math.max(...heights) - 6} class="figure">
          {formats.count(flights)}
        </text>
      )}
      {labelled !== 'never' && (
        <text x={middle} y={HEIGHT - 6} class={labelled === 'wide' ? 'at-desk' : undefined}>
          {tick}
        </text>
      )}
    </>
  )
  return href ? <a href={href}>{drawing}</a> : <g>{drawing}</g>
}

interface Props extends ChartProps {
  withDistance?: boolean
  /** Columns without gaps for ranges of a quantity. */
  isHistogram?: boolean
}

export function Columns({ id, title, bars, formats, withDistance = false, isHistogram = false, wide = false }: Props) {
  const t = useTexts().statistics
  const maxFlights = Math.max(1, ...bars.map(({ flights }) => flights))
  const maxKm = Math.max(1, ...bars.map(({ distanceKm }) => distanceKm))
  const heightOf = (share: number) => (share === 0 ? 0 : Math.max(MIN_COLUMN_HEIGHT, Math.round(share * (FLOOR - TOP))))
  const labels = bars.map(({ label, tick }) => tick ?? label)
  const desktopStep = labelStep(labels, wide ? 860 : 380)
  // A phone shows a subset of the labels on a desktop.
  const phoneStep = desktopStep * Math.ceil(labelStep(labels, 240) / desktopStep)
  const labelled = (index: number) => {
    // The newest year has a label, and the start of a quantity.
    const position = isHistogram ? index : bars.length - 1 - index
    if (position % phoneStep === 0) return 'always'
    return position % desktopStep === 0 ? 'wide' : 'never'
  }
  const width = 1 / Math.max(MIN_COLUMNS, bars.length)
  const sum = bars.reduce((total, { flights }) => total + flights, 0)
  return (
    <>
      {withDistance && (
        <p class="legend">
          <span class="key">{t.flights}</span> <span class="key second">{t.distance}</span>
        </p>
      )}
      <svg
        class={bars.length > MAX_TOUCH_COLUMNS ? 'columns-chart dense' : 'columns-chart'}
        width="100%"
        height={HEIGHT}
        role={bars.some(({ href }) => href) ? 'group' : 'img'}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-words`}
      >
        <title id={`${id}-name`}>{title}</title>
        <desc id={`${id}-words`}>{t.columns({ count: sum, max: maxFlights })}</desc>
        <line class="axis" x1="0" x2="100%" y1={FLOOR + 0.5} y2={FLOOR + 0.5} />
        {bars.map((bar, index) => (
          <Column
            key={bar.label}
            bar={bar}
            at={index * width}
            width={width}
            heights={[heightOf(bar.flights / maxFlights), ...(withDistance ? [heightOf(bar.distanceKm / maxKm)] : [])]}
            labelled={labelled(index)}
            fill={isHistogram ? 0.96 : 0.76}
            numbered={bars.length <= MAX_NUMBERED_COLUMNS}
            formats={formats}
          />
        ))}
      </svg>
    </>
  )
}
