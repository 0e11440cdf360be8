import type { FastifyInstance } from 'fastify'
import type { ComponentChildren } from 'preact'
import type { Flight } from '../../../../domain/flights/contract.ts'
import type { UserRoute } from '../../../../domain/flights/map/user-map.ts'
import type { FlightFilter } from '../../../../domain/flights/query/filter-contract.ts'
import type { LogPage } from '../../../../domain/flights/query/user-log.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import type { Stats } from '../../../../domain/stats/contract.ts'
import { countryName } from '../../../../lib/english.ts'
import { notFound } from '../../../../lib/errors.ts'
import { mainFigures } from '../../components/figures.tsx'
import { type FilterName, queryWith, readPageFilter } from '../../components/filter-bar/filter.ts'
import { FilterBar, NothingFound } from '../../components/filter-bar/filter-bar.tsx'
import { filterBar, type ShownFilter } from '../../components/filter-bar/read-filter.ts'
import { FlightLog } from '../../components/flight-list.tsx'
import { Pairs } from '../../components/lists.tsx'
import { Crumb, Section } from '../../components/section.tsx'
import type { Frame, PageContext } from '../../framework/context.ts'
import { allowSources } from '../../framework/headers.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { type IdRequest, idOf, signedInPages, type Visit } from '../../framework/signed-in.ts'
import { Atlas, atlasScripts, userAtlas } from '../../maps/atlas.tsx'
import type { MapDrawing } from '../../maps/draw.ts'
import { mapChoice } from '../../maps/map-choice.ts'
import { userDrawing } from '../../maps/maps.ts'

interface Entity {
  name: string
  path: string
  filter: FlightFilter
  /** The filter as parameters of a page. */
  query: Partial<Record<FilterName, string>>
  facts: readonly [string, string | null | undefined][]
  airportId?: number
}

interface Props extends Frame {
  entity: Entity
  shown: ShownFilter
  log: LogPage
  yearPages: readonly { year: string; page: number }[]
  stats: Stats
  first: Flight | null
  latest: Flight | null
  routes: readonly UserRoute[]
  map: MapDrawing | undefined
}

const MAX_ROUTES = 12

const countFlown = (routes: readonly UserRoute[]) =>
  routes.reduce((total, { count, planned }) => total + count - planned, 0)

function EntityFigures({ stats, routes, entity: { airportId }, formats }: Props) {
  const texts = useTexts()
  const t = texts.entities
  const pairs = mainFigures(stats, formats, texts, t.flightsFlown)
  if (airportId !== undefined) {
    const departures = countFlown(routes.filter(({ from }) => from.id === airportId))
    const arrivals = countFlown(routes.filter(({ to }) => to.id === airportId))
    pairs.splice(-1, 1, [t.departuresAndArrivals, `${formats.count(departures)} · ${formats.count(arrivals)}`])
  }
  return <Pairs class="figures" pairs={pairs} />
}

function Routes({ routes, basePath }: Props) {
  const t = useTexts().entities
  const shown = routes.toSorted((a, b) => b.count - a.count).slice(0, MAX_ROUTES)
  return (
    <Section id="routes" title={routes.length > MAX_ROUTES ? t.mostFlownRoutes({ count: MAX_ROUTES }) : t.routes}>
      <ul class="routes">
        {shown.map(({ from, to, count }) => (
          <li key={`${from.id} ${to.id}`}>
            <a href={`${basePath}/?fromId=${from.id}&toId=${to.id}`}>
              {t.route({ from: codeOf(from), to: codeOf(to) })}
            </a>
            <span class="quiet">{t.flightCount({ count })}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function EntityPage(props: Props) {
  const { entity, shown, log, yearPages, first, latest, map, formats, basePath } = props
  const t = useTexts().entities
  const { name, path } = entity
  const isEmpty = log.comingUp.length + log.lines.length === 0
  const link = ({ id, date, datePrecision, from, to }: Flight) => (
    <a href={`${basePath}/flights/${id}`}>
      {t.flight({ date: formats.day(date, datePrecision), from: codeOf(from), to: codeOf(to) })}
    </a>
  )
  const facts: [string, ComponentChildren][] = entity.facts.filter(([, value]) => value)
  if (first) facts.push([t.firstFlight, link(first)])
  if (latest && latest.id !== first?.id) facts.push([t.lastFlight, link(latest)])
  return (
    <Layout {...props} title={name} place="home" below scripts={map ? atlasScripts : []}>
      <Crumb href={basePath || '/'}>{t.flights}</Crumb>
      <h1 dir="auto">{name}</h1>
      <Pairs class="facts wide" pairs={facts} />
      {!(isEmpty && shown.query === '') && <FilterBar basePath={basePath} action={path} shown={shown} />}
      {isEmpty && shown.query !== '' && <NothingFound basePath={basePath} action={path} shown={shown} />}
      {isEmpty && shown.query === '' && <p class="card empty">{t.noFlights}</p>}
      {!isEmpty && log.page === 1 && (
        <>
          <EntityFigures {...props} />
          {map && (
            <Atlas drawing={map} {...userAtlas({ basePath, query: queryWith(shown, entity.query) })} size="low" />
          )}
          <Routes {...props} />
        </>
      )}
      {!isEmpty && <FlightLog {...{ log, yearPages, formats, basePath, path }} query={shown.query} />}
    </Layout>
  )
}

/** The user's flights with one airport, airline, aircraft type or registration. */
export async function entityPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { flights, stats, reference, mapOf } = context
  const pages = signedInPages(app, context)
  const readFilter = filterBar(context)

  async function show(visit: Visit, entity: Entity) {
    const { caller, request } = visit
    const shown = await readFilter(visit)
    const filter = { ...shown.filter, ...entity.filter }
    const log = await flights.logPage(caller, filter, Number((request.query as { page?: unknown }).page))
    const own = await mapOf(caller, filter)
    const query = { scope: 'mine', ...filter } as const
    const figures = await stats.get(caller, query)
    const { first, latest } = await stats.getRecords(caller, query)
    allowSources(visit.reply, 'worker')
    return visit.send(
      <EntityPage
        {...visit.frame}
        {...{ entity, shown, log, first, latest }}
        yearPages={flights.pagesOfYears(log)}
        stats={figures}
        routes={own.routes}
        map={log.page === 1 ? await userDrawing(own, mapChoice(request)) : undefined}
      />,
    )
  }

  pages.get<IdRequest>('/airports/:id', (visit) => {
    const airport = reference.airports.get(visit.caller, idOf(visit.request, 'airport'))
    const { id } = airport
    const t = visit.texts.entities
    return show(visit, {
      name: `${codeOf(airport)} ${airport.name}`,
      path: `/airports/${id}`,
      filter: { airportId: [id] },
      query: { airportId: String(id) },
      facts: [
        [t.city, airport.municipality],
        [t.country, countryName(airport.country)],
        [t.iataCode, airport.iata],
        [t.icaoCode, airport.icao],
        [t.timeZone, airport.timezone.replaceAll('_', ' ')],
      ],
      airportId: id,
    })
  })

  pages.get<IdRequest>('/airlines/:id', (visit) => {
    const { id, name, iata, icao } = reference.airlines.get(visit.caller, idOf(visit.request, 'airline'))
    const t = visit.texts.entities
    const facts: Entity['facts'] = [
      [t.iataCode, iata],
      [t.icaoCode, icao],
    ]
    const query = { airlineId: String(id) }
    return show(visit, { name, path: `/airlines/${id}`, filter: { airlineId: [id] }, query, facts })
  })

  pages.get<IdRequest>('/aircraft/:id', (visit) => {
    const { id, name, icao } = reference.aircraft.get(visit.caller, idOf(visit.request, 'aircraft type'))
    const facts: Entity['facts'] = [[visit.texts.entities.icaoCode, icao]]
    const query = { aircraftId: String(id) }
    return show(visit, { name, path: `/aircraft/${id}`, filter: { aircraftId: [id] }, query, facts })
  })

  pages.get<{ Params: { reg: string } }>('/registrations/:reg', (visit) => {
    const { reg } = visit.request.params
    const { aircraftReg } = readPageFilter({ aircraftReg: reg }).filter
    if (aircraftReg === undefined) throw notFound('registration')
    const path = `/registrations/${encodeURIComponent(reg)}`
    return show(visit, { name: reg.trim(), path, filter: { aircraftReg }, query: { aircraftReg: reg }, facts: [] })
  })
}
