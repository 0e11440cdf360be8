import type { ComponentChildren } from 'preact'
import type { Flight } from '../../../domain/flights/contract.ts'
import type { LogFlight } from '../../../domain/flights/query/user-log.ts'
import type { Airport } from '../../../domain/reference/contract.ts'
import { codeOf } from '../../../domain/reference/contract.ts'
import type { Formats } from '../framework/formats.ts'
import { Clock, daysLater, instantsOf } from './clocks.tsx'
import { type Place, Way } from './flight-parts.tsx'
import { seatWords } from './seat.ts'

/** In how many days, as people say it. */
export function daysLeft(days: number): string {
  if (days <= 0) return days === 0 ? 'today' : 'under way'
  return days === 1 ? 'tomorrow' : `in ${days} days`
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
  /** Where the whole line leads. */
  href?: string
  /** Behind the day: how many are left. */
  left?: string | undefined
  /** What follows below: the way to the next line. */
  children?: ComponentChildren
}

/** One flight of a log: when, the route, how far and how long, and the rest. */
export function LogLine({ from, to, distanceKm, duration, date, formats, what, href, left, ...line }: LineProps) {
  const { datePrecision = 'day' } = line
  const day = date !== undefined && formats.day(date, datePrecision)
  const route = <Way from={from} to={to} />
  return (
    <li>
      {date !== undefined && (
        <p class="when">
          <time dateTime={{ day: date, month: date.slice(0, 7), year: date.slice(0, 4) }[datePrecision]}>{day}</time>
          {left && <span class="left"> {left}</span>}
        </p>
      )}
      {href ? (
        <a class="route" href={href}>
          {route}
          <span class="unseen">, {day}</span>
        </a>
      ) : (
        <p class="route">{route}</p>
      )}
      <p class="much">
        {distanceKm !== null && <span>{formats.distance(distanceKm)} </span>}
        {duration !== null && <span class="quiet">{formats.duration(duration)}</span>}
      </p>
      {what && <p class="what quiet">{what}</p>}
      {line.children}
    </li>
  )
}

export const placeOf = (airport: Airport): Place => ({ ...airport, code: codeOf(airport) })

function Times({ flight, formats }: { flight: LogFlight; formats: Formats }) {
  const { departure, arrival } = instantsOf(flight)
  if (!departure) return null
  const later = daysLater(flight, formats)
  return (
    <span class="times">
      <Clock instant={departure} zone={flight.from.timezone} formats={formats} />
      {arrival && (
        <>
          {' – '}
          <Clock instant={arrival} zone={flight.to.timezone} formats={formats} />
        </>
      )}
      {later && <sup>{later}</sup>}
      {formats.shownIn === 'utc' && ' UTC'}
    </span>
  )
}

interface FlightLineProps {
  flight: LogFlight
  formats: Formats
  basePath: string
  left?: string | undefined
  children?: ComponentChildren
}

export function FlightLine({ flight, formats, basePath, left, children }: FlightLineProps) {
  const { datePrecision, airline, flightNumber, aircraft } = flight
  const facts = [[flightNumber, airline?.name].filter(Boolean).join(' '), aircraft?.name, seatWords(flight)].filter(
    Boolean,
  )
  const what = (
    <>
      {datePrecision === 'day' && <Times flight={flight} formats={formats} />}
      {facts.map((fact) => (
        <span key={fact} dir="auto">
          {fact}
        </span>
      ))}
    </>
  )
  return (
    <LogLine
      {...flight}
      from={placeOf(flight.from)}
      to={placeOf(flight.to)}
      formats={formats}
      what={what}
      href={`${basePath}/flights/${flight.id}`}
      left={left}
    >
      {children}
    </LogLine>
  )
}
