import type { FastifyInstance } from 'fastify'
import type { ComponentChildren } from 'preact'
import type { Caller } from '../../../../access/caller.ts'
import type { LogPage } from '../../../../domain/flights/query/user-log.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import type { Stats } from '../../../../domain/stats/contract.ts'
import { Figures, mainFigures } from '../../components/figures.tsx'
import { FilterBar, NothingFound } from '../../components/filter-bar/filter-bar.tsx'
import { filterBar, type ShownFilter } from '../../components/filter-bar/read-filter.ts'
import { FlightLog } from '../../components/flight-list.tsx'
import { Section } from '../../components/section.tsx'
import type { Frame, PageContext } from '../../framework/context.ts'
import { allowSources } from '../../framework/headers.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { signedInPages } from '../../framework/signed-in.ts'
import { Atlas, atlasScripts, userAtlas } from '../../maps/atlas.tsx'
import type { MapDrawing } from '../../maps/draw.ts'
import { mapChoice } from '../../maps/map-choice.ts'
import { userDrawing } from '../../maps/maps.ts'
import { RouteList } from '../../maps/route-map.tsx'

interface Log {
  shown: ShownFilter
  log: LogPage
  yearPages: readonly { year: string; page: number }[]
}

interface Props extends Frame, Partial<Log> {
  caller: Caller
  /** Only on the first page of the log. */
  stats?: Stats
  map?: MapDrawing | undefined
}

function Totals({ stats, formats, basePath }: Pick<Props, 'formats' | 'basePath'> & { stats: Stats }) {
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
  return <Figures title={t.totals} main={mainFigures(stats, formats, useTexts())} most={pairs} />
}

function EmptyLog({ basePath, permissions }: { basePath: string; permissions: Caller['permissions'] }) {
  const t = useTexts().home
  return (
    <>
      <p class="quiet">{t.noFlights}</p>
      <ul class="cards ways">
        {permissions.has('flight.create.own') && (
          <li class="card">
            <h3>{t.addFlight}</h3>
            <p>{t.addHint}</p>
            <a class="button primary" href={`${basePath}/flights/new`}>
              {t.addFirst}
            </a>
          </li>
        )}
        {permissions.has('flight.import.own') && (
          <li class="card">
            <h3>{t.importFile}</h3>
            <p>{t.importHint}</p>
            <a class="button" href={`${basePath}/import`}>
              {t.importFile}
            </a>
          </li>
        )}
        <li class="card">
          <h3>{t.useApi}</h3>
          <p>{t.useApiHint({ link: (text) => <a href={`${basePath}/settings/security`}>{text}</a> })}</p>
          <a class="button" href={`${basePath}/docs`}>
            {t.seeReference}
          </a>
        </li>
      </ul>
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

function Flights({ log, yearPages, shown, formats, caller, basePath }: Omit<Props, keyof Log> & Log) {
  const t = useTexts().home
  if (log.comingUp.length + log.lines.length > 0) {
    return <FlightLog {...{ log, yearPages, formats, basePath }} path="/" query={shown.query} />
  }
  return (
    <Section id="flights" title={t.yourFlights}>
      {shown.query === '' ? (
        <EmptyLog basePath={basePath} permissions={caller.permissions} />
      ) : (
        <NothingFound basePath={basePath} action="/" shown={shown} />
      )}
    </Section>
  )
}

function HomePage({ caller, shown, log, yearPages, stats, map, ...frame }: Props) {
  const { basePath, formats } = frame
  const t = useTexts().home
  const roleName = caller.isOwner ? t.owner : (caller.role?.name ?? '')
  const isEmpty = shown?.query === '' && log?.comingUp.length === 0 && log.lines.length === 0
  const links = { basePath, query: shown?.query ?? '' }
  return (
    <Layout
      {...frame}
      title={log && log.page > 1 ? t.titleOfPage({ page: log.page }) : t.title}
      place="home"
      installable
      scripts={map ? atlasScripts : []}
    >
      <div class="lead">
        <div>
          <h1 dir="auto">{caller.displayName}</h1>
          <p class="quiet">
            {t.signedInAs({ username: caller.username, name: (text) => <strong>{text}</strong> })}
            {roleName && (
              <>
                {' · '}
                <bdi>{roleName}</bdi>
              </>
            )}
          </p>
        </div>
        {!isEmpty && <Actions basePath={basePath} permissions={caller.permissions} />}
      </div>
      {shown && !isEmpty && <FilterBar basePath={basePath} action="/" shown={shown} />}
      {map && (
        <Section id="places" title={t.map} untitled>
          <Atlas drawing={map} {...userAtlas(links)} />
          <RouteList lines={map.lines} links={links} />
        </Section>
      )}
      {stats && stats.flights > 0 && <Totals stats={stats} formats={formats} basePath={basePath} />}
      {log && shown && yearPages ? (
        <Flights {...frame} {...{ log, yearPages, shown, caller }} />
      ) : (
        <p class="card empty">{t.noAccess}</p>
      )}
      <footer class="bottom">
        <ul>
          <li>
            <a href={`${basePath}/settings/security`}>{t.keysAndPassword}</a>
          </li>
          <li>
            <a href={`${basePath}/docs`}>{t.apiReference}</a>
          </li>
        </ul>
      </footer>
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
    const log = await flights.logPage(caller, filter, Number(request.query.page))
    const props = { ...page, shown, log, yearPages: flights.pagesOfYears(log) }
    if (log.page > 1) return send(<HomePage {...props} />)
    const map = await userDrawing(await mapOf(caller, filter), mapChoice(request))
    if (map) allowSources(reply, 'manifest', 'worker')
    return send(<HomePage {...props} stats={await stats.get(caller, { scope: 'mine', ...filter })} map={map} />)
  })
}
