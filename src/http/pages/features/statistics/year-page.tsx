import type { ComponentChildren } from 'preact'
import { codeOf } from '../../../../domain/reference/contract.ts'
import type { StatsService } from '../../../../domain/stats/service.ts'
import { countryName } from '../../../../lib/english.ts'
import { mainFigures } from '../../components/figures.tsx'
import { Pairs } from '../../components/lists.tsx'
import { Crumb, NoFlights, Section } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import { type Formats, MONTHS } from '../../framework/formats.ts'
import { Layout } from '../../framework/layout.tsx'
import type { MapDrawing } from '../../maps/draw.ts'
import { MapLegend } from '../../maps/map-legend.tsx'
import { RouteList, RouteMap } from '../../maps/route-map.tsx'
import { Chart, MaybeLink } from './charts/chart.tsx'
import { Columns } from './charts/columns.tsx'
import type { LogLinks } from './charts/links.ts'
import { filled } from './statistics-charts.tsx'
import { FlightLink } from './statistics-records.tsx'

export type YearReview = Awaited<ReturnType<StatsService['getYear']>>
type Figures = YearReview['figures']

/** The five figures of a year, for the page and for its pictures. */
export const yearFigures = (figures: Figures, formats: Formats): [string, string][] => [
  ...mainFigures(figures, formats),
  ['Countries', formats.count(figures.countries)],
]

/** How much more or less than in the year before. */
function differences({ figures, before }: YearReview, formats: Formats): string[] {
  const compared = (own: number, other: number, worded: (value: number) => string, less: string) =>
    own === other ? 'the same' : `${worded(Math.abs(own - other))} ${own > other ? 'more' : less}`
  return [
    compared(figures.flights, before.flights, formats.count, 'fewer'),
    compared(figures.distanceKm, before.distanceKm, formats.distance, 'less'),
    compared(figures.durationSeconds, before.durationSeconds, (seconds) => formats.duration(seconds), 'less'),
    compared(figures.airports, before.airports, formats.count, 'fewer'),
    compared(figures.countries, before.countries, formats.count, 'fewer'),
  ]
}

/** More than these are counted, not named. */
const MOST_NAMED = 30

interface First {
  label: string
  more?: string | undefined
  href: string | undefined
}

function Firsts({ title, firsts, formats }: { title: string; firsts: readonly First[]; formats: Formats }) {
  if (firsts.length === 0) return null
  const rest = firsts.length - MOST_NAMED
  return (
    <div>
      <h3>
        {title} <span class="quiet">{formats.count(firsts.length)}</span>
      </h3>
      <ul class="firsts">
        {firsts.slice(0, MOST_NAMED).map(({ label, more, href }, index) => (
          <li key={index}>
            <MaybeLink href={href}>{label}</MaybeLink> {more && <span class="quiet">{more}</span>}
          </li>
        ))}
        {rest > 0 && <li class="quiet">and {formats.count(rest)} more</li>}
      </ul>
    </div>
  )
}

interface Props extends Frame {
  year: string
  review: YearReview
  map: MapDrawing | undefined
  links: LogLinks
  /** All years of the log, newest first, with those in which something is planned. */
  years: readonly string[]
  /** The year that it is. */
  present: string
}

function Body({ year, review, map, links, basePath, formats }: Omit<Props, 'viewer' | 'notice' | 'years' | 'present'>) {
  const { figures, before, firsts, records, byMonth } = review
  const lastYear = String(Number(year) - 1).padStart(4, '0')
  const changes = differences(review, formats)
  const months = filled(
    byMonth.groups,
    MONTHS.map((_, index) => index + 1),
    (key) => MONTHS[key - 1]!,
    links.month,
  )
  const pairs = yearFigures(figures, formats).map(([label, value], index): [string, ComponentChildren] => [
    label,
    <>
      {value}
      {before.flights > 0 && <span class="beside">{changes[index]}</span>}
    </>,
  ])
  const outstanding: [string, ComponentChildren][] = (
    [
      ['Farthest', records.longestDistance],
      ['Longest', records.longestDuration],
      ['First', records.first],
      ['Last', records.latest],
    ] as const
  ).flatMap(([label, flight]) =>
    flight ? [[label, <FlightLink key={label} {...{ flight, basePath, formats }} />]] : [],
  )
  return (
    <>
      {map && (
        <Section id="places" title="Map" untitled>
          <RouteMap drawing={map} />
          <MapLegend drawing={map} />
          <RouteList lines={map.lines} />
        </Section>
      )}
      <Section id="figures" title={before.flights > 0 ? `Compared with ${lastYear}` : 'Figures'}>
        <Pairs class="figures many" pairs={pairs} />
      </Section>
      <Section id="firsts" title="For the first time">
        <div class="charts">
          <Firsts
            title="Countries"
            formats={formats}
            firsts={firsts.countries.map((code) => ({ label: countryName(code) ?? code, href: links.country(code) }))}
          />
          <Firsts
            title="Airports"
            formats={formats}
            firsts={firsts.airports.map((airport) => ({
              label: codeOf(airport),
              more: airport.municipality ?? airport.name,
              href: links.airport(airport.id),
            }))}
          />
          <Firsts
            title="Aircraft types"
            formats={formats}
            firsts={firsts.aircraft.map(({ id, name }) => ({ label: name, href: links.aircraft(id) }))}
          />
        </div>
        {firsts.airports.length + firsts.aircraft.length === 0 && <p>Nothing but old acquaintances this year.</p>}
      </Section>
      <Section id="months" title="The months">
        <Chart id="by-month" title="Flights by month" unit="Month" bars={months} formats={formats}>
          <Columns id="by-month" title="Flights by month" bars={months} formats={formats} wide />
        </Chart>
      </Section>
      <Section id="records" title="Records of the year">
        <Pairs class="facts wide records" pairs={outstanding} />
      </Section>
      <Section id="pictures" title="As a picture">
        <p class="quiet">The map and the five figures, without names.</p>
        <p class="actions">
          <a class="button" href={`${basePath}/statistics/${year}/story.png`} download={`flights-${year}-story.png`}>
            Upright, 1080 × 1920
          </a>
          <a class="button" href={`${basePath}/statistics/${year}/card.png`} download={`flights-${year}-card.png`}>
            Card, 1200 × 630
          </a>
        </p>
      </Section>
    </>
  )
}

/** What there is instead of a year without flights. */
function Nothing({ year, years, basePath }: Pick<Props, 'year' | 'years' | 'basePath'>) {
  if (years.length === 0) return <NoFlights basePath={basePath} />
  return (
    <p class="card empty">
      Nothing was flown in {year}.{' '}
      {years.includes(year) && <a href={`${basePath}/?year=${year}`}>See what is planned</a>}
    </p>
  )
}

export function YearPage({ years, present, ...props }: Props) {
  const { year, review, ...frame } = props
  const { basePath } = frame
  // Over the years without flights, of which there may be many.
  const earlier = years.find((other) => other < year)
  const later = years.findLast((other) => other > year && other <= present)
  const link = (other: string) => (
    <a class="button" href={`${basePath}/statistics/${other}`}>
      {other}
    </a>
  )
  return (
    <Layout {...frame} title={`${year} in flights – Paxlog`} place="statistics" below>
      <Crumb href={`${basePath}/statistics?year=${year}`}>Statistics of {year}</Crumb>
      <div class="lead">
        <h1>{year} in flights</h1>
        {(earlier ?? later) && (
          <p class="actions">
            {earlier && link(earlier)}
            {later && link(later)}
          </p>
        )}
      </div>
      {review.figures.flights === 0 ? <Nothing {...{ year, years, basePath }} /> : <Body {...props} />}
    </Layout>
  )
}
