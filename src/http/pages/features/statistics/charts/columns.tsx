import type { Formats } from '../../../framework/formats.ts'
import { type Bar, percent } from './chart.tsx'

const [HEIGHT, TOP, FOOT] = [190, 20, 24]
const FLOOR = HEIGHT - FOOT
/** The least that can be seen of something that is not nothing. */
const LEAST = 3
/** More columns than these leave no room for a figure above each. */
const MOST_WITH_FIGURES = 12
/** More columns than these are narrower than 24 pixels on a phone. */
const MAX_TOUCH_COLUMNS = 11
/** One year alone does not fill the whole width. */
const FEWEST = 5
/** What a letter below a column takes, in pixels, and the gap to the next label. */
const [LETTER, GAP] = [6.4, 3]

/** Every how many columns a label fits into this width. */
function stepOf(labels: readonly string[], width: number): number {
  const longest = Math.max(...labels.map(({ length }) => length))
  return Math.ceil((labels.length * (longest * LETTER + GAP)) / width)
}

interface Props {
  /** Of the chart that it is in. */
  id: string
  title: string
  bars: readonly Bar[]
  formats: Formats
  /** A second column for the distance, by a measure of its own. */
  withDistance?: boolean
  wide?: boolean
}

const wordsOf = ({ label, flights, distanceKm }: Bar, formats: Formats) =>
  `${label}: ${formats.flights(flights)}, ${formats.distance(distanceKm)}`

interface ColumnProps extends Pick<Props, 'formats'> {
  bar: Bar
  /** Where it stands, in parts of the whole width. */
  at: number
  width: number
  heights: readonly number[]
  labelled: 'always' | 'wide' | 'never'
  figure: boolean
}

function Column({ bar, at, width, heights, labelled, figure, formats }: ColumnProps) {
  const middle = percent(at + width / 2)
  const each = (width * 0.76) / heights.length
  const drawing = (
    <>
      <title>{wordsOf(bar, formats)}</title>
      <rect class="hit" x={percent(at)} y="0" width={percent(width)} height={HEIGHT} />
      {heights.map((height, index) => (
        <rect
          key={index}
          class={index === 0 ? 'amount' : 'amount second'}
          x={percent(at + width * 0.12 + each * index)}
          y={FLOOR - height}
          width={percent(each * 0.94)}
          height={height}
        />
      ))}
      {figure && bar.flights > 0 && (
        <text x={middle} y={FLOOR - Math.max(...heights) - 6} class="figure">
          {formats.count(bar.flights)}
        </text>
      )}
      {labelled !== 'never' && (
        <text x={middle} y={HEIGHT - 6} class={labelled === 'wide' ? 'at-desk' : undefined}>
          {bar.label}
        </text>
      )}
    </>
  )
  return bar.href ? <a href={bar.href}>{drawing}</a> : <g>{drawing}</g>
}

/** Standing columns, for what has an order: years, months, days. */
export function Columns({ id, title, bars, formats, withDistance = false, wide = false }: Props) {
  const most = Math.max(1, ...bars.map(({ flights }) => flights))
  const farthest = Math.max(1, ...bars.map(({ distanceKm }) => distanceKm))
  const heightOf = (share: number) => (share === 0 ? 0 : Math.max(LEAST, Math.round(share * (FLOOR - TOP))))
  const labels = bars.map(({ label }) => label)
  const atDesk = stepOf(labels, wide ? 860 : 380)
  // A phone shows some of the labels that a desk shows, never others.
  const onPhone = atDesk * Math.ceil(stepOf(labels, 240) / atDesk)
  const labelled = (index: number) => {
    const fromEnd = bars.length - 1 - index
    return fromEnd % onPhone === 0 ? 'always' : fromEnd % atDesk === 0 ? 'wide' : 'never'
  }
  const linked = bars.some(({ href }) => href)
  const width = 1 / Math.max(FEWEST, bars.length)
  const sum = bars.reduce((total, { flights }) => total + flights, 0)
  return (
    <>
      {withDistance && (
        <p class="legend">
          <span class="key">Flights</span> <span class="key second">Distance</span>
        </p>
      )}
      <svg
        class={bars.length > MAX_TOUCH_COLUMNS ? 'columns-chart dense' : 'columns-chart'}
        width="100%"
        height={HEIGHT}
        role={linked ? 'group' : 'img'}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-words`}
      >
        <title id={`${id}-name`}>{title}</title>
        <desc
          id={`${id}-words`}
        >{`${formats.flights(sum)} in ${bars.length} columns, at most ${formats.count(most)} in one.`}</desc>
        <line class="axis" x1="0" x2="100%" y1={FLOOR + 0.5} y2={FLOOR + 0.5} />
        {bars.map((bar, index) => (
          <Column
            key={bar.label}
            bar={bar}
            at={index * width}
            width={width}
            heights={[heightOf(bar.flights / most), ...(withDistance ? [heightOf(bar.distanceKm / farthest)] : [])]}
            labelled={labelled(index)}
            figure={bars.length <= MOST_WITH_FIGURES}
            formats={formats}
          />
        ))}
      </svg>
    </>
  )
}
