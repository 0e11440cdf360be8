import type { FastifyInstance } from 'fastify'
import type { ComponentChildren } from 'preact'
import { codeOf } from '../../../../domain/reference/contract.ts'
import type { StatsService } from '../../../../domain/stats/service.ts'
import { dayOf } from '../../../../lib/dates.ts'
import { countryName } from '../../../../lib/english.ts'
import { notFound } from '../../../../lib/errors.ts'
import { mainFigures } from '../../components/figures.tsx'
import { readPageFilter } from '../../components/filter-bar/filter.ts'
import { Pairs } from '../../components/lists.tsx'
import { Crumb, NoFlights, Section } from '../../components/section.tsx'
import type { Frame, PageContext } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import { allowSources } from '../../framework/headers.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { signedInPages, type Visit } from '../../framework/signed-in.ts'
import { Atlas, atlasScripts, userAtlas } from '../../maps/atlas.tsx'
import type { MapDrawing } from '../../maps/draw.ts'
import { mapChoice } from '../../maps/map-choice.ts'
import { userDrawing } from '../../maps/maps.ts'
import { mapPlace } from '../../maps/plan.ts'
import { RouteList } from '../../maps/route-map.tsx'
import type { PageTexts } from '../../texts/languages.ts'
import { Chart, MaybeLink } from './charts/chart.tsx'
import { Columns } from './charts/columns.tsx'
import { type LogLinks, logLinks } from './charts/links.ts'
import { FlightLink } from './statistics.tsx'
import { monthBars } from './statistics-charts.tsx'

type YearTexts = PageTexts['year']
type YearReview = Awaited<ReturnType<StatsService['getYear']>>

interface Props extends Frame {
  year: string
  review: YearReview
  map: MapDrawing | undefined
  links: LogLinks
  /** All years of the log, including planned flights, newest first. */
  years: readonly string[]
  currentYear: string
}

/** As parameters of a filter. */
const FLOWN = { completed: 'true' }

const PATH = '/statistics/:year'

const MAX_FIRSTS = 30

/** For the page and its pictures. */
const yearFigures = ({ figures }: YearReview, formats: Formats, texts: PageTexts): [string, string][] => [
  ...mainFigures(figures, formats, texts),
  [texts.year.countries, formats.count(figures.countries)],
]

/** The change of each figure since the year before. */
function changesOf({ figures, before }: YearReview, formats: Formats, t: YearTexts): string[] {
  const compare = (name: keyof typeof figures, format: (value: number) => string, less: 'fewer' | 'less') => {
    const change = figures[name] - before[name]
    return change === 0 ? t.same : t[change > 0 ? 'more' : less]({ difference: format(Math.abs(change)) })
  }
  return [
    compare('flights', formats.count, 'fewer'),
    compare('distanceKm', formats.distance, 'less'),
    compare('durationSeconds', formats.duration, 'less'),
    compare('airports', formats.count, 'fewer'),
    compare('countries', formats.count, 'fewer'),
  ]
}

interface FirstsProps {
  title: string
  firsts: readonly { label: string; detail?: string; href: string | undefined }[]
  formats: Formats
}

function Firsts({ title, firsts, formats }: FirstsProps) {
  const t = useTexts().year
  if (firsts.length === 0) return null
  const rest = firsts.length - MAX_FIRSTS
  return (
    <div>
      <h3>
        {title} <span class="quiet">{formats.count(firsts.length)}</span>
      </h3>
      <ul class="firsts">
        {firsts.slice(0, MAX_FIRSTS).map(({ label, detail, href }, index) => (
          <li key={index}>
            <MaybeLink href={href}>{label}</MaybeLink> {detail && <span class="quiet">{detail}</span>}
          </li>
        ))}
        {rest > 0 && <li class="quiet">{t.andMore({ count: rest })}</li>}
      </ul>
    </div>
  )
}

const yearRecords = ['longestDistance', 'longestDuration', 'first', 'latest'] as const

function Review({ year, review, map, links, basePath, formats }: Props) {
  const texts = useTexts()
  const t = texts.year
  const { before, firsts, records, byMonth } = review
  const lastYear = String(Number(year) - 1).padStart(4, '0')
  const changes = before.flights > 0 ? changesOf(review, formats, t) : []
  const figures = yearFigures(review, formats, texts).map(([label, value], index): [string, ComponentChildren] => [
    label,
    <>
      {value}
      {changes[index] && <span class="beside">{changes[index]}</span>}
    </>,
  ])
  const outstanding = yearRecords.flatMap((name): [string, ComponentChildren][] => {
    const flight = records[name]
    return flight ? [[t.recordNames[name], <FlightLink key={name} {...{ flight, basePath, formats }} />]] : []
  })
  const bars = monthBars(byMonth.groups, formats, links.month)
  const months = { id: 'by-month', title: t.byMonth, bars, formats }
  return (
    <>
      {map && (
        <Section id="places" title={t.map} untitled>
          <Atlas
            drawing={map}
            {...userAtlas({ basePath, query: new URLSearchParams({ year, ...FLOWN }).toString() })}
          />
          <RouteList lines={map.lines} />
        </Section>
      )}
      <Section id="figures" title={before.flights > 0 ? t.comparedWith({ year: lastYear }) : t.figures}>
        <Pairs class="figures many" pairs={figures} />
      </Section>
      <Section id="firsts" title={t.firsts}>
        <div class="charts">
          <Firsts
            title={t.countries}
            formats={formats}
            firsts={firsts.countries.map((code) => ({ label: countryName(code) ?? code, href: links.country(code) }))}
          />
          <Firsts
            title={t.airports}
            formats={formats}
            firsts={firsts.airports.map((airport) => ({
              label: codeOf(airport),
              detail: airport.municipality ?? airport.name,
              href: links.airport(airport.id),
            }))}
          />
          <Firsts
            title={t.aircraft}
            formats={formats}
            firsts={firsts.aircraft.map(({ id, name }) => ({ label: name, href: links.aircraft(id) }))}
          />
        </div>
        {firsts.airports.length + firsts.aircraft.length === 0 && <p>{t.nothingNew}</p>}
      </Section>
      <Section id="months" title={t.months}>
        <Chart {...months} unit={t.month}>
          <Columns {...months} wide />
        </Chart>
      </Section>
      <Section id="records" title={t.records}>
        <Pairs class="facts wide records" pairs={outstanding} />
      </Section>
      <Section id="pictures" title={t.pictures}>
        <p class="quiet">{t.picturesHint}</p>
        <p class="actions">
          <a class="button" href={`${basePath}/statistics/${year}/story.png`} download={`flights-${year}-story.png`}>
            {t.story}
          </a>
          <a class="button" href={`${basePath}/statistics/${year}/card.png`} download={`flights-${year}-card.png`}>
            {t.card}
          </a>
        </p>
      </Section>
    </>
  )
}

function EmptyYear({ year, years, basePath }: Props) {
  const t = useTexts().year
  if (years.length === 0) return <NoFlights basePath={basePath} />
  return (
    <p class="card empty">
      {years.includes(year)
        ? t.onlyPlanned({ year, link: (text) => <a href={`${basePath}/?year=${year}`}>{text}</a> })
        : t.noFlights({ year })}
    </p>
  )
}

function YearPage(props: Props) {
  const { year, years, currentYear, review, basePath } = props
  const t = useTexts().year
  // Skips years without flights.
  const earlier = years.find((other) => other < year)
  const later = years.findLast((other) => other > year && other <= currentYear)
  const link = (other: string) => (
    <a class="button" href={`${basePath}/statistics/${other}`}>
      {other}
    </a>
  )
  return (
    <Layout {...props} title={t.title({ year })} place="statistics" below scripts={props.map ? atlasScripts : []}>
      <Crumb href={`${basePath}/statistics?year=${year}`}>{t.statisticsOf({ year })}</Crumb>
      <div class="lead">
        <h1>{t.title({ year })}</h1>
        {(earlier ?? later) && (
          <p class="actions">
            {earlier && link(earlier)}
            {later && link(later)}
          </p>
        )}
      </div>
      {review.figures.flights === 0 ? <EmptyYear {...props} /> : <Review {...props} />}
    </Layout>
  )
}

type YearRequest = { Params: { year: string } }

export async function yearPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, flights, mapOf, stats, now = Date.now } = context
  const pages = signedInPages(app, context, 'flight.read.own')

  function reviewOf({ caller, request }: Visit<YearRequest>): Promise<YearReview> {
    const { year } = request.params
    if (!/^\d{4}$/.test(year) || year === '0000') throw notFound('year')
    return stats.getYear(caller, Number(year))
  }

  const routesOf = ({ routes }: YearReview) =>
    routes.map(({ from, to, count }) => ({ from: mapPlace(from), to: mapPlace(to), count }))

  pages.get<YearRequest>(PATH, async (visit) => {
    const review = await reviewOf(visit)
    const { year } = visit.request.params
    const { years } = await flights.filterChoices(visit.caller)
    const today = dayOf(now())
    const own = await mapOf(visit.caller, readPageFilter({ year, ...FLOWN }).filter)
    allowSources(visit.reply, 'worker')
    return visit.send(
      <YearPage
        {...visit.frame}
        {...{ year, review, years }}
        map={await userDrawing(own, mapChoice(visit.request))}
        links={logLinks(readPageFilter({ year }), basePath, today)}
        currentYear={today.slice(0, 4)}
      />,
    )
  })

  for (const format of ['story', 'card'] as const) {
    pages.get<YearRequest>(`${PATH}/${format}.png`, async (visit) => {
      const review = await reviewOf(visit)
      const { posterOf } = await import('../../maps/picture.tsx')
      const picture = await posterOf({
        format,
        title: visit.request.params.year,
        subtitle: visit.texts.year.pictureSubtitle,
        figures: yearFigures(review, visit.formats, visit.texts),
        routes: routesOf(review),
      })
      if (!picture) throw notFound('picture')
      return visit.reply.type('image/png').send(picture)
    })
  }
}
