import { type Airport, codeOf } from '../../../../domain/reference/contract.ts'
import type { BreakdownGroup, Delays } from '../../../../domain/stats/contract.ts'
import type { StatsService } from '../../../../domain/stats/service.ts'
import { DelayFigures, delayText, type Movement } from '../../components/delays.tsx'
import type { ShownFilter } from '../../components/filter-bar/read-filter.ts'
import { DataTable } from '../../components/lists.tsx'
import { AirlineBadge, classIcon, Flag, Icon, type IconName, reasonIcon, seatIcon } from '../../components/marks.tsx'
import { Section } from '../../components/section.tsx'
import { Shares } from '../../components/shares.tsx'
import type { Formats } from '../../framework/formats.ts'
import { useTexts } from '../../framework/localization.ts'
import type { PageTexts } from '../../texts/languages.ts'
import { aircraftFamily } from './aircraft-family.ts'
import { Cabin, seatColours } from './charts/cabin.tsx'
import { Calendar, HeatLegend } from './charts/calendar.tsx'
import { type Bar, ChartCard, Rows, ShowAsTable } from './charts/chart.tsx'
import { Columns } from './charts/columns.tsx'
import { Line } from './charts/line.tsx'
import type { LogLinks } from './charts/links.ts'

export type Overview = Awaited<ReturnType<StatsService['getOverview']>>

interface Props {
  overview: Overview
  formats: Formats
  links: LogLinks
  basePath: string
}

type Groups = readonly BreakdownGroup[]

const MONDAY_FIRST = [1, 2, 3, 4, 5, 6, 7] as const
const SUNDAY_FIRST = [7, 1, 2, 3, 4, 5, 6] as const
const TOP_SIZE = 10
/** In the palette. */
const COLOURS = 8
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
  const { by, byMonthOfYear, calendars, cumulative, cumulativeKmByYear, figures } = overview
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
  const days = calendars.flatMap((calendar) => calendar.days)
  const earlier = by.year.groups.some(({ key }) => Number(key) < (calendars.at(-1)?.year ?? 0))
  return (
    <>
      <div class="charts">
        {calendars.length > 0 && (
          <ChartCard id="calendar" title={t.calendar} note={earlier ? t.earlierYears : undefined} wide>
            {calendars.map((calendar) => (
              <Calendar key={calendar.year} {...calendar} formats={formats} href={links.year(calendar.year)} />
            ))}
            <HeatLegend formats={formats} />
          </ChartCard>
        )}
        <ChartCard {...byYear} wide>
          <Columns {...byYear} withDistance wide />
        </ChartCard>
        {cumulative.length > 1 && (
          <ChartCard {...grown} wide>
            <Line {...grown} milestones={cumulative} />
          </ChartCard>
        )}
        <ChartCard {...byMonth} note={withoutMonth > 0 ? t.excludedMonth({ count: withoutMonth }) : undefined}>
          <Columns {...byMonth} />
        </ChartCard>
        <ChartCard {...byWeekday} note={withoutDay > 0 ? t.excludedDay({ count: withoutDay }) : undefined}>
          <Columns {...byWeekday} />
        </ChartCard>
      </div>
      <ShowAsTable
        title={t.overTime}
        formats={formats}
        charts={[
          { ...byYear, unit: t.units.year },
          { ...grown, unit: t.units.endOf },
          { ...byMonth, unit: t.units.month },
          { ...byWeekday, unit: t.units.weekday },
        ]}
      >
        {days.length > 0 && (
          <DataTable
            class="numbers"
            caption={t.calendar}
            titled
            rows={days}
            columns={[
              {
                title: t.units.day,
                names: true,
                cell: ({ date }) => <a href={links.day(date)}>{formats.day(date)}</a>,
              },
              { title: t.flights, cell: ({ flights }) => formats.count(flights) },
            ]}
          />
        )}
      </ShowAsTable>
    </>
  )
}

type Described = Pick<Bar, 'label' | 'detail' | 'href' | 'mark'>

const tops = ['airport', 'connection', 'airline', 'country', 'aircraftReg', 'companion'] as const

type Top = (typeof tops)[number]

/** In the palette. */
const topColours: Record<Top, number> = {
  airport: 1,
  connection: 5,
  airline: 2,
  country: 3,
  aircraftReg: 8,
  companion: 4,
}

const cityOf = ({ municipality, name }: Airport) => municipality ?? name

type Describe = (group: BreakdownGroup, links: LogLinks, basePath: string, names: PageTexts['names']) => Described

const describe: Record<Top, Describe> = {
  airport: ({ airport }, links, basePath) => ({
    label: codeOf(airport!),
    detail: cityOf(airport!),
    mark: <Flag country={airport!.country} basePath={basePath} />,
    href: links.airport(airport!.id),
  }),
  connection: ({ from, to }, links) => ({
    label: `${codeOf(from!)} – ${codeOf(to!)}`,
    detail: `${cityOf(from!)} – ${cityOf(to!)}`,
    href: links.connection(from!.id, to!.id),
  }),
  airline: ({ key, airline }, links) => ({
    label: airline!.name,
    mark: <AirlineBadge airline={airline} />,
    href: links.airline(key),
  }),
  country: ({ key }, links, basePath, names) => ({
    label: names.country(String(key)),
    mark: <Flag country={String(key)} basePath={basePath} />,
    href: links.country(String(key)),
  }),
  aircraftReg: ({ key }, links) => ({ label: String(key), href: links.registration(key) }),
  companion: ({ key, name }, links) => ({ label: name!, href: links.companion(key) }),
}

export function MostFlown({ overview, formats, links, basePath }: Props) {
  const { statistics: t, names } = useTexts()
  const { airports, airlines, countries } = overview.figures
  const counts: Partial<Record<Top, number>> = { airport: airports, airline: airlines, country: countries }
  const charts = tops.flatMap((by) => {
    const { groups } = overview.by[by]
    const count = counts[by] ?? 0
    const unknown = groups.find(({ key }) => key === null)?.flights ?? 0
    // Most aircraft are flown only once, so a registration needs two flights.
    const shown = groups.filter(({ key, flights }) => key !== null && (by !== 'aircraftReg' || flights > 1))
    const bars = shown.slice(0, TOP_SIZE).map((group) => ({ ...group, ...describe[by](group, links, basePath, names) }))
    const notes = [
      count > TOP_SIZE && t.topOf({ size: TOP_SIZE, count }),
      unknown > 0 && t.unknownFor({ count: unknown }),
    ]
    const note = notes.filter(Boolean).join(' ') || undefined
    return bars.length === 0 ? [] : [{ by, id: `by-${by}`, title: t.tops[by], bars, formats, note, unit: t.units[by] }]
  })
  return (
    <>
      <div class="charts">
        {charts.map((chart) => (
          <ChartCard key={chart.id} {...chart}>
            <Rows {...chart} colour={topColours[chart.by]} />
          </ChartCard>
        ))}
      </div>
      <ShowAsTable title={t.mostFlown} charts={charts} formats={formats} />
    </>
  )
}

/** Types by manufacturer and family, the most flown first. */
function familiesOf(groups: Groups) {
  const types = groups.flatMap((group) =>
    group.aircraft ? [{ ...group, ...aircraftFamily(group.aircraft.name) }] : [],
  )
  const sum = (list: Groups) => list.reduce((total, { flights }) => total + flights, 0)
  const grouped = (list: typeof types, by: 'maker' | 'family') =>
    [...Map.groupBy(list, (type) => type[by])]
      .map(([name, own]) => ({ name, own, flights: sum(own) }))
      .sort((a, b) => b.flights - a.flights)
  return grouped(types, 'maker').map(({ own, ...maker }) => ({ ...maker, families: grouped(own, 'family') }))
}

export function AircraftFamilies({ overview, formats, links }: Props) {
  const t = useTexts().statistics
  const { groups, others } = overview.by.aircraft
  const makers = familiesOf(groups)
  if (makers.length === 0) return null
  const max = Math.max(...groups.map(({ key, flights }) => (key === null ? 0 : flights)))
  const unknown = groups.find(({ key }) => key === null)?.flights ?? 0
  const notes = [others && t.otherAircraft({ count: others.flights }), unknown > 0 && t.unknownFor({ count: unknown })]
  const bars = groups.flatMap((group) =>
    group.aircraft ? [{ ...group, label: group.aircraft.name, href: links.aircraft(group.key) }] : [],
  )
  return (
    <>
      <ChartCard id="by-aircraft" title={t.tops.aircraft} note={notes.filter(Boolean).join(' ') || undefined}>
        <ul class="tree">
          {makers.map((maker, index) => (
            <li key={maker.name} class={`colour-${(index % COLOURS) + 1}`}>
              <TreeName name={maker.name} flights={maker.flights} />
              <ul>
                {maker.families.map(({ name, own, flights }) => (
                  <li key={name}>
                    {own.length > 1 && <TreeName name={name} flights={flights} />}
                    <Rows
                      max={max}
                      bars={own.map((type) => ({ ...type, label: type.model, href: links.aircraft(type.key) }))}
                    />
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </ChartCard>
      <ShowAsTable
        title={t.aircraft}
        charts={[{ title: t.tops.aircraft, unit: t.units.aircraft, bars }]}
        formats={formats}
      />
    </>
  )
}

function TreeName({ name, flights }: { name: string; flights: number }) {
  return (
    <p>
      <strong dir="auto">{name}</strong>{' '}
      <span class="quiet">{useTexts().statistics.flightsOfRecord({ count: flights })}</span>
    </p>
  )
}

type Choice = 'seatClass' | 'seat' | 'flightReason'

/** Each value has the same colour and icon everywhere. */
const marks: Record<Choice, { colours: Readonly<Record<string, number>>; icon: (key: never) => IconName }> = {
  seatClass: { colours: { economy: 1, 'economy+': 3, business: 2, first: 4, private: 5 }, icon: classIcon },
  seat: { colours: seatColours, icon: seatIcon },
  flightReason: { colours: { leisure: 3, business: 1, crew: 5, other: 8 }, icon: reasonIcon },
}

export function HowFlown({ overview, formats, links, shown }: Props & { shown: ShownFilter }) {
  const t = useTexts().statistics
  const choiceChart = (by: Choice, title: string) => {
    // Unknown values come last.
    const groups = overview.by[by].groups.toSorted((a, b) => Number(a.key === null) - Number(b.key === null))
    if (groups.length === 0 || groups[0]!.key === null) return undefined
    const { colours, icon } = marks[by]
    const bars = groups.map((group) => ({
      ...group,
      label: shown.choices[by]?.find(({ value }) => value === (group.key ?? 'none'))?.label ?? String(group.key),
      href: links[by](group.key),
      colour: group.key === null ? undefined : colours[group.key],
      mark: group.key !== null && <Icon name={icon(group.key as never)} />,
    }))
    return { id: `by-${by}`, title, unit: title, bars, formats, keys: groups.map(({ key }) => key as string | null) }
  }
  const [seat, seatClass, reason] = [
    choiceChart('seat', t.seat),
    choiceChart('seatClass', t.class),
    choiceChart('flightReason', t.reason),
  ]
  const distances = distanceChart(overview.byDistance.groups, formats, t)
  const charts = [seat, seatClass, reason, distances].filter((chart) => chart !== undefined)
  if (charts.length === 0) return null
  return (
    <Section id="how-flown" title={t.howFlown}>
      <div class="charts">
        {seat && (
          <ChartCard {...seat} wide>
            <Cabin {...seat} />
          </ChartCard>
        )}
        {[seatClass, reason].map(
          (chart) =>
            chart && (
              <ChartCard key={chart.id} {...chart}>
                <Shares {...chart} />
              </ChartCard>
            ),
        )}
        {distances && (
          <ChartCard {...distances} wide>
            <Columns {...distances} isHistogram wide />
          </ChartCard>
        )}
      </div>
      <ShowAsTable title={t.howFlown} charts={charts} formats={formats} />
    </Section>
  )
}

const movements = ['departure', 'arrival'] as const satisfies Movement[]

interface DelayRow {
  label: string
  cell: (delays: Delays) => string
}

const delayRows = (formats: Formats, t: PageTexts['punctuality']): DelayRow[] => [
  { label: t.early, cell: ({ early }) => formats.count(early) },
  { label: t.onTime, cell: ({ early, onTime }) => formats.count(onTime - early) },
  { label: t.late, cell: ({ late }) => formats.count(late) },
  { label: t.median, cell: ({ medianSeconds }) => delayText(medianSeconds!, formats, t) },
  { label: t.average, cell: ({ averageSeconds }) => delayText(averageSeconds!, formats, t) },
]

export function PunctualitySection({ overview: { punctuality }, formats, basePath }: Props) {
  const t = useTexts().punctuality
  const shown = movements.filter((movement) => punctuality[movement].known > 0)
  if (shown.length === 0) return null
  const { lostSeconds } = punctuality
  return (
    <Section id="punctuality" title={t.title}>
      {lostSeconds > 0 && <p class="quiet">{t.lost({ time: formats.duration(lostSeconds) })}</p>}
      <div class="charts">
        {shown.map((movement) => (
          <ChartCard key={movement} id={`by-${movement}`} title={t[movement]}>
            <DelayFigures {...{ punctuality, movement, formats, basePath }} />
          </ChartCard>
        ))}
      </div>
      <ShowAsTable title={t.title} charts={[]} formats={formats}>
        <DataTable
          class="numbers"
          caption={t.title}
          rows={delayRows(formats, t)}
          columns={[
            { title: t.flights, names: true, cell: ({ label }) => label },
            ...shown.map((movement) => ({
              title: t[movement],
              cell: (row: DelayRow) => row.cell(punctuality[movement]),
            })),
          ]}
        />
      </ShowAsTable>
    </Section>
  )
}

function distanceChart(groups: Groups, formats: Formats, t: PageTexts['statistics']) {
  const last = Number(groups.at(-1)?.key ?? -1)
  if (last < 0) return undefined
  const { size, km } = formats.distanceStep
  const steps = Array.from({ length: last + 1 }, (_, index) => index)
  const edge = (step: number) => formats.distance(step * km)
  const bars = barsOf(groups, steps, (step) => t.fromTo({ from: edge(step), to: edge(step + 1) }))
  return {
    id: 'by-distance',
    title: t.byDistance,
    unit: t.distance,
    bars: bars.map((bar, step) => ({ ...bar, tick: formats.count(step * size) })),
    note: t.distanceStep({ step: edge(1) }),
    formats,
  }
}
