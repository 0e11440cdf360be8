import type { ComponentChildren } from 'preact'
import type { Caller } from '../../../../access/caller.ts'
import type { LogPage } from '../../../../domain/flights/query/user-log.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import type { Stats } from '../../../../domain/stats/contract.ts'
import { Figures, mainFigures } from '../../components/figures.tsx'
import { FilterBar, NothingFound } from '../../components/filter-bar/filter-bar.tsx'
import type { ShownFilter } from '../../components/filter-bar/read-filter.ts'
import { FlightLog } from '../../components/flight-list.tsx'
import { Section } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import { Layout } from '../../framework/layout.tsx'
import { Atlas, atlasScripts, ownAtlas } from '../../maps/atlas.tsx'
import type { MapDrawing } from '../../maps/draw.ts'
import { type LogLinks, RouteList } from '../../maps/route-map.tsx'

interface Props extends Frame {
  caller: Caller
  /** What the role does not permit is absent. */
  shown?: ShownFilter
  log?: LogPage
  yearPages?: readonly { year: string; page: number }[]
  /** Only with the first page: the others are about their flights alone. */
  stats?: Stats
  map?: MapDrawing | undefined
}

const times = (count: number, formats: Formats) => `${formats.count(count)}\u00a0${count === 1 ? 'time' : 'times'}`

function OwnFigures({ stats, formats, basePath }: { stats: Stats; formats: Formats; basePath: string }) {
  const { topAirport, topRoute, topAirline, topAircraft } = stats
  const most = (kind: string, path: string, name: string, count: number): [string, ComponentChildren] => [
    kind,
    <>
      <a href={basePath + path} dir="auto">
        {name}
      </a>{' '}
      <span class="quiet">{times(count, formats)}</span>
    </>,
  ]
  return (
    <Figures
      title="So far"
      main={mainFigures(stats, formats)}
      most={[
        topAirport &&
          most('Airport', `/airports/${topAirport.id}`, `${codeOf(topAirport)} – ${topAirport.name}`, topAirport.count),
        topRoute &&
          most(
            'Route',
            `/?fromId=${topRoute.from.id}&toId=${topRoute.to.id}`,
            `${codeOf(topRoute.from)} → ${codeOf(topRoute.to)}`,
            topRoute.count,
          ),
        topAirline && most('Airline', `/airlines/${topAirline.id}`, topAirline.name, topAirline.count),
        topAircraft && most('Aircraft', `/aircraft/${topAircraft.id}`, topAircraft.name, topAircraft.count),
      ].filter((pair) => pair !== null)}
    />
  )
}

type Permissions = Caller['permissions']

/** The ways to get flights into the log that the role permits. */
function EmptyLog({ basePath, permissions, docs }: { basePath: string; permissions: Permissions; docs: string }) {
  return (
    <>
      <p class="quiet">No flights yet. There are several ways to fill your log:</p>
      <ul class="cards ways">
        {permissions.has('flight.create.own') && (
          <li class="card">
            <h3>Add a flight</h3>
            <p>Two airports and a day are enough. Everything else can wait.</p>
            <a class="button primary" href={`${basePath}/flights/new`}>
              Add your first flight
            </a>
          </li>
        )}
        {permissions.has('flight.import.own') && (
          <li class="card">
            <h3>Import a file</h3>
            <p>Bring the log that you keep elsewhere, or a backup.</p>
            <a class="button" href={`${basePath}/import`}>
              Import a file
            </a>
          </li>
        )}
        <li class="card">
          <h3>Use the API</h3>
          <p>
            Let a program do it, with <a href={`${basePath}/settings/security`}>a key of your own</a>.
          </p>
          <a class="button" href={docs}>
            See the API reference
          </a>
        </li>
      </ul>
    </>
  )
}

type LogProps = Frame & Required<Pick<Props, 'caller' | 'shown' | 'log' | 'yearPages'>> & { docs: string }

function Flights({ log, yearPages, shown, formats, caller, basePath, docs }: LogProps) {
  if (log.comingUp.length + log.lines.length > 0) {
    return <FlightLog {...{ log, yearPages, formats, basePath }} path="/" query={shown.query} />
  }
  return (
    <Section id="flights" title="Your flights">
      {shown.query === '' ? (
        <EmptyLog basePath={basePath} permissions={caller.permissions} docs={docs} />
      ) : (
        <NothingFound basePath={basePath} action="/" shown={shown} />
      )}
    </Section>
  )
}

function Actions({ basePath, permissions }: { basePath: string; permissions: Permissions }) {
  const mayAdd = permissions.has('flight.create.own')
  const mayImport = permissions.has('flight.import.own')
  if (!mayAdd && !mayImport) return null
  return (
    <p class="actions">
      {mayAdd && (
        <a class="button primary" href={`${basePath}/flights/new`}>
          Add a flight
        </a>
      )}
      {mayImport && (
        <a class="button" href={`${basePath}/import`}>
          Import
        </a>
      )}
    </p>
  )
}

function Places({ map, links }: { map: MapDrawing; links: LogLinks }) {
  return (
    <Section id="places" title="Map" untitled>
      <Atlas drawing={map} {...ownAtlas(links)} />
      <RouteList lines={map.lines} links={links} />
    </Section>
  )
}

export function HomePage({ caller, shown, log, yearPages, stats, map, ...frame }: Props) {
  const { basePath, formats } = frame
  const roleName = caller.isOwner ? 'Owner of this instance' : (caller.role?.name ?? '')
  const docs = `${basePath}/docs`
  const isEmpty = shown?.query === '' && log?.comingUp.length === 0 && log.lines.length === 0
  return (
    <Layout
      {...frame}
      title={log && log.page > 1 ? `Flights, page ${log.page} – Paxlog` : 'Flights – Paxlog'}
      place="home"
      installable
      scripts={map ? atlasScripts : []}
    >
      <div class="lead">
        <div>
          <h1 dir="auto">{caller.displayName}</h1>
          <p class="quiet">
            Signed in as <strong>{caller.username}</strong>
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
      {map && <Places map={map} links={{ basePath, query: shown?.query ?? '' }} />}
      {stats && stats.flights > 0 && <OwnFigures stats={stats} formats={formats} basePath={basePath} />}
      {log && shown && yearPages ? (
        <Flights {...frame} log={log} yearPages={yearPages} shown={shown} caller={caller} docs={docs} />
      ) : (
        <p class="card empty">
          Your role does not include reading flights. Whoever looks after the roles can change it.
        </p>
      )}
      <footer class="bottom">
        <ul>
          <li>
            <a href={`${basePath}/settings/security`}>API keys and password</a>
          </li>
          <li>
            <a href={docs}>API reference</a>
          </li>
        </ul>
      </footer>
    </Layout>
  )
}
