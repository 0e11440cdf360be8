import type { FastifyInstance } from 'fastify'
import type { ComponentChildren } from 'preact'
import type { Flight } from '../../../../domain/flights/contract.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import { dayOf } from '../../../../lib/dates.ts'
import { FilterBar, NothingFound } from '../../components/filter-bar/filter-bar.tsx'
import { filterBar, type ShownFilter } from '../../components/filter-bar/read-filter.ts'
import { Pairs } from '../../components/lists.tsx'
import { Section } from '../../components/section.tsx'
import { MaybeLink } from '../../components/shares.tsx'
import type { Frame, PageContext } from '../../framework/context.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { signedInPages } from '../../framework/signed-in.ts'
import type { PageTexts } from '../../texts/languages.ts'
import { type LogLinks, logLinks } from './charts/links.ts'
import {
  AircraftFamilies,
  HowFlown,
  MostFlown,
  OverTime,
  type Overview,
  PunctualitySection,
} from './statistics-charts.tsx'

const EARTH_CIRCUMFERENCE_KM = 40_075.017

/** Undefined for a short distance. */
export function aroundEarth(distanceKm: number, { statistics: t }: PageTexts): string | undefined {
  const rounds = Math.round((distanceKm / EARTH_CIRCUMFERENCE_KM) * 10) / 10
  return rounds > 0 ? t.aroundEarth({ count: rounds }) : undefined
}

interface Props extends Frame {
  overview: Overview
  shown: ShownFilter
  links: LogLinks
}

function KeyFigures({ overview: { figures }, formats }: Props) {
  const texts = useTexts()
  const t = texts.statistics
  const { flights, distanceKm, durationSeconds, durationKnown } = figures
  const notes = [
    aroundEarth(distanceKm, texts),
    durationKnown > 0 && durationKnown < flights && t.timeBasedOn({ known: durationKnown, count: flights }),
  ].filter((note) => note)
  const pairs: [string, ComponentChildren][] = [
    [t.flights, formats.count(flights)],
    [t.distance, formats.distance(distanceKm)],
    [t.timeInAir, durationSeconds > 0 ? formats.roundDuration(durationSeconds) : formats.total(0)],
    [t.countries, formats.count(figures.countries)],
    [t.airports, formats.count(figures.airports)],
    [t.airlines, formats.count(figures.airlines)],
  ]
  return (
    <>
      <Pairs class="headline" pairs={pairs} />
      {notes.length > 0 && <p class="quiet">{notes.join(' ')}</p>}
    </>
  )
}

const flightRecords = [
  'longestDistance',
  'shortestDistance',
  'longestDuration',
  'shortestDuration',
  'first',
  'latest',
] as const

const placeRecords = ['northernmost', 'southernmost', 'easternmost', 'westernmost'] as const

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
  const t = useTexts().statistics
  const { busiestDay, busiestMonth, toTheMoon } = records
  const pairs: [string, ComponentChildren][] = []
  const addBusiest = (name: 'busiestDay' | 'busiestMonth', href: string, period: string, count: number) =>
    pairs.push([
      t.recordNames[name],
      <>
        <a href={href}>{period}</a> <span class="quiet">{t.flightsOfRecord({ count })}</span>
      </>,
    ])
  for (const name of flightRecords) {
    const flight = records[name]
    if (flight) pairs.push([t.recordNames[name], <FlightLink flight={flight} basePath={basePath} formats={formats} />])
  }
  for (const name of placeRecords) {
    const airport = records[name]
    if (!airport) continue
    pairs.push([
      t.recordNames[name],
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
    addBusiest('busiestDay', links.day(date), formats.day(date), flights)
  }
  if (busiestMonth && busiestMonth.flights > 1) {
    const { month, flights } = busiestMonth
    addBusiest('busiestMonth', links.monthOf(month), formats.day(`${month}-01`, 'month'), flights)
  }
  if (toTheMoon >= 0.01) {
    pairs.push([t.recordNames.toTheMoon, t.partOfTheWay({ percent: Math.round(toTheMoon * 100) })])
  }
  return (
    <Section id="records" title={t.records}>
      <Pairs class="facts wide records" pairs={pairs} />
    </Section>
  )
}

function StatisticsPage(props: Props) {
  const { overview, shown, basePath } = props
  const t = useTexts().statistics
  const newest = overview.by.year.groups.at(-1)?.key
  const year = shown.values.year ?? String(newest).padStart(4, '0')
  const isEmpty = overview.figures.flights === 0
  const bar = { basePath, action: '/statistics', shown }
  return (
    <Layout {...props} title={t.title} place="statistics">
      <div class="lead">
        <h1>{t.title}</h1>
        {newest !== undefined && (
          <p class="actions">
            <a class="button" href={`${basePath}/statistics/${year}`}>
              {t.yearInReview({ year })}
            </a>
          </p>
        )}
      </div>
      <FilterBar {...bar} />
      {isEmpty && shown.chips.length > 0 && <NothingFound {...bar} />}
      {isEmpty && shown.chips.length === 0 && (
        <p class="card empty">{t.noStatistics({ link: (text) => <a href={basePath || '/'}>{text}</a> })}</p>
      )}
      {!isEmpty && (
        <>
          <Section id="figures" title={t.figures} untitled>
            <KeyFigures {...props} />
          </Section>
          <Section id="over-time" title={t.overTime}>
            <OverTime {...props} />
          </Section>
          <Section id="most-often" title={t.mostFlown}>
            <MostFlown {...props} />
          </Section>
          {overview.by.aircraft.groups.some(({ key }) => key !== null) && (
            <Section id="aircraft" title={t.aircraft}>
              <AircraftFamilies {...props} />
            </Section>
          )}
          <HowFlown {...props} />
          <PunctualitySection {...props} />
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
    const overview = await stats.getOverview(visit.caller, shown.filter, visit.formats.distanceStep.km)
    const links = logLinks(shown, basePath, dayOf(now()))
    return visit.send(<StatisticsPage {...visit.frame} shown={shown} overview={overview} links={links} />)
  })
}
