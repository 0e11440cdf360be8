import type { Caller } from '../../../access/caller.ts'
import type { Flight } from '../../../domain/flights/contract.ts'
import type { Stats } from '../../../domain/stats/contract.ts'
import type { Frame } from '../context.ts'
import { addressOf } from '../filter.ts'
import type { ShownFilter } from '../filter-bar.ts'
import type { Formats } from '../formats.ts'
import type { MapDrawing } from '../map/draw.ts'
import { FilterBar, NothingFound } from './filter-bar.tsx'
import { codeOf, FlightList, type Neighbours, Pager } from './flight-list.tsx'
import { Layout } from './layout.tsx'
import { Pairs } from './lists.tsx'
import { RouteList, RouteMap } from './route-map.tsx'

interface Log extends Neighbours {
  /** Only with the newest flights: an older page is about its flights alone. */
  stats: Stats | undefined
  flights: Flight[]
}

interface Props extends Frame {
  caller: Caller
  /** What the role does not permit is absent. */
  shown?: ShownFilter
  log?: Log
  map?: MapDrawing | undefined
}

const times = (count: number, formats: Formats) => `${formats.count(count)} ${count === 1 ? 'time' : 'times'}`

function Figures({ stats, formats }: { stats: Stats; formats: Formats }) {
  const { topAirport, topRoute, topAirline, topAircraft } = stats
  const main: [string, string][] = [
    ['Flights', formats.count(stats.flights)],
    ['Distance', formats.distance(stats.distanceKm)],
    ['Time in the air', formats.total(stats.durationSeconds)],
    ['Airports', formats.count(stats.airports)],
  ]
  const most: [string, string | null, number][] = [
    ['Airport', topAirport && `${codeOf(topAirport)} – ${topAirport.name}`, topAirport?.count ?? 0],
    ['Route', topRoute && `${codeOf(topRoute.from)} → ${codeOf(topRoute.to)}`, topRoute?.count ?? 0],
    ['Airline', topAirline?.name ?? null, topAirline?.count ?? 0],
    ['Aircraft', topAircraft?.name ?? null, topAircraft?.count ?? 0],
  ]
  const known = most.filter(([, name]) => name !== null)
  return (
    <section aria-labelledby="figures">
      <h2 id="figures">So far</h2>
      <Pairs class="figures" pairs={main} />
      {known.length > 0 && (
        <>
          <h3>Most often</h3>
          <Pairs
            class="facts wide"
            pairs={known.map(([name, value, count]) => [
              name,
              <>
                {value} <span class="quiet">{times(count, formats)}</span>
              </>,
            ])}
          />
        </>
      )}
    </section>
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

function heading({ newer, older, flights }: Log, isFiltered: boolean): string {
  if (newer !== undefined) return 'Older flights'
  if (isFiltered) return 'These flights'
  return older === undefined ? 'Your flights' : `Your ${flights.length} newest flights`
}

interface FlightsProps extends Frame, Pick<Props, 'caller'> {
  log: Log
  shown: ShownFilter
  docs: string
}

function Flights({ log, shown, formats, caller, basePath, docs }: FlightsProps) {
  const { flights, newer, older } = log
  const isEmpty = flights.length === 0
  const isFiltered = shown.query !== ''
  return (
    <section aria-labelledby="flights">
      <h2 id="flights">{heading(log, isFiltered)}</h2>
      {isEmpty && isFiltered && newer === undefined && <NothingFound basePath={basePath} action="/" shown={shown} />}
      {isEmpty && !isFiltered && newer === undefined && (
        <EmptyLog basePath={basePath} permissions={caller.permissions} docs={docs} />
      )}
      {isEmpty && newer !== undefined && <p>There are no older flights.</p>}
      {!isEmpty && (
        <FlightList
          flights={flights}
          formats={formats}
          basePath={basePath}
          editable={caller.permissions.has('flight.update.own')}
        />
      )}
      <Pager path={basePath + addressOf('/', shown.query)} newer={newer} older={older} />
    </section>
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

function Places({ map }: { map: MapDrawing }) {
  return (
    <section aria-labelledby="places">
      <h2 id="places" class="unseen">
        Map
      </h2>
      <RouteMap drawing={map} />
      <RouteList lines={map.lines} />
    </section>
  )
}

export function HomePage({ caller, shown, log, map, ...frame }: Props) {
  const { basePath, formats } = frame
  const standing = caller.isOwner ? 'Owner of this instance' : (caller.role?.name ?? '')
  const docs = `${basePath}/docs`
  const isEmpty = shown?.query === '' && log?.flights.length === 0 && log.newer === undefined
  return (
    <Layout {...frame} title={`${log?.newer ? 'Older flights' : 'Flights'} – Paxlog`} place="home">
      <div class="lead">
        <div>
          <h1>{caller.displayName}</h1>
          <p class="quiet">
            Signed in as <strong>{caller.username}</strong>
            {standing && ` · ${standing}`}
          </p>
        </div>
        {!isEmpty && <Actions basePath={basePath} permissions={caller.permissions} />}
      </div>
      {shown && !isEmpty && <FilterBar basePath={basePath} action="/" shown={shown} />}
      {map && <Places map={map} />}
      {log?.stats && log.stats.flights > 0 && <Figures stats={log.stats} formats={formats} />}
      {log && shown ? (
        <Flights {...frame} log={log} shown={shown} caller={caller} docs={docs} />
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
