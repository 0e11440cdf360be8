import type { FastifyInstance } from 'fastify'
import type { ComponentChildren } from 'preact'
import type { Flight } from '../../../../domain/flights/contract.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import { dayOf } from '../../../../lib/dates.ts'
import { FilterBar, NothingFound } from '../../components/filter-bar/filter-bar.tsx'
import { filterBar, type ShownFilter } from '../../components/filter-bar/read-filter.ts'
import { Pairs } from '../../components/lists.tsx'
import { Section } from '../../components/section.tsx'
import type { Frame, PageContext } from '../../framework/context.ts'
import { Layout } from '../../framework/layout.tsx'
import { signedInPages } from '../../framework/signed-in.ts'
import { MaybeLink } from './charts/chart.tsx'
import { type LogLinks, logLinks } from './charts/links.ts'
import { HowFlown, MostFlown, OverTime, type Overview } from './statistics-charts.tsx'

const EARTH_CIRCUMFERENCE_KM = 40_075.017

interface Props extends Frame {
  overview: Overview
  shown: ShownFilter
  links: LogLinks
}

function KeyFigures({ overview: { figures }, formats }: Props) {
  const { flights, distanceKm, durationSeconds, durationKnown } = figures
  const rounds = distanceKm / EARTH_CIRCUMFERENCE_KM
  const beside = (value: string, text: string | false) => (
    <>
      {value}
      {text && <span class="beside">{text}</span>}
    </>
  )
  const around = rounds >= 0.05 && `${rounds.toFixed(1)} times around the earth`
  const basis =
    durationKnown > 0 &&
    durationKnown < flights &&
    `based on ${formats.count(durationKnown)} of ${formats.flights(flights)}`
  const pairs: [string, ComponentChildren][] = [
    ['Flights', formats.count(flights)],
    ['Distance', beside(formats.distance(distanceKm), around)],
    ['Time in the air', beside(formats.total(durationSeconds), basis)],
    ['Airports', formats.count(figures.airports)],
    ['Countries', formats.count(figures.countries)],
    ['Airlines', formats.count(figures.airlines)],
  ]
  return <Pairs class="figures many" pairs={pairs} />
}

const flightRecords = [
  ['longestDistance', 'Longest by distance'],
  ['shortestDistance', 'Shortest by distance'],
  ['longestDuration', 'Longest by time'],
  ['shortestDuration', 'Shortest by time'],
  ['first', 'First'],
  ['latest', 'Latest'],
] as const

const placeRecords = [
  ['northernmost', 'Northernmost'],
  ['southernmost', 'Southernmost'],
  ['easternmost', 'Easternmost'],
  ['westernmost', 'Westernmost'],
] as const

export function FlightLink({ flight, basePath, formats }: { flight: Flight } & Pick<Frame, 'basePath' | 'formats'>) {
  const { id, from, to, date, datePrecision, duration } = flight
  const facts = [formats.distanceOf(flight), duration === null ? undefined : formats.duration(duration)]
  return (
    <>
      <a href={`${basePath}/flights/${id}`}>
        {codeOf(from)} → {codeOf(to)}
      </a>{' '}
      <span class="quiet">
        {facts.flatMap((fact) => (fact === undefined ? [] : `${fact}, `))}
        <time>{formats.day(date, datePrecision)}</time>
      </span>
    </>
  )
}

function RecordSection({ overview: { records }, links, basePath, formats }: Props) {
  const { busiestDay, busiestMonth, toTheMoon } = records
  const pairs: [string, ComponentChildren][] = []
  const addBusiest = (label: string, href: string, period: string, flights: number) =>
    pairs.push([
      label,
      <>
        <a href={href}>{period}</a> <span class="quiet">{formats.flights(flights)}</span>
      </>,
    ])
  for (const [name, label] of flightRecords) {
    const flight = records[name]
    if (flight) pairs.push([label, <FlightLink flight={flight} basePath={basePath} formats={formats} />])
  }
  for (const [name, label] of placeRecords) {
    const airport = records[name]
    if (!airport) continue
    pairs.push([
      label,
      <>
        <MaybeLink href={links.airport(airport.id)}>{codeOf(airport)}</MaybeLink>{' '}
        <span class="quiet" dir="auto">
          {airport.municipality ?? airport.name}
        </span>
      </>,
    ])
  }
  if (busiestDay && busiestDay.flights > 1) {
    const { date, flights } = busiestDay
    addBusiest('Busiest day', links.day(date), formats.day(date), flights)
  }
  if (busiestMonth && busiestMonth.flights > 1) {
    const { month, flights } = busiestMonth
    addBusiest('Busiest month', links.monthOf(month), formats.day(`${month}-01`, 'month'), flights)
  }
  if (toTheMoon >= 0.01) pairs.push(['To the moon', `${Math.round(toTheMoon * 100)} % of the way`])
  return (
    <Section id="records" title="Records">
      <Pairs class="facts wide records" pairs={pairs} />
    </Section>
  )
}

function StatisticsPage(props: Props) {
  const { overview, shown, basePath } = props
  const newest = overview.by.year.groups.at(-1)?.key
  const isEmpty = overview.figures.flights === 0
  const bar = { basePath, action: '/statistics', shown }
  return (
    <Layout {...props} title="Statistics – Paxlog" place="statistics">
      <div class="lead">
        <h1>Statistics</h1>
        {newest !== undefined && (
          <p class="actions">
            <a class="button" href={`${basePath}/statistics/${shown.values.year ?? String(newest).padStart(4, '0')}`}>
              {shown.values.year ?? newest} in review
            </a>
          </p>
        )}
      </div>
      <FilterBar {...bar} />
      {isEmpty && shown.chips.length > 0 && <NothingFound {...bar} />}
      {isEmpty && shown.chips.length === 0 && (
        <p class="card empty">
          No statistics yet: they only include flown flights.{' '}
          <a href={basePath || '/'}>Add or import your first flight</a>.
        </p>
      )}
      {!isEmpty && (
        <>
          <Section id="figures" title="Figures" untitled>
            <KeyFigures {...props} />
          </Section>
          <Section id="over-time" title="Over time">
            <OverTime {...props} />
          </Section>
          <Section id="most-often" title="Most flown">
            <MostFlown {...props} />
          </Section>
          <Section id="how-flown" title="How you flew">
            <HowFlown {...props} />
          </Section>
          <RecordSection {...props} />
        </>
      )}
    </Layout>
  )
}

export async function statisticsPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, stats, now = Date.now } = context
  const readFilter = filterBar(context)

  signedInPages(app, context, 'flight.read.own').get('/statistics', async (visit) => {
    const shown = await readFilter(visit, { onlyFlown: true })
    const overview = await stats.getOverview(visit.caller, shown.filter)
    const links = logLinks(shown, basePath, dayOf(now()))
    return visit.send(<StatisticsPage {...visit.frame} shown={shown} overview={overview} links={links} />)
  })
}
