import type { ComponentChildren } from 'preact'
import { DataTable } from '../../../components/lists.tsx'
import { MaybeLink, percent } from '../../../components/shares.tsx'
import type { Formats } from '../../../framework/formats.ts'
import { useTexts } from '../../../framework/localization.ts'

export interface Bar {
  label: string
  /** A short form of the label, for an axis. */
  tick?: string
  detail?: string | undefined
  /** A flag, badge or icon. */
  mark?: ComponentChildren
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

interface CardProps extends Pick<ChartProps, 'id' | 'title' | 'wide'> {
  note?: string | undefined
  children: ComponentChildren
}

const unseen = (text: string) => <span class="unseen">{text}</span>

export const ChartCard = ({ id, title, note, wide = false, children }: CardProps) => (
  <section class={wide ? 'chart card wide' : 'chart card'} aria-labelledby={id}>
    <h3 id={id}>{title}</h3>
    {children}
    {note && <p class="hint">{note}</p>}
  </section>
)

export interface ChartTable extends Pick<ChartProps, 'title' | 'bars'> {
  /** The heading of the first column. */
  unit: string
}

interface TablesProps {
  /** What the tables show, for screen readers. */
  title: string
  charts: readonly ChartTable[]
  formats: Formats
  /** Tables with other columns. */
  children?: ComponentChildren
}

/** The data of the charts of a section. */
export function ShowAsTable({ title, charts, formats, children }: TablesProps) {
  const t = useTexts().statistics
  return (
    <details class="in-words">
      <summary class="fold">{t.showAsTable({ title, unseen })}</summary>
      <div class="charts">
        {charts.map((chart) => (
          <DataTable
            key={chart.title}
            class="numbers"
            caption={chart.title}
            titled={charts.length > 1 || children !== undefined}
            rows={chart.bars}
            columns={[
              {
                title: chart.unit,
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
        ))}
        {children}
      </div>
    </details>
  )
}

/** A drawing with its heading, and the same data as a table, for a section with one chart. */
export function Chart({ children, unit, ...props }: ChartProps & CardProps & Pick<ChartTable, 'unit'>) {
  const { title, bars, formats } = props
  return (
    <ChartCard {...props}>
      {children}
      <ShowAsTable title={title} charts={[{ title, unit, bars }]} formats={formats} />
    </ChartCard>
  )
}

interface RowsProps extends Pick<ChartProps, 'bars'> {
  /** The flights of the longest bar. */
  max?: number
  /** The number of its colour in the palette. */
  colour?: number
}

export function Rows({ bars, max = Math.max(1, ...bars.map(({ flights }) => flights)), colour }: RowsProps) {
  const t = useTexts().statistics
  return (
    <ol class={colour ? `rows colour-${colour}` : 'rows'}>
      {bars.map((bar, index) => (
        <li key={index}>
          <MaybeLink class="row" href={bar.href}>
            <span class="label" dir="auto">
              {bar.mark} {bar.label} {bar.detail && <span class="quiet">{bar.detail}</span>}
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
