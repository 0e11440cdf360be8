import type { Caller } from '../../../access/caller.ts'
import type { Flight } from '../../../domain/flights/contract.ts'
import type { Airport } from '../../../domain/reference/contract.ts'
import type { Stats } from '../../../domain/stats/contract.ts'
import type { Formats } from '../formats.ts'
import type { Frame } from '../signed-in.ts'
import { Layout } from './layout.tsx'

interface Log {
  stats: Stats
  flights: Flight[]
  hasMore: boolean
}

interface Props extends Frame {
  /** False while this instance serves no page with the API reference: then the document itself is linked. */
  hasReference: boolean
  caller: Caller
  log: Log | undefined
}

const codeOf = ({ iata, icao }: { iata: string | null; icao: string }) => iata ?? icao

const times = (count: number, formats: Formats) => `${formats.count(count)} ${count === 1 ? 'time' : 'times'}`

function Figures({ stats, formats }: { stats: Stats; formats: Formats }) {
  const { topAirport, topRoute, topAirline, topAircraft } = stats
  const main: [string, string][] = [
    ['Flights', formats.count(stats.flights)],
    ['Distance', formats.distance(stats.distanceKm)],
    ['Time in the air', formats.duration(stats.durationSeconds)],
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
      <dl class="figures">
        {main.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {known.length > 0 && (
        <>
          <h3>Most often</h3>
          <dl class="facts wide">
            {known.map(([name, value, count]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  {value} <span class="quiet">{times(count, formats)}</span>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  )
}

function End({ airport }: { airport: Airport }) {
  return (
    <span class="end">
      <strong>{codeOf(airport)}</strong>
      <span class="quiet">{airport.municipality ?? airport.name}</span>
    </span>
  )
}

const instantsOf = (flight: Flight) => ({
  departure: flight.departure ?? flight.takeoffActual ?? flight.departureScheduled ?? flight.takeoffScheduled,
  arrival: flight.arrival ?? flight.landingActual ?? flight.arrivalScheduled ?? flight.landingScheduled,
})

/** Where the preference is the browser's own zone, UTC stands until the script has replaced it. */
function Clock({ instant, zone, formats }: { instant: string; zone: string; formats: Formats }) {
  const system = formats.shownIn === 'system'
  return (
    <time dateTime={instant} {...(system && { 'data-local': formats.twelve ? '12' : '24' })}>
      {formats.time(instant, zone).text}
      {system && ' UTC'}
    </time>
  )
}

function Times({ flight, formats }: { flight: Flight; formats: Formats }) {
  const { departure, arrival } = instantsOf(flight)
  if (!departure) return null
  const [left, landed] = [
    formats.time(departure, flight.from.timezone).day,
    arrival && formats.time(arrival, flight.to.timezone).day,
  ]
  const later = landed ? Math.round((Date.parse(landed) - Date.parse(left)) / 86_400_000) : 0
  return (
    <span>
      <Clock instant={departure} zone={flight.from.timezone} formats={formats} />
      {arrival && (
        <>
          {' – '}
          <Clock instant={arrival} zone={flight.to.timezone} formats={formats} />
        </>
      )}
      {later !== 0 && formats.shownIn === 'airport' && ` (${later > 0 ? '+' : '−'}${Math.abs(later)} d)`}
      {formats.shownIn === 'utc' && ' UTC'}
    </span>
  )
}

function FlightLine({ flight, formats }: { flight: Flight; formats: Formats }) {
  const { from, to, date, datePrecision, distanceKm, duration, airline, flightNumber, aircraft } = flight
  const iso = { day: date, month: date.slice(0, 7), year: date.slice(0, 4) }[datePrecision]
  const facts = [[airline?.name, flightNumber].filter(Boolean).join(' '), aircraft?.name].filter(Boolean)
  return (
    <li>
      <time class="when" dateTime={iso}>
        {formats.day(date, datePrecision)}
      </time>
      <p class="route">
        <End airport={from} />
        <span class="leg">
          <span class="unseen"> to </span>
        </span>
        <End airport={to} />
      </p>
      <p class="much">
        {distanceKm !== null && <span>{formats.distance(distanceKm)} </span>}
        {duration !== null && <span class="quiet">{formats.duration(duration)}</span>}
      </p>
      <p class="what quiet">
        {datePrecision === 'day' && <Times flight={flight} formats={formats} />}
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
    </li>
  )
}

function Flights({ log, formats }: { log: Log; formats: Formats }) {
  return (
    <section aria-labelledby="flights">
      <h2 id="flights">{log.hasMore ? `Your ${log.flights.length} newest flights` : 'Your flights'}</h2>
      {log.flights.length === 0 ? (
        <div class="card empty">
          <p>
            <strong>No flights yet.</strong>
          </p>
          <p class="quiet">
            Bring the log you have with <code>paxlog import</code>, or add flights through the API with a key of your
            own.
          </p>
        </div>
      ) : (
        <ol class="log">
          {log.flights.map((flight) => (
            <FlightLine key={flight.id} flight={flight} formats={formats} />
          ))}
        </ol>
      )}
    </section>
  )
}

export function HomePage({ hasReference, caller, log, ...frame }: Props) {
  const { basePath, formats } = frame
  const standing = caller.isOwner ? 'Owner of this instance' : (caller.role?.name ?? '')
  return (
    <Layout {...frame} title="Flights – Paxlog" place="home">
      <div class="lead">
        <h1>{caller.displayName}</h1>
        <p class="quiet">
          Signed in as <strong>{caller.username}</strong>
          {standing && ` · ${standing}`}
        </p>
      </div>
      {log && log.stats.flights > 0 && <Figures stats={log.stats} formats={formats} />}
      {log ? (
        <Flights log={log} formats={formats} />
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
            <a href={`${basePath}${hasReference ? '/docs' : '/api/v1/openapi.yaml'}`}>API reference</a>
          </li>
        </ul>
      </footer>
    </Layout>
  )
}
