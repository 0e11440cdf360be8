import type { ComponentChildren } from 'preact'
import { type Airport, codeOf } from '../../../../domain/reference/contract.ts'
import type { BreakdownGroup } from '../../../../domain/stats/contract.ts'
import { distanceClasses } from '../../../../domain/stats/overview.ts'
import type { StatsService } from '../../../../domain/stats/service.ts'
import { countryName } from '../../../../lib/english.ts'
import type { ShownFilter } from '../../components/filter-bar/read-filter.ts'
import type { Formats } from '../../framework/formats.ts'
import { useTexts } from '../../framework/localization.ts'
import { type Bar, Chart, Rows, Shares } from './charts/chart.tsx'
import { Columns } from './charts/columns.tsx'
import { Line } from './charts/line.tsx'
import type { LogLinks } from './charts/links.ts'

export type Overview = Awaited<ReturnType<StatsService['getOverview']>>

interface Props {
  overview: Overview
  formats: Formats
  links: LogLinks
}

type Groups = readonly BreakdownGroup[]

const MONDAY_FIRST = [1, 2, 3, 4, 5, 6, 7] as const
const SUNDAY_FIRST = [7, 1, 2, 3, 4, 5, 6] as const
const TOP_SIZE = 10
/** A log with a longer history only shows years with flights. */
const MAX_YEARS = 60

/** One bar for every key, including those without flights. */
function barsOf<Key extends number>(
  groups: Groups,
  keys: readonly Key[],
  labelOf: (key: Key) => string,
  href: (key: Key) => string | undefined = () => undefined,
): Bar[] {
  const known = new Map(groups.map((group) => [group.key, group]))
  const empty = { flights: 0, distanceKm: 0, durationSeconds: 0, durationKnown: 0 }
  return keys.map((key) => {
    const group = known.get(key)
    return { ...(group ?? empty), label: labelOf(key), href: group && href(key) }
  })
}

export const monthBars = (groups: Groups, { months }: Formats, href: LogLinks['month']): Bar[] =>
  barsOf(
    groups,
    months.map((_, index) => index + 1),
    (key) => months[key - 1]!,
    href,
  )

function yearsOf(groups: Groups): number[] {
  const years = groups.map(({ key }) => Number(key))
  const [first = 0, last = 0] = [years[0], years.at(-1)]
  if (last - first >= MAX_YEARS) return years.slice(-MAX_YEARS)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

export function OverTime({ overview, formats, links }: Props) {
  const t = useTexts().statistics
  const { by, byMonthOfYear, cumulative, cumulativeKmByYear, figures } = overview
  const years = yearsOf(by.year.groups)
  const weekdays = formats.weekStartsOnSunday ? SUNDAY_FIRST : MONDAY_FIRST
  const byYear = { id: 'by-year', title: t.byYear, bars: barsOf(by.year.groups, years, String, links.year), formats }
  const byMonth = {
    id: 'by-month',
    title: t.byMonth,
    bars: monthBars(byMonthOfYear.groups, formats, links.month),
    formats,
  }
  const weekdayBars = barsOf(by.weekday.groups, weekdays, (key) => t.weekdays[key])
  const byWeekday = { id: 'by-weekday', title: t.byWeekday, bars: weekdayBars, formats }
  let distanceKm = 0
  const cumulativeBars = byYear.bars.map((bar, index) => {
    distanceKm = cumulativeKmByYear.get(years[index]!) ?? distanceKm
    return { ...bar, distanceKm }
  })
  const grown = { id: 'grown', title: t.cumulativeDistance, bars: cumulativeBars, formats }
  const withoutMonth = figures.flights - byMonthOfYear.total.flights
  const withoutDay = figures.flights - by.weekday.total.flights
  return (
    <div class="charts">
      <Chart {...byYear} unit={t.units.year} wide>
        <Columns {...byYear} withDistance wide />
      </Chart>
      {cumulative.length > 1 && (
        <Chart {...grown} unit={t.units.endOf} wide>
          <Line {...grown} milestones={cumulative} />
        </Chart>
      )}
      <Chart
        {...byMonth}
        unit={t.units.month}
        note={withoutMonth > 0 ? t.excludedMonth({ count: withoutMonth }) : undefined}
      >
        <Columns {...byMonth} />
      </Chart>
      <Chart {...byWeekday} unit={t.units.day} note={withoutDay > 0 ? t.excludedDay({ count: withoutDay }) : undefined}>
        <Columns {...byWeekday} />
      </Chart>
    </div>
  )
}

type Described = Pick<Bar, 'label' | 'detail' | 'href'>

const tops = ['airport', 'connection', 'airline', 'country', 'aircraft', 'aircraftReg', 'companion'] as const

type Top = (typeof tops)[number]

const cityOf = ({ municipality, name }: Airport) => municipality ?? name

const describe: Record<Top, (group: BreakdownGroup, links: LogLinks) => Described> = {
  airport: ({ airport }, links) => ({
    label: codeOf(airport!),
    detail: cityOf(airport!),
    href: links.airport(airport!.id),
  }),
  connection: ({ from, to }, links) => ({
    label: `${codeOf(from!)} – ${codeOf(to!)}`,
    detail: `${cityOf(from!)} – ${cityOf(to!)}`,
    href: links.connection(from!.id, to!.id),
  }),
  airline: ({ key, airline }, links) => ({ label: airline!.name, href: links.airline(key) }),
  country: ({ key }, links) => ({ label: countryName(String(key)) ?? String(key), href: links.country(String(key)) }),
  aircraft: ({ key, aircraft }, links) => ({ label: aircraft!.name, href: links.aircraft(key) }),
  aircraftReg: ({ key }, links) => ({ label: String(key), href: links.registration(key) }),
  companion: ({ key, name }, links) => ({ label: name!, href: links.companion(key) }),
}

export function MostFlown({ overview, formats, links }: Props) {
  const t = useTexts().statistics
  const { airports, airlines, countries } = overview.figures
  const counts: Partial<Record<Top, number>> = { airport: airports, airline: airlines, country: countries }
  return (
    <div class="charts">
      {tops.map((by) => {
        const { groups } = overview.by[by]
        const count = counts[by] ?? 0
        const unknown = groups.find(({ key }) => key === null)?.flights ?? 0
        // Most aircraft are flown only once, so a registration needs two flights.
        const shown = groups.filter(({ key, flights }) => key !== null && (by !== 'aircraftReg' || flights > 1))
        const bars = shown.slice(0, TOP_SIZE).map((group) => ({ ...group, ...describe[by](group, links) }))
        if (bars.length === 0) return null
        const chart = { id: `by-${by}`, title: t.tops[by], bars, formats }
        const notes = [
          count > TOP_SIZE && t.topOf({ size: TOP_SIZE, count }),
          unknown > 0 && t.unknownFor({ count: unknown }),
        ]
        return (
          <Chart key={by} {...chart} unit={t.units[by]} note={notes.filter(Boolean).join(' ') || undefined}>
            <Rows {...chart} />
          </Chart>
        )
      })}
    </div>
  )
}

export function HowFlown({ overview, formats, links, shown }: Props & { shown: ShownFilter }) {
  const t = useTexts().statistics
  const chart = (id: string, title: string, groups: Groups, describeGroup: (group: BreakdownGroup) => Described) => {
    // Unknown values come last.
    const ordered = groups.toSorted((a, b) => Number(a.key === null) - Number(b.key === null))
    if (ordered.length === 0 || ordered[0]!.key === null) return null
    const props = { id, title, bars: ordered.map((group) => ({ ...group, ...describeGroup(group) })), formats }
    return (
      <Chart {...props} unit={title}>
        <Shares {...props} />
      </Chart>
    )
  }
  const choiceChart = (by: 'seatClass' | 'seat' | 'flightReason', title: string): ComponentChildren =>
    chart(`by-${by}`, title, overview.by[by].groups, ({ key }) => ({
      label: shown.choices[by]?.find(({ value }) => value === (key ?? 'none'))?.label ?? String(key),
      href: links[by](key),
    }))
  const distanceLabel = ({ key }: BreakdownGroup) => {
    const { from, below } = distanceClasses[Number(key)]!
    if (below === Number.POSITIVE_INFINITY) return t.andMore({ distance: formats.distance(from) })
    return from === 0
      ? t.lessThan({ distance: formats.distance(below) })
      : t.fromTo({ from: formats.distance(from), to: formats.distance(below) })
  }
  return (
    <div class="charts">
      {choiceChart('seatClass', t.class)}
      {choiceChart('seat', t.seat)}
      {choiceChart('flightReason', t.reason)}
      {chart('by-distance', t.distance, overview.byDistance.groups, (group) => ({ label: distanceLabel(group) }))}
    </div>
  )
}
