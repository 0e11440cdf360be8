import type { Flight, Passenger, TimeName } from '../flights/contract.ts'
import { effectiveTimes } from '../flights/times.ts'
import { codeOf } from '../reference/contract.ts'
import type { CalendarEvent } from './icalendar.ts'

const HOUR_MS = 3_600_000

interface Reader {
  userId: string
  withNotes: boolean
  baseUrl: string
}

type Seat = Pick<Passenger, 'seat' | 'seatNumber' | 'seatClass'>

export interface EventFlight
  extends Pick<
      Flight,
      'id' | 'date' | 'datePrecision' | 'duration' | 'flightNumber' | 'aircraftReg' | 'note' | TimeName
    >,
    Pick<
      Flight,
      'departureTerminal' | 'departureGate' | 'arrivalTerminal' | 'arrivalGate' | 'createdAt' | 'updatedAt'
    > {
  from: Pick<Flight['from'], 'iata' | 'icao' | 'name' | 'latitude' | 'longitude'>
  to: Pick<Flight['to'], 'iata' | 'icao'>
  passengers: readonly (Seat & { user: { id: string } | null })[]
}

/** If only one end is known, the other follows from the duration, or one hour. */
function periodOf(flight: EventFlight): Pick<CalendarEvent, 'start' | 'end'> {
  const { departed, arrived } = effectiveTimes(flight)
  const length = (flight.duration ?? 0) * 1000 || HOUR_MS
  if (departed === undefined && arrived === undefined) return { start: flight.date }
  const start = departed ?? arrived! - length
  return { start, end: arrived !== undefined && arrived > start ? arrived : start + length }
}

const place = (terminal: string | null, gate: string | null) =>
  [terminal && `terminal ${terminal}`, gate && `gate ${gate}`].filter(Boolean).join(', ')

const seatOf = ({ seatNumber, seat, seatClass }: Seat) => [seatNumber, seat, seatClass].filter(Boolean).join(', ')

function describe(flight: EventFlight, { userId, withNotes, baseUrl }: Reader): string {
  const own = flight.passengers.find(({ user }) => user?.id === userId)
  const parts: [label: string, text: string | null | undefined][] = [
    ['Departure', place(flight.departureTerminal, flight.departureGate)],
    ['Arrival', place(flight.arrivalTerminal, flight.arrivalGate)],
    ['Seat', own && seatOf(own)],
    ['Registration', flight.aircraftReg],
  ]
  const lines = parts.flatMap(([label, text]) => (text ? [`${label}: ${text}`] : []))
  return [...lines, ...(withNotes && flight.note ? [flight.note] : []), `${baseUrl}/flights/${flight.id}`].join('\n')
}

export function flightEvent(flight: EventFlight, reader: Reader): CalendarEvent | undefined {
  if (flight.datePrecision !== 'day') return undefined
  const { id, from, to, flightNumber } = flight
  const [createdAt, changedAt] = [Date.parse(flight.createdAt), Date.parse(flight.updatedAt)]
  return {
    // The instant makes the id unique across instances.
    uid: `flight-${id}-${createdAt}@paxlog`,
    ...periodOf(flight),
    changedAt,
    // In seconds, because it has 31 bits; rounded up, so that an immediate change counts.
    sequence: Math.max(0, Math.ceil((changedAt - createdAt) / 1000)),
    summary: [flightNumber, codeOf(from), '→', codeOf(to)].filter(Boolean).join(' '),
    location: `${from.name} (${codeOf(from)})`,
    description: describe(flight, reader),
    geo: { lat: from.latitude, lon: from.longitude },
  }
}
