import type { FastifyInstance } from 'fastify'
import type { ComponentProps } from 'preact'
import { defaultPreferences } from '../../../../domain/preferences/contract.ts'
import { PAGE_SIZE, type VisitorFlight, type VisitorView } from '../../../../domain/shares/visitor.ts'
import { countryName } from '../../../../lib/english.ts'
import { notFound } from '../../../../lib/errors.ts'
import { laterBy } from '../../components/clocks.tsx'
import { CountryMap } from '../../components/country-map.tsx'
import { Figures, mainFigures } from '../../components/figures.tsx'
import { LogLine } from '../../components/flight-list.tsx'
import { PageLinks, type PageOfList } from '../../components/lists.tsx'
import { describeSeat } from '../../components/seat.ts'
import { Section } from '../../components/section.tsx'
import type { PageContext } from '../../framework/context.ts'
import { type Formats, pageFormats } from '../../framework/formats.ts'
import { allowSources } from '../../framework/headers.ts'
import { Layout, sendPage } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { Atlas, atlasScripts } from '../../maps/atlas.tsx'
import type { MapDrawing } from '../../maps/draw.ts'
import { mapChoice } from '../../maps/map-choice.ts'
import { dataOf, drawingOf, pictureOf } from '../../maps/maps.ts'
import { PICTURE } from '../../maps/plan.ts'
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
      <PageLinks {...part} things={t.things} anchor="flights" />
    </Section>
  )
}

function Countries({ codes, world }: { codes: readonly string[]; world: World }) {
  const t = useTexts().shares.page
  const names = codes.map((code) => countryName(code) ?? code).sort((a, b) => a.localeCompare(b, 'en'))
  return (
    <Section id="countries" title={t.countryCount({ count: codes.length })}>
      <CountryMap
        {...world}
        statuses={new Map(codes.map((code) => [code, 'visited']))}
        description={`${names.join(', ')}.`}
      />
      <p class="quiet">{names.join(', ')}</p>
    </Section>
  )
}

/** Link previews contain nothing that the page does not show. */
function Preview({ url, title, drawing }: { url: string; title: string; drawing: MapDrawing | undefined }) {
  const texts = useTexts()
  const description = drawing ? mapDescription(drawing, texts) : texts.shares.page.description
  return (
    <>
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Paxlog" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      <meta name="twitter:card" content={drawing ? 'summary_large_image' : 'summary'} />
      {drawing && (
        <>
          <meta property="og:image" content={`${url}/map.png`} />
          <meta property="og:image:type" content="image/png" />
          <meta property="og:image:width" content={String(PICTURE.width)} />
          <meta property="og:image:height" content={String(PICTURE.height)} />
          <meta property="og:image:alt" content={texts.routeMap.title({ count: drawing.routeCount })} />
        </>
      )}
    </>
  )
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
  const { flightCount, stats, list, countries = [] } = view
  const texts = useTexts()
  const t = texts.shares.page
  const headline = flightCount === 0 ? t.noFlights : t.flightCount({ count: flightCount })
  // Statistics contain only completed flights.
  const planned = stats ? flightCount - stats.flights : 0
  const title = t.title({ headline })
  const isFirst = part.page === 1
  const most = [
    [t.airport, stats?.topAirport],
    [t.route, stats?.topRoute],
    [t.airline, stats?.topAirline],
    [t.aircraft, stats?.topAircraft],
  ] as const
  return (
    <Layout
      title={title}
      basePath={basePath}
      scripts={drawing && isFirst ? atlasScripts : []}
      meta={<Preview url={url} title={title} drawing={drawing} />}
    >
      <div class="lead">
        <div>
          <h1>{headline}</h1>
          <p class="quiet">{planned > 0 ? t.introductionWithUpcoming({ count: planned }) : t.introduction}</p>
        </div>
      </div>
      {flightCount === 0 && <p class="card empty">{t.empty}</p>}
      {flightCount > 0 && !drawing && !stats && !list && <p class="card empty">{t.onlyCount}</p>}
      {drawing && isFirst && (
        <Section id="places" title={t.map} untitled>
          <Atlas basePath={basePath} drawing={drawing} data={`${part.path}/map.json`} />
          <RouteList lines={drawing.lines} />
        </Section>
      )}
      {stats && flightCount > 0 && isFirst && (
        <Figures
          title={t.statistics}
          main={mainFigures(stats, formats, texts, planned > 0 ? t.flightsFlown : t.flights)}
          most={most.flatMap(([kind, name]) => (name ? [[kind, <bdi key={kind}>{name}</bdi>]] : []))}
        />
      )}
      {world && countries.length > 0 && isFirst && <Countries codes={countries} world={world} />}
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

/** The public page of a share. Unknown, expired and disabled shares get the same answer. */
export async function share(app: FastifyInstance, context: PageContext): Promise<void> {
  const { baseUrl, basePath, shares, visitors } = context

  function findShare(slug: string) {
    const found = shares.findActive(slug)
    if (!found) throw notFound('share')
    return found
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
    const map = await visitors.map(findShare(params.slug))
    const picture = map && (await pictureOf(map, () => map))
    if (!picture) throw notFound('share')
    return reply.type('image/png').send(picture)
  })
}
