import type {
  VisitorFlight,
  VisitorPlace,
  VisitorRoute,
  VisitorStats,
  VisitorView,
} from '../../../domain/shares/visitor.ts'
import { Layout } from './layout.tsx'
import { RouteMap } from './route-map.tsx'

const number = new Intl.NumberFormat('en')

const hoursAndMinutes = (seconds: number) => {
  const minutes = Math.floor(seconds / 60)
  return `${number.format(Math.floor(minutes / 60))} h ${String(minutes % 60).padStart(2, '0')} min`
}

const dayOf = ({ date = '', datePrecision }: VisitorFlight) =>
  datePrecision === 'year' ? date.slice(0, 4) : datePrecision === 'month' ? date.slice(0, 7) : date

function Place({ place }: { place: VisitorPlace }) {
  return (
    <>
      <strong>{place.code}</strong> <span class="quiet">{place.municipality ?? place.name}</span>
    </>
  )
}

function Routes({ routes, tracks = [] }: { routes: VisitorRoute[]; tracks?: [number, number][][] | undefined }) {
  return (
    <section aria-labelledby="routes">
      <h2 id="routes">Routes</h2>
      <RouteMap routes={routes} tracks={tracks} />
      <ul class="routes">
        {routes.map(({ from, to, count }) => (
          <li key={`${from.code} ${to.code}`}>
            <Place place={from} /> → <Place place={to} />
            {count > 1 && ` × ${count}`}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Figures({ stats }: { stats: VisitorStats }) {
  const lines: [string, string | null | undefined][] = [
    ['Flights', number.format(stats.flights)],
    ['Distance', `${number.format(stats.distanceKm)} km`],
    ['Time in the air', hoursAndMinutes(stats.durationSeconds)],
    ['Airports', number.format(stats.airports)],
    ['Most visited airport', stats.topAirport],
    ['Most flown route', stats.topRoute],
    ['Most flown airline', stats.topAirline],
    ['Most flown aircraft type', stats.topAircraft],
  ]
  return (
    <section aria-labelledby="figures">
      <h2 id="figures">Figures</h2>
      <dl class="figures">
        {lines
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  )
}

const timeNames = {
  departure: 'Departure',
  arrival: 'Arrival',
  departureScheduled: 'Scheduled departure',
  arrivalScheduled: 'Scheduled arrival',
  takeoffScheduled: 'Scheduled take-off',
  takeoffActual: 'Take-off',
  landingScheduled: 'Scheduled landing',
  landingActual: 'Landing',
} as const

/** What the share shows beyond the route, in one line of words. */
function detailsOf(flight: VisitorFlight): string[] {
  const { flightNumber, airline, aircraft, aircraftReg, seat, seatNumber, seatClass, times = {} } = flight
  const clocks = Object.entries(times).map(
    ([name, clock]) => `${timeNames[name as keyof typeof timeNames]} ${clock.replace('T', ' ')}`,
  )
  return [
    flightNumber,
    airline,
    aircraft,
    aircraftReg,
    seat && `Seat: ${seat}`,
    seatNumber,
    seatClass,
    ...clocks,
  ].filter((text) => typeof text === 'string' && text !== '') as string[]
}

function FlightList({ list }: { list: VisitorFlight[] }) {
  return (
    <section aria-labelledby="flights">
      <h2 id="flights">Flights</h2>
      <ol class="flights">
        {list.map((flight, index) => (
          // The list never changes on the page, so the position is key enough.
          <li key={index}>
            <p>
              {flight.date !== undefined && <time dateTime={dayOf(flight)}>{dayOf(flight)}</time>}{' '}
              <Place place={flight.from} /> → <Place place={flight.to} />
            </p>
            <p class="quiet">
              {[
                flight.distanceKm !== null && `${number.format(Math.round(flight.distanceKm))} km`,
                flight.duration !== null && hoursAndMinutes(flight.duration),
                ...detailsOf(flight),
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** A part of somebody's log, as far as its owner shows it; nobody is named. */
export function SharePage({ view, basePath }: { view: VisitorView; basePath: string }) {
  const { flightCount, routes, tracks, stats, list } = view
  const headline = flightCount === 1 ? 'One flight' : `${number.format(flightCount)} flights`
  return (
    <Layout title={`${headline} – Paxlog`} basePath={basePath}>
      <h1>{flightCount === 0 ? 'No flights' : headline}</h1>
      {flightCount === 0 ? (
        <p>This share shows no flights at the moment.</p>
      ) : (
        <>
          {stats && <Figures stats={stats} />}
          {routes && <Routes routes={routes} tracks={tracks} />}
          {list && <FlightList list={list} />}
        </>
      )}
    </Layout>
  )
}
