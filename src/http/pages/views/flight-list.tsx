import type { ComponentChildren } from 'preact'
import type { Flight } from '../../../domain/flights/contract.ts'
import type { Airport } from '../../../domain/reference/contract.ts'
import type { Formats } from '../formats.ts'
import { Clock, daysLater, instantsOf } from './clocks.tsx'

/** The code by which people know an airport. */
export const codeOf = ({ iata, icao }: { iata: string | null; icao: string }) => iata ?? icao

interface Place {
  code: string
  name: string
  municipality: string | null
}

function End({ place }: { place: Place }) {
  return (
    <span class="end">
      <strong>{place.code}</strong>
      <span class="quiet">{place.municipality ?? place.name}</span>
    </span>
  )
}

interface LineProps {
  from: Place
  to: Place
  distanceKm: number | null
  duration: number | null
  date?: string
  datePrecision?: Flight['datePrecision']
  formats: Formats
  /** What else is known, in one line of words. */
  what: ComponentChildren
  /** What can be done with it. */
  children?: ComponentChildren
}

/** One flight of a log: when, the route, how far and how long, and the rest. */
export function LogLine({
  from,
  to,
  distanceKm,
  duration,
  date,
  datePrecision = 'day',
  formats,
  what,
  children,
}: LineProps) {
  return (
    <li>
      {date !== undefined && (
        <time class="when" dateTime={{ day: date, month: date.slice(0, 7), year: date.slice(0, 4) }[datePrecision]}>
          {formats.day(date, datePrecision)}
        </time>
      )}
      <p class="route">
        <End place={from} />
        <span class="leg">
          <span class="unseen"> to </span>
        </span>
        <End place={to} />
      </p>
      <p class="much">
        {distanceKm !== null && <span>{formats.distance(distanceKm)} </span>}
        {duration !== null && <span class="quiet">{formats.duration(duration)}</span>}
      </p>
      {what && <p class="what quiet">{what}</p>}
      {children}
    </li>
  )
}

const placeOf = (airport: Airport): Place => ({ ...airport, code: codeOf(airport) })

function Times({ flight, formats }: { flight: Flight; formats: Formats }) {
  const { departure, arrival } = instantsOf(flight)
  if (!departure) return null
  const later = daysLater(flight, formats)
  return (
    <span>
      <Clock instant={departure} zone={flight.from.timezone} formats={formats} />
      {arrival && (
        <>
          {' – '}
          <Clock instant={arrival} zone={flight.to.timezone} formats={formats} />
        </>
      )}
      {later && ` (${later} d)`}
      {formats.shownIn === 'utc' && ' UTC'}
    </span>
  )
}

function FlightLine({ flight, formats, editAt }: { flight: Flight; formats: Formats; editAt: string | undefined }) {
  const { date, datePrecision, airline, flightNumber, aircraft } = flight
  const [from, to] = [placeOf(flight.from), placeOf(flight.to)]
  const facts = [[airline?.name, flightNumber].filter(Boolean).join(' '), aircraft?.name].filter(Boolean)
  const what = (
    <>
      {datePrecision === 'day' && <Times flight={flight} formats={formats} />}
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </>
  )
  return (
    <LogLine {...flight} from={from} to={to} formats={formats} what={what}>
      {editAt !== undefined && (
        <p class="change">
          <a href={editAt}>
            Edit
            <span class="unseen">
              {' '}
              the flight from {from.code} to {to.code}, {formats.day(date, datePrecision)}
            </span>
          </a>
        </p>
      )}
    </LogLine>
  )
}

interface ListProps {
  flights: readonly Flight[]
  formats: Formats
  basePath: string
  /** Whether each flight leads to the page that changes it. */
  editable: boolean
}

export function FlightList({ flights, formats, basePath, editable }: ListProps) {
  return (
    <ol class="log">
      {flights.map((flight) => (
        <FlightLine
          key={flight.id}
          flight={flight}
          formats={formats}
          editAt={editable ? `${basePath}/flights/${flight.id}/edit` : undefined}
        />
      ))}
    </ol>
  )
}

/** Where the pages beside this one begin; `first` is the page without a cursor in its address. */
export interface Neighbours {
  newer: { cursor: string } | 'first' | undefined
  older: string | undefined
}

/** Plain links: newer on the left, older on the right. */
export function Pager({ path, newer, older }: Neighbours & { path: string }) {
  if (newer === undefined && older === undefined) return null
  const at = (cursor: string) => `${path}${path.includes('?') ? '&' : '?'}after=${encodeURIComponent(cursor)}#flights`
  return (
    <nav class="pager" aria-label="Pages of the log">
      {newer !== undefined && (
        <a class="button" rel="prev" href={newer === 'first' ? path : at(newer.cursor)}>
          ← Newer
        </a>
      )}
      {older !== undefined && (
        <a class="button older" rel="next" href={at(older)}>
          Older →
        </a>
      )}
    </nav>
  )
}
