import type { ComponentChildren } from 'preact'
import { FilterBar, NothingFound } from '../../components/filter-bar/filter-bar.tsx'
import type { ShownFilter } from '../../components/filter-bar/read-filter.ts'
import { Pairs } from '../../components/lists.tsx'
import { Section } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import { Layout } from '../../framework/layout.tsx'
import type { LogLinks } from './charts/links.ts'
import { HowFlown, MostOften, OverTime, type Overview } from './statistics-charts.tsx'
import { Records } from './statistics-records.tsx'

interface Props extends Frame {
  overview: Overview
  shown: ShownFilter
  links: LogLinks
  weekStartsOnSunday: boolean
}

function KeyFigures({ figures, formats }: { figures: Overview['figures']; formats: Formats }) {
  const { flights, distanceKm, durationSeconds, durationKnown } = figures
  const rounds = Math.round(distanceKm / 4007.5017) / 10
  const beside = (text: string) => <span class="beside">{text}</span>
  const pairs: [string, ComponentChildren][] = [
    ['Flights', formats.count(flights)],
    [
      'Distance',
      <>
        {formats.distance(distanceKm)}
        {rounds >= 0.1 && beside(`${rounds.toFixed(1)} times around the earth`)}
      </>,
    ],
    [
      'Time in the air',
      <>
        {formats.total(durationSeconds)}
        {durationKnown > 0 &&
          durationKnown < flights &&
          beside(`known of ${formats.count(durationKnown)} of ${formats.count(flights)}`)}
      </>,
    ],
    ['Airports', formats.count(figures.airports)],
    ['Countries', formats.count(figures.countries)],
    ['Airlines', formats.count(figures.airlines)],
  ]
  return <Pairs class="figures many" pairs={pairs} />
}

export function StatisticsPage({ overview, shown, links, weekStartsOnSunday, ...frame }: Props) {
  const { basePath, formats } = frame
  const { figures, by } = overview
  const newest = by.year.groups.at(-1)?.key
  const part = { overview, formats, links }
  return (
    <Layout {...frame} title="Statistics – Paxlog" place="statistics">
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
      <FilterBar basePath={basePath} action="/statistics" shown={shown} />
      {figures.flights === 0 && shown.chips.length > 0 && (
        <NothingFound basePath={basePath} action="/statistics" shown={shown} />
      )}
      {figures.flights === 0 && shown.chips.length === 0 && (
        <p class="card empty">
          Nothing to count yet: statistics are about flights that were flown. <a href={basePath || '/'}>Your log</a> has
          ways to bring some here.
        </p>
      )}
      {figures.flights > 0 && (
        <>
          <Section id="figures" title="Figures" untitled>
            <KeyFigures figures={figures} formats={formats} />
          </Section>
          <Section id="over-time" title="Over time">
            <OverTime {...part} weekStartsOnSunday={weekStartsOnSunday} />
          </Section>
          <Section id="most-often" title="Most often">
            <MostOften {...part} />
          </Section>
          <Section id="how-flown" title="How">
            <HowFlown {...part} shown={shown} />
          </Section>
          <Records records={overview.records} links={links} {...frame} />
        </>
      )}
    </Layout>
  )
}
