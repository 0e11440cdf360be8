/**
 * A naive implementation of contract 4.11 over flights from v1, without code of `src`, for comparison with the real one.
 */

// biome-ignore lint/suspicious/noExplicitAny: flights as they come from the wire
type Flight = any

const QUARTER_HOUR = 15 * 60_000
const DAY = 24 * 60 * 60_000
const formats = new Map<string, Intl.DateTimeFormat>()

function localDay(instant: number, zone: string): string {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
  formats.set(zone, format)
  return format.format(instant)
}

/** The first instant of a day in a time zone, or of the next existing day. */
function beginOf(day: string, zone: string): number {
  let instant = Date.parse(`${day}T00:00:00Z`) - DAY
  while (localDay(instant, zone) < day) instant += QUARTER_HOUR
  return instant
}

function dayAfter(day: string, precision: 'month' | 'year'): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  const next = precision === 'year' ? Date.UTC(year + 1, 0, 1) : Date.UTC(year, month, 1)
  return new Date(next).toISOString().slice(0, 10)
}

/** The instant from which a flight counts as completed. */
export function decidingInstant(flight: Flight): number {
  const exact = flight.datePrecision === 'day'
  const departures = [
    exact ? flight.departure : null,
    flight.takeoffActual,
    flight.departureScheduled,
    flight.takeoffScheduled,
  ]
  const arrivals = [
    exact ? flight.arrival : null,
    flight.landingActual,
    flight.arrivalScheduled,
    flight.landingScheduled,
  ]
  const departure = departures.find((time) => time !== null)
  const arrival = arrivals.find((time) => time !== null)
  if (arrival) return Date.parse(arrival)
  if (departure) return Date.parse(departure) + (flight.duration ?? 0) * 1000
  const { date, datePrecision, from } = flight
  if (exact) return beginOf(date, from.timezone)
  return beginOf(dayAfter(date, datePrecision), from.timezone) - 1
}

export function kilometres({ from, to }: Flight): number {
  if (from.id === to.id) return 0
  const [φ1, λ1, φ2, λ2] = [from.latitude, from.longitude, to.latitude, to.longitude].map(
    (x) => (x * Math.PI) / 180,
  ) as [number, number, number, number]
  const cosine = Math.sin(φ1) * Math.sin(φ2) + Math.cos(φ1) * Math.cos(φ2) * Math.cos(λ2 - λ1)
  return (6371008.8 * Math.acos(Math.min(1, cosine))) / 1000
}

/** The key with the highest count. Ties go to the first one. */
function mostFrequent<Key>(keys: readonly Key[], same: (key: Key) => unknown) {
  const counts = new Map<unknown, { key: Key; count: number }>()
  for (const key of keys) {
    const entry = counts.get(same(key)) ?? { key, count: 0 }
    counts.set(same(key), { key, count: entry.count + 1 })
  }
  const [first, ...others] = counts.values()
  return others.reduce((best, each) => (best && best.count >= each.count ? best : each), first)
}

const place = ({ id, name, icao, iata }: Flight) => ({ id, name, icao, iata })

export function naiveStats(flights: readonly Flight[], now: number) {
  const completed = flights.filter((flight) => decidingInstant(flight) < now).sort((a, b) => a.id - b.id)
  const present = (name: string) => completed.map((flight) => flight[name]).filter((record) => record !== null)
  const id = (record: Flight) => record.id
  const ends = completed.flatMap(({ from, to }) => [from, to])
  const airline = mostFrequent(present('airline'), id)
  const airport = mostFrequent(ends, id)
  const type = mostFrequent(present('aircraft'), id)
  const route = mostFrequent(completed, ({ from, to }) => `${from.id} to ${to.id}`)
  return {
    flights: completed.length,
    distanceKm: Math.floor(completed.reduce((sum, flight) => sum + kilometres(flight), 0) + 0.5),
    durationSeconds: completed.reduce((sum, { duration }) => sum + (duration ?? 0), 0),
    airports: new Set(ends.map(id)).size,
    topAirline: airline
      ? {
          id: airline.key.id,
          name: airline.key.name,
          iata: airline.key.iata,
          icao: airline.key.icao,
          count: airline.count,
        }
      : null,
    topAirport: airport ? { ...place(airport.key), count: airport.count } : null,
    topAircraft: type ? { id: type.key.id, name: type.key.name, icao: type.key.icao, count: type.count } : null,
    topRoute: route ? { from: place(route.key.from), to: place(route.key.to), count: route.count } : null,
  }
}
