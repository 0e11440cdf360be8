import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ComponentChildren, ComponentProps } from 'preact'
import { defaultPreferences } from '../../../../domain/preferences/contract.ts'
import { PAGE_SIZE, type VisitorFlight, type VisitorMap, type VisitorView } from '../../../../domain/shares/visitor.ts'
import { notFound } from '../../../../lib/errors.ts'
import type { Language } from '../../../../lib/languages.ts'
import { laterBy } from '../../components/clocks.tsx'
import { CountryMap } from '../../components/country-map.tsx'
import { headlineFigures } from '../../components/figures.tsx'
import { LogLine } from '../../components/flight-list.tsx'
import { PageLinks, type PageOfList, Pairs } from '../../components/lists.tsx'
import { Flag } from '../../components/marks.tsx'
import { describeSeat } from '../../components/seat.ts'
import { Section } from '../../components/section.tsx'
import type { PageContext } from '../../framework/context.ts'
import { type Formats, pageFormats } from '../../framework/formats.ts'
import { allowSources } from '../../framework/headers.ts'
import { Layout, sendPage } from '../../framework/layout.tsx'
import { useLocalization, useTexts } from '../../framework/localization.ts'
import { Atlas, atlasScripts } from '../../maps/atlas.tsx'
import type { MapDrawing } from '../../maps/draw.ts'
import { mapChoice } from '../../maps/map-choice.ts'
import { cachedPicture, dataOf, drawingOf, type PictureOptions } from '../../maps/maps.ts'
import { isDrawable, pictureLocalization } from '../../maps/picture-texts.ts'
import { legsOf, pictureSizes } from '../../maps/plan.ts'
import { mapDescription, RouteList } from '../../maps/route-map.tsx'
import type { PageTexts } from '../../texts/languages.ts'

type World = Pick<ComponentProps<typeof CountryMap>, 'shapes' | 'size'>

type ShareTexts = PageTexts['shares']['page']

/** A text for the visitor, and for a choice also its name in the API. */
type Detail = readonly [text: string | undefined, value?: string | null | undefined]

function detailsOf(flight: VisitorFlight, formats: Formats, texts: PageTexts): Detail[] {
  const t = texts.shares.page
  const { flightNumber, airline, aircraft, aircraftReg, seat, seatClass, times = {}, date = '' } = flight
  const clocks = Object.entries(times).map(([name, local]): Detail => {
    const days = laterBy(date, local.slice(0, 10))
    const values = { event: t.events[name as keyof ShareTexts['events']], time: formats.clock(local) }
    return [days ? t.clockOnOtherDay({ ...values, days }) : t.clock(values)]
  })
  const details: Detail[] = [
    [[airline, flightNumber].filter(Boolean).join(' ')],
    [aircraft ?? ''],
    [aircraftReg ?? ''],
    [describeSeat(flight, texts), seat],
    [seatClass ? t.seatClass({ name: texts.seats.classes[seatClass] }) : '', seatClass],
    ...clocks,
  ]
  return details.filter(([text]) => text)
}

function FlightLine({ flight, formats }: { flight: VisitorFlight; formats: Formats }) {
  const details = detailsOf(flight, formats, useTexts())
  const what = details.map(([text, value]) => (
    <span key={text} dir="auto">
      {value ? <data value={value}>{text}</data> : text}
    </span>
  ))
  return <LogLine {...flight} formats={formats} what={details.length > 0 && what} />
}

function FlightList({ list, part, formats }: { list: VisitorFlight[]; part: PageOfList; formats: Formats }) {
  const t = useTexts().shares.page
  const undated = list.every(({ date }) => date === undefined)
  return (
    <Section id="flights" title={t.flights}>
      <ol class={undated ? 'log undated' : 'log'}>
        {list.map((flight, index) => (
          <FlightLine key={index} flight={flight} formats={formats} />
        ))}
      </ol>
      <PageLinks {...part} anchor="flights" />
    </Section>
  )
}

function Countries({ codes, world, basePath }: { codes: readonly string[]; world: World; basePath: string }) {
  const texts = useTexts()
  const t = texts.shares.page
  const { country, compare, list } = texts.names
  const countries = codes.map((code) => ({ code, name: country(code) })).sort((a, b) => compare(a.name, b.name))
  return (
    <Section id="countries" title={t.countryCount({ count: codes.length })}>
      <CountryMap
        {...world}
        statuses={new Map(codes.map((code) => [code, 'visited']))}
        description={list(countries.map(({ name }) => name))}
      />
      <ul class="flagged">
        {countries.map(({ code, name }) => (
          <li key={code}>
            <Flag country={code} basePath={basePath} /> {name}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** With the country where most readers live, as Open Graph expects. English texts have British spelling. */
const localeOf = (language: Language) =>
  language === 'en' ? 'en_GB' : new Intl.Locale(language).maximize().toString().replace(/-.*-/, '_')

/** Link previews contain nothing that the page does not show. */
function Preview({ url, title, drawing }: { url: string; title: string; drawing: MapDrawing | undefined }) {
  const { language, texts } = useLocalization()
  const description = drawing ? mapDescription(drawing, texts) : texts.shares.page.description
  return (
    <>
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Paxlog" />
      <meta property="og:locale" content={localeOf(language)} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      <meta name="twitter:card" content={drawing ? 'summary_large_image' : 'summary'} />
      {drawing && (
        <>
          <meta property="og:image" content={`${url}/map.png`} />
          <meta property="og:image:type" content="image/png" />
          <meta property="og:image:width" content={String(pictureSizes.card.width)} />
          <meta property="og:image:height" content={String(pictureSizes.card.height)} />
          <meta property="og:image:alt" content={texts.routeMap.title({ count: drawing.routeCount })} />
        </>
      )}
    </>
  )
}

function tripDates({ dateFrom, dateTo }: NonNullable<VisitorView['trip']>, formats: Formats, t: ShareTexts) {
  if (dateFrom === null || dateTo === null) return t.noFlights
  const [from, to] = [formats.day(dateFrom), formats.day(dateTo)]
  return from === to ? from : t.tripDates({ from, to })
}

interface Props {
  basePath: string
  url: string
  view: Omit<VisitorView, 'map'>
  drawing: MapDrawing | undefined
  world: World | undefined
  part: PageOfList
  formats: Formats
}

/** Shows what the owner has chosen; never the owner's name. */
function SharePage({ basePath, url, view, drawing, world, part, formats }: Props) {
  const { flightCount, stats, list, trip, countries = [] } = view
  const texts = useTexts()
  const t = texts.shares.page
  const headline = flightCount === 0 ? t.noFlights : t.flightCount({ count: flightCount })
  // Statistics contain only completed flights.
  const planned = stats ? flightCount - stats.flights : 0
  const title = t.title({ headline: trip?.name ?? headline })
  const isFirst = part.page === 1
  const most = [
    [t.airport, stats?.topAirport],
    [t.route, stats?.topRoute],
    [t.airline, stats?.topAirline],
    [t.aircraft, stats?.topAircraft],
  ] as const
  const mostFlown = most.flatMap(([kind, name]): [string, ComponentChildren][] =>
    name ? [[kind, <bdi key={kind}>{name}</bdi>]] : [],
  )
  const [distance, flown, ...others] = stats
    ? headlineFigures({ ...stats, countries: view.countries?.length }, formats, texts)
    : []
  // The title has the number of flights too.
  const figures = distance && flown ? [distance, ...others, flown] : []
  return (
    <Layout
      title={title}
      basePath={basePath}
      scripts={drawing && isFirst ? atlasScripts : []}
      meta={<Preview url={url} title={title} drawing={drawing} />}
    >
      <div class="entity">
        <div>
          <h1 class="poster">{trip ? <bdi>{trip.name}</bdi> : headline}</h1>
          {trip && <p>{tripDates(trip, formats, t)}</p>}
          <p class="quiet">{planned > 0 ? t.introductionWithUpcoming({ count: planned }) : t.introduction}</p>
        </div>
        {stats && flightCount > 0 && isFirst && <Pairs class="headline" pairs={figures} />}
      </div>
      {flightCount === 0 && <p class="card empty">{t.empty}</p>}
      {flightCount > 0 && !drawing && !stats && !list && <p class="card empty">{t.onlyCount}</p>}
      {drawing && isFirst && (
        <Section id="places" title={t.map} untitled>
          <Atlas basePath={basePath} drawing={drawing} data={`${part.path}/map.json`} />
          <RouteList lines={drawing.lines} />
        </Section>
      )}
      {mostFlown.length > 0 && isFirst && (
        <Section id="most-flown" title={t.mostFlown}>
          <Pairs class="facts wide" pairs={mostFlown} />
        </Section>
      )}
      {world && countries.length > 0 && isFirst && <Countries codes={countries} world={world} basePath={basePath} />}
      {list && flightCount > 0 && <FlightList list={list} part={part} formats={formats} />}
    </Layout>
  )
}

interface ShareRequest {
  Params: { slug: string }
  Querystring: { page?: unknown }
}

function pageOf(text: unknown): number {
  if (text === undefined) return 1
  if (typeof text !== 'string' || !/^[1-9]\d{0,5}$/.test(text)) throw notFound('share')
  return Number(text)
}

const figure = (word: (values: { count: number }) => string, count: number, formats: Formats): [string, string] => [
  word({ count }),
  formats.count(count),
]

/** The public page of a share. Unknown, expired and disabled shares get the same answer. */
export async function share(app: FastifyInstance, context: PageContext): Promise<void> {
  const { baseUrl, basePath, shares, visitors } = context

  function findShare(slug: string) {
    const found = shares.findActive(slug)
    if (!found) throw notFound('share')
    return found
  }

  /** The texts of the preview picture: nothing that the page does not show. */
  async function previewOf(
    found: ReturnType<typeof findShare>,
    { routes }: VisitorMap,
    request: FastifyRequest,
  ): Promise<PictureOptions> {
    const localization = pictureLocalization(request)
    const { texts } = localization
    const t = texts.shares.page
    const formats = pageFormats(defaultPreferences, request, localization)
    const stats = await visitors.stats(found)
    const trip = visitors.trip(found)
    const flights = routes.reduce((sum, { count }) => sum + count, 0)
    const { airportCount, legCount } = await legsOf(routes, 0)
    const figures = stats
      ? headlineFigures({ ...stats, countries: (await visitors.countries(found)).length }, formats, texts)
      : [
          figure(texts.figures.words.airports, airportCount, formats),
          figure(texts.figures.words.routes, legCount, formats),
        ]
    return {
      format: 'card',
      title: trip && isDrawable(trip.name) ? trip.name : t.flightCount({ count: flights }),
      subtitle: trip ? tripDates(trip, formats, t) : t.pictureSubtitle,
      figures,
    }
  }

  app.get<ShareRequest>('/share/:slug', async ({ params, query }, reply) => {
    const found = findShare(params.slug)
    const page = pageOf(query.page)
    const { map, ...view } = await visitors.view(found, page)
    const pages = view.list ? Math.max(1, Math.ceil(view.flightCount / PAGE_SIZE)) : 1
    if (page > pages) throw notFound('share')
    // Loaded on demand to keep the start fast.
    const { worldCountries, worldSize } = await import('../../maps/world.ts')
    const hasAntarctica = view.countries?.includes('AQ') ?? false
    const content = (
      <SharePage
        basePath={basePath}
        url={`${baseUrl}/share/${found.slug}`}
        view={view}
        drawing={map && (await drawingOf(map, () => map, mapChoice(reply.request)))}
        world={view.countries && { shapes: await worldCountries(), size: worldSize(hasAntarctica) }}
        part={{ page, pages, path: `${basePath}/share/${found.slug}` }}
        formats={pageFormats(defaultPreferences, reply.request)}
      />
    )
    if (found.showMap) allowSources(reply, 'worker')
    return sendPage(reply, 200, content)
  })

  /** Contains nothing that the picture does not show. */
  app.get<ShareRequest>('/share/:slug/map.json', async ({ params }, reply) => {
    const map = await visitors.map(findShare(params.slug))
    if (!map || map.routes.length === 0) throw notFound('share')
    return reply.type('application/json; charset=utf-8').send(await dataOf(map, () => map))
  })

  /** The preview picture of a link. */
  app.get<ShareRequest>('/share/:slug/map.png', async ({ params }, reply) => {
    const found = findShare(params.slug)
    const map = await visitors.map(found)
    const picture = map && (await cachedPicture(map, () => map, await previewOf(found, map, reply.request)))
    if (!picture) throw notFound('share')
    return reply.type('image/png').header('content-language', pictureLocalization(reply.request).language).send(picture)
  })
}
