import type { ComponentChildren } from 'preact'
import type { Flight } from '../../../domain/flights/contract.ts'
import { type Airport, codeOf } from '../../../domain/reference/contract.ts'
import type { Formats } from '../framework/formats.ts'
import type { PageTexts } from '../texts/languages.ts'
import { type Place, RouteLabel } from './flight-parts.tsx'

export function daysLeft(days: number, { flightList: t }: PageTexts): string {
  if (days <= 0) return days === 0 ? t.today : t.underWay
  return days === 1 ? t.tomorrow : t.inDays({ count: days })
}

interface LineProps {
  from: Place
  to: Place
  distanceKm: number | null
  duration: number | null
  date?: string
  datePrecision?: Flight['datePrecision']
  formats: Formats
  what: ComponentChildren
}

interface DateProps {
  date: string
  precision: Flight['datePrecision']
  formats: Formats
}

export const FlightDate = ({ date, precision, formats }: DateProps) => (
  <time dateTime={{ day: date, month: date.slice(0, 7), year: date.slice(0, 4) }[precision]}>
    {formats.day(date, precision)}
  </time>
)

export function LogLine({ from, to, distanceKm, duration, date, datePrecision = 'day', formats, what }: LineProps) {
  return (
    <li>
      {date !== undefined && (
        <p class="when">
          <FlightDate date={date} precision={datePrecision} formats={formats} />
        </p>
      )}
      <p class="route">
        <RouteLabel from={from} to={to} />
      </p>
      <p class="much">
        {distanceKm !== null && <span>{formats.distance(distanceKm)} </span>}
        {duration !== null && <span class="quiet">{formats.duration(duration)}</span>}
      </p>
      {what && <p class="what quiet">{what}</p>}
    </li>
  )
}

export const placeOf = (airport: Airport): Place => ({ ...airport, code: codeOf(airport) })
