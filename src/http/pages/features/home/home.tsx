import type { FastifyInstance } from 'fastify'
import type { ComponentChildren } from 'preact'
import type { Caller } from '../../../../access/caller.ts'
import type { LogPage } from '../../../../domain/flights/query/user-log.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import type { Stats } from '../../../../domain/stats/contract.ts'
import { type BulkActions, bulkActionsOf } from '../../components/bulk-form.tsx'
import { FilterBar, NothingFound } from '../../components/filter-bar/filter-bar.tsx'
import { filterBar, type ShownFilter, tripChoices } from '../../components/filter-bar/read-filter.ts'
import { daysLeft } from '../../components/flight-list.tsx'
import { FlightLog } from '../../components/flight-log.tsx'
import { Pairs } from '../../components/lists.tsx'
import { readSort, sortParameters } from '../../components/log-address.ts'
import { Icon } from '../../components/marks.tsx'
import { Section } from '../../components/section.tsx'
import type { Frame, PageContext } from '../../framework/context.ts'
import { allowSources } from '../../framework/headers.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { signedInPages } from '../../framework/signed-in.ts'
import { Atlas, atlasScripts, userAtlas } from '../../maps/atlas.tsx'
import type { MapDrawing } from '../../maps/draw.ts'
import { mapChoice } from '../../maps/map-choice.ts'
import { userDrawing, worldDrawing } from '../../maps/maps.ts'
import { RouteList } from '../../maps/route-map.tsx'

interface Log {
  shown: ShownFilter
  log: LogPage
  bulk: BulkActions
}

interface Props extends Frame, Partial<Log> {
  caller: Caller
  /** Only on the first page of the log. */
  stats?: Stats
  /** The number of countries of the flown flights. */
  countries?: number
  map?: MapDrawing | undefined
  /** For an empty log. */
  world?: MapDrawing | undefined
}

type NextFlightLine = LogPage['lines'][number] & { days: number }

const isPlanned = (flight: LogPage['lines'][number]): flight is NextFlightLine => flight.days !== undefined

interface HeroProps extends Pick<Props, 'formats' | 'basePath'> {
  stats: Stats
  countries: number
  permissions: Caller['permissions']
}

function MostFlown({ stats, basePath }: Pick<Props, 'basePath'> & { stats: Stats }) {
  const t = useTexts().home
  const { topAirport, topRoute, topAirline, topAircraft } = stats
  const pairs: [string, ComponentChildren][] = []
  const add = (kind: string, path: string, name: string, count: number) =>
    pairs.push([
      kind,
      <>
        <a href={basePath + path} dir="auto">
          {name}
        </a>{' '}
        <span class="quiet">{t.times({ count })}</span>
      </>,
    ])
  if (topAirport) {
    add(t.airport, `/airports/${topAirport.id}`, `${codeOf(topAirport)} – ${topAirport.name}`, topAirport.count)
  }
  if (topRoute) {
    const { from, to, count } = topRoute
    add(t.route, `/?fromId=${from.id}&toId=${to.id}`, `${codeOf(from)} → ${codeOf(to)}`, count)
  }
  if (topAirline) add(t.airline, `/airlines/${topAirline.id}`, topAirline.name, topAirline.count)
  if (topAircraft) add(t.aircraft, `/aircraft/${topAircraft.id}`, topAircraft.name, topAircraft.count)
  return (
    <Section id="most-flown" title={t.mostFlown}>
      <Pairs class="facts wide" pairs={pairs} />
    </Section>
  )
}

interface EmptyProps {
  basePath: string
  permissions: Caller['permissions']
  world: MapDrawing | undefined
}

function EmptyLog({ basePath, permissions, world }: EmptyProps) {
  const t = useTexts().home
  return (
    <>
      {world && <Atlas drawing={world} {...userAtlas({ basePath, query: '' })} />}
      <div class="first">
        <p>{t.noFlights}</p>
        {permissions.has('flight.create.own') && (
          <a class="button primary" href={`${basePath}/flights/new`}>
            {t.addFirst}
          </a>
        )}
        <p class="quiet">
          {permissions.has('flight.import.own') && (
            <span>{t.importHint({ link: (text) => <a href={`${basePath}/import`}>{text}</a> })} </span>
          )}
          <span>{t.useApiHint({ link: (text) => <a href={`${basePath}/settings/security`}>{text}</a> })}</span>
        </p>
      </div>
    </>
  )
}

function Actions({ basePath, permissions }: { basePath: string; permissions: Caller['permissions'] }) {
  const t = useTexts().home
  const canAdd = permissions.has('flight.create.own')
  const canImport = permissions.has('flight.import.own')
  if (!canAdd && !canImport) return null
  return (
    <p class="actions">
      {canAdd && (
        <a class="button primary" href={`${basePath}/flights/new`}>
          {t.addFlight}
        </a>
      )}
      {canImport && (
        <a class="button" href={`${basePath}/import`}>
          {t.import}
        </a>
      )}
    </p>
  )
}

function Flights({ log, bulk, shown, formats, caller, basePath, viewer, world }: Omit<Props, keyof Log> & Log) {
  const t = useTexts().home
  if (log.lines.length > 0) {
    return <FlightLog {...{ log, bulk, formats, basePath, viewer }} path="/" query={shown.query} />
  }
  return (
    <Section id="flights" title={t.yourFlights} untitled={shown.query === ''}>
      {shown.query === '' ? (
        <EmptyLog basePath={basePath} permissions={caller.permissions} world={world} />
      ) : (
        <NothingFound basePath={basePath} action="/" shown={shown} keep={sortParameters(log.sort)} />
      )}
    </Section>
  )
}

/** The headline of the log: what was flown so far. */
function Hero({ stats, countries, formats, basePath, permissions }: HeroProps) {
  const t = useTexts().figures.words
  const { flights, distanceKm, durationSeconds, airports } = stats
  const pairs: [string, ComponentChildren][] = [
    [t.flights({ count: flights }), formats.count(flights)],
    [t.distance, formats.distance(distanceKm)],
    [
      t.countries({ count: countries }),
      <a key="countries" href={`${basePath}/countries`}>
        {formats.count(countries)}
      </a>,
    ],
    [t.airports({ count: airports }), formats.count(airports)],
  ]
  if (durationSeconds > 0) pairs.splice(2, 0, [t.time, formats.roundDuration(durationSeconds)])
  return (
    <div class="hero">
      <Pairs class="headline" pairs={pairs} />
      <Actions basePath={basePath} permissions={permissions} />
    </div>
  )
}

function NextFlight({ flight, formats, basePath }: Pick<Props, 'formats' | 'basePath'> & { flight: NextFlightLine }) {
  const texts = useTexts()
  const t = texts.home
  const { id, from, to, date, datePrecision, days, flightNumber, airline, trip } = flight
  const facts = [
    t.cities({ from: from.municipality ?? from.name, to: to.municipality ?? to.name }),
    formats.day(date, datePrecision),
    flightNumber,
    airline?.name,
    trip?.name,
  ]
  return (
    <a class="card next-flight" href={`${basePath}/flights/${id}`}>
      <span class="eyebrow">{t.nextFlight}</span>
      <strong class="codes">
        {codeOf(from)} <Icon name="plane" size={20} /> <span class="unseen">{texts.flightList.fromTo}</span>
        {codeOf(to)}
      </strong>
      <span class="quiet about">
        {facts.filter(Boolean).map((fact) => (
          <span key={fact} dir="auto">
            {fact}
          </span>
        ))}
      </span>
      {datePrecision === 'day' && <span class="countdown">{daysLeft(days, texts)}</span>}
    </a>
  )
}

function HomePage({ caller, shown, log, bulk, stats, countries = 0, map, world, ...frame }: Props) {
  const { basePath, formats } = frame
  const t = useTexts().home
  const { permissions } = caller
  const isEmpty = shown?.query === '' && log?.lines.length === 0
  const links = { basePath, query: shown?.query ?? '' }
  const isUnsorted = log?.sort.by === 'date' && log.sort.order === 'desc'
  const next = shown?.query === '' && log?.page === 1 && isUnsorted ? log.lines.find(isPlanned) : undefined
  return (
    <Layout
      {...frame}
      title={log && log.page > 1 ? t.titleOfPage({ page: log.page }) : t.title}
      place="home"
      installable
      scripts={map || world ? atlasScripts : []}
    >
      <h1 class="unseen">{t.title}</h1>
      {stats && stats.flights > 0 && <Hero {...{ stats, countries, formats, basePath, permissions }} />}
      {!isEmpty && !(stats && stats.flights > 0) && <Actions basePath={basePath} permissions={permissions} />}
      {next && <NextFlight flight={next} formats={formats} basePath={basePath} />}
      {map && (
        <Section id="places" title={t.map} untitled>
          <Atlas drawing={map} {...userAtlas(links)} />
          <RouteList lines={map.lines} links={links} />
        </Section>
      )}
      {shown && log && !isEmpty && (
        <FilterBar basePath={basePath} action="/" shown={shown} keep={sortParameters(log.sort)} />
      )}
      {log && bulk && shown ? (
        <Flights {...frame} {...{ log, bulk, shown, caller, world }} />
      ) : (
        <p class="card empty">{t.noAccess}</p>
      )}
      {stats && stats.flights > 0 && <MostFlown stats={stats} basePath={basePath} />}
    </Layout>
  )
}

export async function home(app: FastifyInstance, context: PageContext): Promise<void> {
  const { flights, stats, mapOf } = context
  const readFilter = filterBar(context)

  signedInPages(app, context).get<{ Querystring: { page?: unknown } }>('/', async (visit) => {
    const { caller, request, reply, send } = visit
    const page = { ...visit.frame, caller }
    allowSources(reply, 'manifest')
    if (!caller.permissions.has('flight.read.own')) return send(<HomePage {...page} />)
    const shown = await readFilter(visit)
    const { filter } = shown
    const log = await flights.logPage(caller, filter, Number(request.query.page), readSort(request.query))
    const props = { ...page, shown, log, bulk: bulkActionsOf(caller, context, tripChoices(shown)) }
    if (log.page > 1) return send(<HomePage {...props} />)
    const map = await userDrawing(await mapOf(caller, filter), mapChoice(request))
    const isEmpty = shown.query === '' && log.lines.length === 0
    const world = isEmpty ? await worldDrawing(mapChoice(request)) : undefined
    if (map || world) allowSources(reply, 'manifest', 'worker')
    const flown = await stats.get(caller, { scope: 'mine', ...filter })
    const countries = await stats.countriesOf(caller.userId, filter)
    return send(<HomePage {...props} stats={flown} countries={countries.length} map={map} world={world} />)
  })
}
