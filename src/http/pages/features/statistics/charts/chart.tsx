import type { ComponentChildren } from 'preact'
import { DataTable } from '../../../components/lists.tsx'
import type { Formats } from '../../../framework/formats.ts'
import { useTexts } from '../../../framework/localization.ts'

export interface Bar {
  label: string
  detail?: string | undefined
  flights: number
  distanceKm: number
  durationSeconds: number
  durationKnown: number
  /** The log with only these flights; absent if no filter matches them. */
  href?: string | undefined
}

/** The props of a chart and of its drawing. */
export interface ChartProps {
  id: string
  title: string
  bars: readonly Bar[]
  formats: Formats
  /** As wide as the page. */
  wide?: boolean
}

interface Props extends ChartProps {
  /** The heading of the first column in the table. */
  unit: string
  note?: string | undefined
  children: ComponentChildren
}

const unseen = (text: string) => <span class="unseen">{text}</span>

/** A drawing with its heading, and the same data as a table. */
export function Chart({ id, title, unit, bars, formats, note, wide = false, children }: Props) {
  const t = useTexts().statistics
  return (
    <section class={wide ? 'chart card wide' : 'chart card'} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
      {note && <p class="hint">{note}</p>}
      <details class="in-words">
        <summary class="fold">{t.showAsTable({ title, unseen })}</summary>
        <DataTable
          class="numbers"
          caption={title}
          rows={bars}
          columns={[
            {
              title: unit,
              names: true,
              cell: ({ label, detail, href }) => (
                <span dir="auto">
                  {href ? <a href={href}>{label}</a> : label} {detail && <span class="quiet">{detail}</span>}
                </span>
              ),
            },
            { title: t.flights, cell: ({ flights }) => formats.count(flights) },
            { title: t.distance, cell: ({ distanceKm }) => formats.distance(distanceKm) },
            {
              title: t.time,
              cell: ({ durationSeconds, durationKnown }) =>
                durationKnown > 0 ? formats.duration(durationSeconds) : '–',
            },
          ]}
        />
      </details>
    </section>
  )
}

interface LinkProps {
  href?: string | undefined
  class?: string
  children: ComponentChildren
}

export function MaybeLink(props: LinkProps) {
  return props.href ? <a {...props} /> : <span {...props} />
}

/** Drawings use percentages instead of a viewBox, so that text keeps its size at every width. */
export const percent = (part: number) => `${Math.round(part * 10_000) / 100}%`

export function Rows({ bars }: ChartProps) {
  const t = useTexts().statistics
  const max = Math.max(1, ...bars.map(({ flights }) => flights))
  return (
    <ol class="rows">
      {bars.map((bar, index) => (
        <li key={index}>
          <MaybeLink class="row" href={bar.href}>
            <span class="label" dir="auto">
              {bar.label} {bar.detail && <span class="quiet">{bar.detail}</span>}
            </span>
            <span class="count">{t.flightsOfRow({ count: bar.flights, unseen })}</span>
            <svg class="beam" width="100%" height="8" aria-hidden="true">
              <rect class="amount" width={percent(bar.flights / max)} height="8" rx="4" />
            </svg>
          </MaybeLink>
        </li>
      ))}
    </ol>
  )
}

/** The number of shades in the style sheet. */
const SHADES = 5

/** A stacked bar with its legend. */
export function Shares({ id, title, bars }: ChartProps) {
  const t = useTexts().statistics
  const sum = Math.max(
    1,
    bars.reduce((total, { flights }) => total + flights, 0),
  )
  let before = 0
  const parts = bars.map(({ label, flights, href }, index) => {
    const at = before
    before += flights / sum
    const percentage = t.percent({ value: Math.round((flights / sum) * 100) })
    const share = t.share({ label, percent: percentage })
    return { label, flights, href, at, percentage, share, shade: `amount shade-${Math.min(index + 1, SHADES)}` }
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
        <desc id={`${id}-words`}>{parts.map(({ share }) => share).join(', ')}</desc>
        {parts.map(({ label, flights, at, share, shade }) => (
          <rect key={label} class={shade} x={percent(at)} width={percent(flights / sum)} height="20">
            <title>{share}</title>
          </rect>
        ))}
      </svg>
      <ol class="rows shares">
        {parts.map(({ label, flights, href, percentage, shade }) => (
          <li key={label}>
            <MaybeLink class="row" href={href}>
              <svg class="swatch" width="12" height="12" aria-hidden="true">
                <rect class={shade} width="12" height="12" rx="3" />
              </svg>
              <span class="label">{label}</span>
              <span class="count">
                {t.flightsOfShare({
                  percent: percentage,
                  count: flights,
                  number: (text) => <span class="quiet">{text}</span>,
                  unseen,
                })}
              </span>
            </MaybeLink>
          </li>
        ))}
      </ol>
    </>
  )
}
