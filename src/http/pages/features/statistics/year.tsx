import type { FastifyInstance } from 'fastify'
import { dayOf } from '../../../../lib/dates.ts'
import { notFound } from '../../../../lib/errors.ts'
import { headlineFigures } from '../../components/figures.tsx'
import { readPageFilter } from '../../components/filter-bar/filter.ts'
import { Crumb, NoFlights, Section } from '../../components/section.tsx'
import type { PageContext } from '../../framework/context.ts'
import { pageFormats } from '../../framework/formats.ts'
import { allowSources } from '../../framework/headers.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { signedInPages, type Visit } from '../../framework/signed-in.ts'
import { Atlas, atlasScripts, userAtlas } from '../../maps/atlas.tsx'
import type { MapDrawing } from '../../maps/draw.ts'
import { mapChoice } from '../../maps/map-choice.ts'
import { userDrawing, userPicture } from '../../maps/maps.ts'
import { pictureLocalization } from '../../maps/picture-texts.ts'
import { type PictureFormat, pictureFormats, pictureSizes } from '../../maps/plan.ts'
import { RouteList } from '../../maps/route-map.tsx'
import { logLinks } from './charts/links.ts'
import {
  BusiestPanel,
  CompanionsPanel,
  DistancePanel,
  FirstsPanel,
  LongestPanel,
  Panel,
  type PanelsProps,
  PunctualityPanel,
  type YearReview,
} from './year-panels.tsx'

interface Props extends PanelsProps {
  map: MapDrawing | undefined
  /** All years of the log, including planned flights, newest first. */
  years: readonly string[]
  /** Years with flown flights, newest first. */
  flownYears: readonly string[]
}

/** As parameters of a filter. */
const FLOWN = { completed: 'true' }

const PATH = '/statistics/:year'

const MAX_COMPANIONS = 6

function Pictures({ year, basePath }: Props) {
  const t = useTexts().year
  const sizeOf = (format: PictureFormat) => {
    const { width, height } = pictureSizes[format]
    return t.pixels({ width: String(width), height: String(height) })
  }
  return (
    <Panel id="pictures" colour={8} title={t.pictures} note={<p>{t.picturesHint}</p>}>
      <p class="pictures">
        {pictureFormats.map((format) => (
          <a
            key={format}
            class={`of-${format}`}
            href={`${basePath}/statistics/${year}/${format}.png`}
            download={`flights-${year}-${format}.png`}
          >
            {t.formats[format]}
            <span class="quiet">{sizeOf(format)}</span>
          </a>
        ))}
      </p>
    </Panel>
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
  const { year, flownYears, review, map, basePath } = props
  const t = useTexts().year
  const isEmpty = review.figures.flights === 0
  const earlier = flownYears.find((other) => other < year)
  const later = flownYears.findLast((other) => other > year)
  const link = (other: string) => (
    <a class="button" href={`${basePath}/statistics/${other}`}>
      {other}
    </a>
  )
  return (
    <Layout {...props} title={t.title({ year })} place="statistics" below scripts={map ? atlasScripts : []}>
      <Crumb href={`${basePath}/statistics?year=${year}`}>{t.statisticsOf({ year })}</Crumb>
      <div class="lead">
        <h1>{t.heading({ year, number: (text) => <span class="poster">{text}</span> })}</h1>
        {(earlier ?? later) && (
          <p class="actions">
            {earlier && link(earlier)}
            {later && link(later)}
          </p>
        )}
      </div>
      {map && !isEmpty && (
        <Section id="places" title={t.map} untitled>
          <Atlas
            drawing={map}
            {...userAtlas({ basePath, query: new URLSearchParams({ year, ...FLOWN }).toString() })}
          />
          <RouteList lines={map.lines} />
        </Section>
      )}
      {isEmpty ? (
        <EmptyYear {...props} />
      ) : (
        <div class="panels">
          {panels.map((Part, index) => (
            <Part key={index} {...props} />
          ))}
        </div>
      )}
    </Layout>
  )
}

/** In the order of the page. */
const panels = [DistancePanel, FirstsPanel, LongestPanel, BusiestPanel, CompanionsPanel, PunctualityPanel, Pictures]

type YearRequest = { Params: { year: string } }

export async function yearPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, flights, mapOf, stats, now = Date.now } = context
  const pages = signedInPages(app, context, 'flight.read.own')

  function reviewOf({ caller, request }: Visit<YearRequest>): Promise<YearReview> {
    const { year } = request.params
    if (!/^\d{4}$/.test(year) || year === '0000') throw notFound('year')
    return stats.getYear(caller, Number(year))
  }

  const flownIn = (year: string) => readPageFilter({ year, ...FLOWN }).filter

  pages.get<YearRequest>(PATH, async (visit) => {
    const review = await reviewOf(visit)
    const { year } = visit.request.params
    const { years } = await flights.filterChoices(visit.caller)
    const flownYears = (await flights.selected(visit.caller, {})).years.map((flown) => flown.year)
    const today = dayOf(now())
    const own = await mapOf(visit.caller, flownIn(year))
    const { groups } = await stats.getBreakdown(visit.caller, {
      scope: 'mine',
      by: 'companion',
      sort: 'flights',
      limit: MAX_COMPANIONS,
      ...flownIn(year),
    })
    allowSources(visit.reply, 'worker')
    return visit.send(
      <YearPage
        {...visit.frame}
        {...{ year, review, years, flownYears }}
        punctuality={await stats.getPunctuality(visit.caller, { scope: 'mine', ...flownIn(year) })}
        companions={groups.filter(({ key }) => key !== null)}
        map={await userDrawing(own, mapChoice(visit.request))}
        links={logLinks(readPageFilter({ year }), basePath, today)}
      />,
    )
  })

  for (const format of pictureFormats) {
    pages.get<YearRequest>(`${PATH}/${format}.png`, async (visit) => {
      const { figures } = await reviewOf(visit)
      const own = await mapOf(visit.caller, flownIn(visit.request.params.year))
      const localization = pictureLocalization(visit.request)
      const { language, texts } = localization
      const picture = await userPicture(own, {
        format,
        title: visit.request.params.year,
        subtitle: texts.year.pictureSubtitle,
        figures: headlineFigures(figures, pageFormats(visit.preferences, visit.request, localization), texts),
      })
      if (!picture) throw notFound('picture')
      return visit.reply.type('image/png').header('content-language', language).send(picture)
    })
  }
}
