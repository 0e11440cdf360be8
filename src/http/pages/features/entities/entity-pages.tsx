import type { FastifyInstance } from 'fastify'
import type { ComponentChildren } from 'preact'
import type { Flight } from '../../../../domain/flights/contract.ts'
import type { UserRoute } from '../../../../domain/flights/map/user-map.ts'
import type { FlightFilter } from '../../../../domain/flights/query/filter-contract.ts'
import type { LogPage } from '../../../../domain/flights/query/user-log.ts'
import { type Airport, codeOf } from '../../../../domain/reference/contract.ts'
import type { Stats } from '../../../../domain/stats/contract.ts'
import { notFound } from '../../../../lib/errors.ts'
import { distanceMeters } from '../../../../lib/geo.ts'
import { type BulkActions, bulkActionsOf } from '../../components/bulk-form.tsx'
import { type FilterName, queryWith, readPageFilter } from '../../components/filter-bar/filter.ts'
import { FilterBar, NothingFound } from '../../components/filter-bar/filter-bar.tsx'
import { filterBar, type ShownFilter, tripChoices } from '../../components/filter-bar/read-filter.ts'
import { FlightLog } from '../../components/flight-log.tsx'
import { Pairs } from '../../components/lists.tsx'
import { readSort, sortParameters } from '../../components/log-address.ts'
import { AirlineBadge, Flag, Icon } from '../../components/marks.tsx'
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
  heading: ComponentChildren
  /** Below the heading. */
  place?: ComponentChildren
  path: string
  filter: FlightFilter
  /** The filter as parameters of a page. */
  query: Partial<Record<FilterName, string>>
  facts: readonly [string, string | null | undefined][]
  airportId?: number
  /** Shows durations instead of a list of routes. */
  isRoute?: boolean
}

interface Props extends Frame {
  entity: Entity
  shown: ShownFilter
  log: LogPage
  bulk: BulkActions
  stats: Stats
  first: Flight | null
  latest: Flight | null
  shortestDuration: Flight | null
  routes: readonly UserRoute[]
  map: MapDrawing | undefined
}

const MAX_ROUTES = 12

const countFlown = (routes: readonly UserRoute[]) =>
  routes.reduce((total, { count, planned }) => total + count - planned, 0)

function EntityFigures({ stats, routes, entity: { airportId, isRoute }, formats }: Props) {
  const texts = useTexts()
  const t = texts.entities
  const { flights, distanceKm, durationSeconds, airports } = stats
  const words = texts.figures.words
  const pairs: [string, string][] = [
    [words.flights({ count: flights }), formats.count(flights)],
    [words.distance, formats.distance(distanceKm)],
  ]
  // 0 means that no times are known.
  if (durationSeconds > 0) pairs.push([words.time, formats.roundDuration(durationSeconds)])
  if (airportId !== undefined) {
    const departures = countFlown(routes.filter(({ from }) => from.id === airportId))
    const arrivals = countFlown(routes.filter(({ to }) => to.id === airportId))
    pairs.push([t.departures({ count: departures }), formats.count(departures)])
    pairs.push([t.arrivals({ count: arrivals }), formats.count(arrivals)])
  } else if (!isRoute) {
    pairs.push([words.airports({ count: airports }), formats.count(airports)])
  }
  return <Pairs class="headline" pairs={pairs} />
}

const cityOf = ({ municipality, name }: Airport) => municipality ?? name

const MarkedCity = ({ airport, basePath }: { airport: Airport; basePath: string }) => (
  <span class="marked" dir="auto">
    <Flag country={airport.country} basePath={basePath} /> {cityOf(airport)}
  </span>
)

function Routes({ routes, basePath, entity: { isRoute } }: Props) {
  const t = useTexts().entities
  if (isRoute) return null
  const shown = routes.toSorted((a, b) => b.count - a.count).slice(0, MAX_ROUTES)
  return (
    <Section id="routes" title={routes.length > MAX_ROUTES ? t.mostFlownRoutes({ count: MAX_ROUTES }) : t.routes}>
      <ul class="routes">
        {shown.map(({ from, to, count }) => (
          <li key={`${from.id} ${to.id}`}>
            <span>
              <a class="standalone" href={`${basePath}/routes/${from.id}-${to.id}`}>
                {t.route({ from: codeOf(from), to: codeOf(to) })}
              </a>{' '}
              <span class="quiet">
                <MarkedCity airport={from} basePath={basePath} /> – <MarkedCity airport={to} basePath={basePath} />
              </span>
            </span>
            <span class="quiet">{t.flightCount({ count })}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function EntityPage(props: Props) {
  const { entity, shown, log, bulk, stats, first, latest, map, formats, basePath, viewer } = props
  const t = useTexts().entities
  const { name, path } = entity
  const isEmpty = log.lines.length === 0
  const filterLinks = { basePath, action: path, shown, keep: sortParameters(log.sort) }
  const link = ({ id, date, datePrecision, from, to }: Flight) => (
    <a href={`${basePath}/flights/${id}`}>
      {t.flight({ date: formats.day(date, datePrecision), from: codeOf(from), to: codeOf(to) })}
    </a>
  )
  const facts: [string, ComponentChildren][] = entity.facts.filter(([, value]) => value)
  if (first) facts.push([t.firstFlight, link(first)])
  if (latest && latest.id !== first?.id) facts.push([t.lastFlight, link(latest)])
  const { shortestDuration } = props
  if (entity.isRoute && shortestDuration && shortestDuration.duration !== null) {
    const duration = formats.duration(shortestDuration.duration)
    facts.push([t.fastest, <a href={`${basePath}/flights/${shortestDuration.id}`}>{duration}</a>])
  }
  return (
    <Layout {...props} title={name} place="home" below scripts={map ? atlasScripts : []}>
      <Crumb href={basePath || '/'}>{t.flights}</Crumb>
      <div class="entity">
        <div>
          <h1 dir="auto">{entity.heading}</h1>
          {entity.place && <p class="quiet">{entity.place}</p>}
        </div>
        {stats.flights > 0 && log.page === 1 && <EntityFigures {...props} />}
      </div>
      <Pairs class="facts wide" pairs={facts} />
      {!(isEmpty && shown.query === '') && <FilterBar {...filterLinks} />}
      {isEmpty && shown.query !== '' && <NothingFound {...filterLinks} />}
      {isEmpty && shown.query === '' && <p class="card empty">{t.noFlights}</p>}
      {!isEmpty && log.page === 1 && (
        <>
          {map && (
            <Atlas drawing={map} {...userAtlas({ basePath, query: queryWith(shown, entity.query) })} size="low" />
          )}
          <Routes {...props} />
        </>
      )}
      {!isEmpty && <FlightLog {...{ log, bulk, formats, basePath, viewer, path }} query={shown.query} />}
    </Layout>
  )
}

/** The user's flights with one airport, airline, aircraft type or registration. */
export async function entityPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, flights, stats, reference, mapOf } = context
  const pages = signedInPages(app, context)
  const readFilter = filterBar(context)

  async function show(visit: Visit, entity: Entity) {
    const { caller, request } = visit
    const shown = await readFilter(visit)
    const filter = { ...shown.filter, ...entity.filter }
    const { page } = request.query as { page?: unknown }
    const log = await flights.logPage(caller, filter, Number(page), readSort(request.query))
    const own = await mapOf(caller, filter)
    const query = { scope: 'mine', ...filter } as const
    const figures = await stats.get(caller, query)
    const { first, latest, shortestDuration } = await stats.getRecords(caller, query)
    allowSources(visit.reply, 'worker')
    return visit.send(
      <EntityPage
        {...visit.frame}
        {...{ entity, shown, log, first, latest, shortestDuration }}
        bulk={bulkActionsOf(caller, context, tripChoices(shown))}
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
      heading: (
        <>
          <span class="poster">{codeOf(airport)}</span> {airport.name}
        </>
      ),
      place: <MarkedCity airport={airport} basePath={basePath} />,
      path: `/airports/${id}`,
      filter: { airportId: [id] },
      query: { airportId: String(id) },
      facts: [
        [t.city, airport.municipality],
        [t.country, visit.texts.names.country(airport.country)],
        [t.iataCode, airport.iata],
        [t.icaoCode, airport.icao],
        [t.timeZone, airport.timezone.replaceAll('_', ' ')],
      ],
      airportId: id,
    })
  })

  pages.get<IdRequest>('/airlines/:id', (visit) => {
    const airline = reference.airlines.get(visit.caller, idOf(visit.request, 'airline'))
    const { id, name, iata, icao } = airline
    const t = visit.texts.entities
    const facts: Entity['facts'] = [
      [t.iataCode, iata],
      [t.icaoCode, icao],
    ]
    const query = { airlineId: String(id) }
    const heading = (
      <>
        <AirlineBadge airline={airline} /> {name}
      </>
    )
    return show(visit, { name, heading, path: `/airlines/${id}`, filter: { airlineId: [id] }, query, facts })
  })

  pages.get<IdRequest>('/aircraft/:id', (visit) => {
    const { id, name, icao } = reference.aircraft.get(visit.caller, idOf(visit.request, 'aircraft type'))
    const facts: Entity['facts'] = [[visit.texts.entities.icaoCode, icao]]
    const query = { aircraftId: String(id) }
    const heading = (
      <>
        <Icon name="plane" size={28} /> {name}
      </>
    )
    return show(visit, { name, heading, path: `/aircraft/${id}`, filter: { aircraftId: [id] }, query, facts })
  })

  pages.get<{ Params: { reg: string } }>('/registrations/:reg', (visit) => {
    const { reg } = visit.request.params
    const { aircraftReg } = readPageFilter({ aircraftReg: reg }).filter
    if (aircraftReg === undefined) throw notFound('registration')
    const path = `/registrations/${encodeURIComponent(reg)}`
    const name = reg.trim()
    const heading = <span class="poster">{name}</span>
    return show(visit, { name, heading, path, filter: { aircraftReg }, query: { aircraftReg: reg }, facts: [] })
  })

  /** Both directions together. */
  pages.get<{ Params: { connection: string } }>('/routes/:connection', (visit) => {
    const ids = /^([1-9]\d{0,9})-([1-9]\d{0,9})$/.exec(visit.request.params.connection)
    if (!ids) throw notFound('route')
    const [from, to] = [ids[1], ids[2]].map((id) => reference.airports.get(visit.caller, Number(id)))
    if (!from || !to) throw notFound('route')
    const t = visit.texts.entities
    const both = [...new Set([from.id, to.id])]
    return show(visit, {
      name: t.route({ from: codeOf(from), to: codeOf(to) }),
      heading: (
        <span class="poster">
          {codeOf(from)} <Icon name="plane" size={36} />
          <span class="unseen">{visit.texts.flightList.fromTo}</span> {codeOf(to)}
        </span>
      ),
      place: (
        <>
          <MarkedCity airport={from} basePath={basePath} /> – <MarkedCity airport={to} basePath={basePath} />
        </>
      ),
      path: `/routes/${from.id}-${to.id}`,
      filter: { fromId: both, toId: both },
      query: { fromId: both.join(','), toId: both.join(',') },
      facts: [[t.distance, visit.formats.distance(distanceMeters(from, to) / 1000)]],
      isRoute: true,
    })
  })
}
