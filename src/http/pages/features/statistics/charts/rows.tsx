import type { Formats } from '../../../framework/formats.ts'
import { type Bar, MaybeLink, percent } from './chart.tsx'

interface RowsProps {
  bars: readonly Bar[]
  formats: Formats
}

/** Lying bars with their names above them, the longest first: words keep their size on every screen. */
export function Rows({ bars, formats }: RowsProps) {
  const most = Math.max(1, ...bars.map(({ flights }) => flights))
  return (
    <ol class="rows">
      {bars.map((bar, index) => (
        <li key={index}>
          <MaybeLink class="row" href={bar.href}>
            <span class="label" dir="auto">
              {bar.label} {bar.more && <span class="quiet">{bar.more}</span>}
            </span>
            <span class="count">
              {formats.count(bar.flights)}
              <span class="unseen"> {bar.flights === 1 ? 'flight' : 'flights'}</span>
            </span>
            <svg class="beam" width="100%" height="8" aria-hidden="true">
              <rect class="amount" width={percent(bar.flights / most)} height="8" rx="4" />
            </svg>
          </MaybeLink>
        </li>
      ))}
    </ol>
  )
}

interface SharesProps extends RowsProps {
  /** Of the chart that it is in. */
  id: string
  title: string
}

/** Shades of one colour; whatever comes after them shares the last. */
const SHADES = 5

/** One bar that is the whole, and its parts below it. */
export function Shares({ id, title, bars, formats }: SharesProps) {
  const sum = Math.max(
    1,
    bars.reduce((total, { flights }) => total + flights, 0),
  )
  const shareOf = ({ flights }: Bar) => `${formats.count(Math.round((flights / sum) * 100))} %`
  let before = 0
  const parts = bars.map((bar, index) => {
    const at = before
    before += bar.flights / sum
    return { bar, at, shade: Math.min(index + 1, SHADES) }
  })
  return (
    <>
      <svg
        class="whole"
        width="100%"
        height="20"
        role="img"
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-words`}
      >
        <title id={`${id}-name`}>{title}</title>
        <desc id={`${id}-words`}>{bars.map((bar) => `${bar.label} ${shareOf(bar)}`).join(', ')}</desc>
        {parts.map(({ bar, at, shade }) => (
          <rect
            key={bar.label}
            class={`amount shade-${shade}`}
            x={percent(at)}
            width={percent(bar.flights / sum)}
            height="20"
          >
            <title>{`${bar.label}: ${shareOf(bar)}`}</title>
          </rect>
        ))}
      </svg>
      <ol class="rows shares">
        {parts.map(({ bar, shade }) => (
          <li key={bar.label}>
            <MaybeLink class="row" href={bar.href}>
              <svg class="swatch" width="12" height="12" aria-hidden="true">
                <rect class={`amount shade-${shade}`} width="12" height="12" rx="3" />
              </svg>
              <span class="label">{bar.label}</span>
              <span class="count">
                {shareOf(bar)} <span class="quiet">{formats.count(bar.flights)}</span>
                <span class="unseen"> {bar.flights === 1 ? 'flight' : 'flights'}</span>
              </span>
            </MaybeLink>
          </li>
        ))}
      </ol>
    </>
  )
}
