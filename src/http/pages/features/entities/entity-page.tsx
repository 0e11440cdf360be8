import type { ComponentChildren } from 'preact'
import type { Flight } from '../../../../domain/flights/contract.ts'
import type { UserRoute } from '../../../../domain/flights/map/user-map.ts'
import type { LogPage } from '../../../../domain/flights/query/user-log.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import type { Stats } from '../../../../domain/stats/contract.ts'
import { mainFigures } from '../../components/figures.tsx'
import { FilterBar, NothingFound } from '../../components/filter-bar/filter-bar.tsx'
import type { ShownFilter } from '../../components/filter-bar/read-filter.ts'
import { FlightLog } from '../../components/flight-list.tsx'
import { Pairs } from '../../components/lists.tsx'
import { Crumb, Section } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import { Layout } from '../../framework/layout.tsx'
import type { MapDrawing } from '../../maps/draw.ts'
import { MapLegend } from '../../maps/map-legend.tsx'
import { RouteMap } from '../../maps/route-map.tsx'

interface Props extends Frame {
  name: string
  /** The address of this page. */
  path: string
  facts: readonly [string, ComponentChildren][]
  airportId?: number
  shown: ShownFilter
  log: LogPage
  yearPages: readonly { year: string; page: number }[]
  stats: Stats
  ends: { first: Flight | null; latest: Flight | null }
  routes: readonly UserRoute[]
  map: MapDrawing | undefined
}

const MAX_ROUTES = 12

/** Without planned flights. */
const flown = (routes: readonly UserRoute[]) => routes.reduce((total, { count, planned }) => total + count - planned, 0)

function EntityFigures({ stats, routes, airportId, formats }: Props) {
  const pairs = mainFigures(stats, formats, 'Flights flown')
  if (airportId !== undefined) {
    const left = flown(routes.filter(({ from }) => from.id === airportId))
    const reached = flown(routes.filter(({ to }) => to.id === airportId))
    pairs.splice(-1, 1, ['Departures · arrivals', `${formats.count(left)} · ${formats.count(reached)}`])
  }
  return <Pairs class="figures" pairs={pairs} />
}

function End({ flight, formats, basePath }: { flight: Flight; formats: Formats; basePath: string }) {
  return (
    <a href={`${basePath}/flights/${flight.id}`}>
      {formats.day(flight.date, flight.datePrecision)}, {codeOf(flight.from)} to {codeOf(flight.to)}
    </a>
  )
}

/** The routes flown most, each a link to its flights. */
function Routes({ routes, formats, basePath }: { routes: readonly UserRoute[]; formats: Formats; basePath: string }) {
  const most = routes.toSorted((a, b) => b.count - a.count).slice(0, MAX_ROUTES)
  return (
    <Section id="routes" title={routes.length > MAX_ROUTES ? `The ${MAX_ROUTES} most flown routes` : 'Routes'}>
      <ul class="routes">
        {most.map(({ from, to, count }) => (
          <li key={`${from.id} ${to.id}`}>
            <a href={`${basePath}/?fromId=${from.id}&toId=${to.id}`}>
              {codeOf(from)} to {codeOf(to)}
            </a>
            <span class="quiet">{formats.flights(count)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

export function EntityPage(props: Props) {
  const { name, path, facts, shown, log, yearPages, ends, map, formats, basePath } = props
  const isEmpty = log.comingUp.length + log.lines.length === 0
  const all: [string, ComponentChildren][] = [...facts]
  if (ends.first) all.push(['First flight', <End flight={ends.first} formats={formats} basePath={basePath} />])
  if (ends.latest && ends.latest.id !== ends.first?.id) {
    all.push(['Last flight', <End flight={ends.latest} formats={formats} basePath={basePath} />])
  }
  return (
    <Layout {...props} title={`${name} – Paxlog`} place="home" below>
      <Crumb href={basePath || '/'}>Flights</Crumb>
      <h1 dir="auto">{name}</h1>
      <Pairs class="facts wide" pairs={all} />
      {!(isEmpty && shown.query === '') && <FilterBar basePath={basePath} action={path} shown={shown} />}
      {isEmpty && shown.query !== '' && <NothingFound basePath={basePath} action={path} shown={shown} />}
      {isEmpty && shown.query === '' && <p class="card empty">Your log has no flight with it.</p>}
      {!isEmpty && log.page === 1 && (
        <>
          <EntityFigures {...props} />
          {map && <RouteMap drawing={map} />}
          {map && <MapLegend drawing={map} />}
          <Routes routes={props.routes} formats={formats} basePath={basePath} />
        </>
      )}
      {!isEmpty && <FlightLog {...{ log, yearPages, formats, basePath, path }} query={shown.query} />}
    </Layout>
  )
}
