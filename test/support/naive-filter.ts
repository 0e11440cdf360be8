import { decidingInstant } from './naive-stats.ts'

/**
 * A naive implementation of contract 16.1 and 16.2 over flights from v1, without code of `src`, for comparison with the
 * real one.
 */

// biome-ignore lint/suspicious/noExplicitAny: flights as they come from the wire
type Flight = any
type Query = Readonly<Record<string, string>>

const normalizeCode = (code: string) => code.toUpperCase().replaceAll(/[ -]/g, '')

const letters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}

const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/./gu, (letter) => letters[letter] ?? letter)

const wordsOf = (text: string) =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

function hasText({ from, to, airline, aircraft, flightNumber, aircraftReg, note, passengers }: Flight, text: string) {
  const texts = [
    ...[from, to].flatMap(({ iata, icao, name, municipality }) => [iata, icao, name, municipality]),
    ...(airline ? [airline.name, airline.iata, airline.icao] : []),
    ...(aircraft ? [aircraft.name, aircraft.icao] : []),
    flightNumber,
    flightNumber?.replaceAll(/[ -]/g, ''),
    aircraftReg,
    aircraftReg?.replaceAll(/[ -]/g, ''),
    note,
    ...passengers.map(({ user, guestName }: Flight) => user?.displayName ?? guestName),
  ]
  const all = texts.flatMap((each) => (each ? wordsOf(each) : []))
  return wordsOf(text).every((word) => all.some((each) => each.startsWith(word)))
}

/** Whether a flight matches a filter. `userId` is the user of the scope; undefined for all users. */
export function passes(flight: Flight, query: Query, userId: string | undefined, now: number): boolean {
  const within = (value: unknown, list: string) => list.split(',').includes(value === null ? 'none' : String(value))
  const people = flight.passengers.filter(({ user }: Flight) => userId === undefined || user?.id === userId)
  const rules: Record<string, (value: string) => boolean> = {
    dateFrom: (value) => flight.date >= value,
    dateTo: (value) => flight.date <= value,
    airportId: (value) => within(flight.from.id, value) || within(flight.to.id, value),
    fromId: (value) => within(flight.from.id, value),
    toId: (value) => within(flight.to.id, value),
    country: (value) =>
      within(flight.from.country, value.toUpperCase()) || within(flight.to.country, value.toUpperCase()),
    airlineId: (value) => within(flight.airline?.id ?? null, value),
    aircraftId: (value) => within(flight.aircraft?.id ?? null, value),
    flightNumber: (value) =>
      flight.flightNumber !== null && normalizeCode(flight.flightNumber) === normalizeCode(value),
    aircraftReg: (value) => flight.aircraftReg !== null && normalizeCode(flight.aircraftReg) === normalizeCode(value),
    seat: (value) => people.some(({ seat }: Flight) => within(seat, value)),
    seatClass: (value) => people.some(({ seatClass }: Flight) => within(seatClass, value)),
    flightReason: (value) => people.some(({ flightReason }: Flight) => within(flightReason, value)),
    companion: (value) => value.split(',').every((id) => flight.passengers.some(({ user }: Flight) => user?.id === id)),
    completed: (value) => String(decidingInstant(flight) < now) === value,
    hasTrack: (value) => String(flight.track !== null) === value,
    text: (value) => hasText(flight, value),
  }
  return Object.entries(query).every(([name, value]) => rules[name]!(value))
}

const figuresOf = (flights: readonly Flight[], kilometres: (flight: Flight) => number) => ({
  flights: flights.length,
  distanceKm: Math.round(flights.reduce((sum, flight) => sum + kilometres(flight), 0)),
  durationSeconds: flights.reduce((sum, { duration }) => sum + (duration ?? 0), 0),
  durationKnown: flights.filter(({ duration }) => duration !== null).length,
})

function keysOf(by: string, flight: Flight, userId: string | undefined): unknown[] {
  const { date, datePrecision, from, to, passengers } = flight
  const mine = passengers.filter(({ user }: Flight) => userId === undefined || user?.id === userId)
  const others = passengers.filter(({ user }: Flight) => userId === undefined || user?.id !== userId)
  const keys: Record<string, () => unknown[]> = {
    year: () => [Number(date.slice(0, 4))],
    month: () => (datePrecision === 'year' ? [] : [date.slice(0, 7)]),
    weekday: () => (datePrecision === 'day' ? [new Date(date).getUTCDay() || 7] : []),
    airport: () => [...new Set([from.id, to.id])],
    route: () => [`${from.id}-${to.id}`],
    connection: () => [`${Math.min(from.id, to.id)}-${Math.max(from.id, to.id)}`],
    airline: () => [flight.airline?.id ?? null],
    aircraft: () => [flight.aircraft?.id ?? null],
    aircraftReg: () => [flight.aircraftReg ? normalizeCode(flight.aircraftReg) : null],
    country: () => [...new Set([from.country, to.country])],
    continent: () => [...new Set([from.continent, to.continent])],
    seat: () => mine.map(({ seat }: Flight) => seat),
    seatClass: () => mine.map(({ seatClass }: Flight) => seatClass),
    flightReason: () => mine.map(({ flightReason }: Flight) => flightReason),
    companion: () => others.map(({ user, guestName }: Flight) => user?.id ?? `guest:${guestName}`),
  }
  return keys[by]!()
}

/** Keys and totals of all groups in order, and the overall total. */
export function naiveBreakdown(
  flights: readonly Flight[],
  { by, sort, userId }: { by: string; sort: string; userId: string | undefined },
  kilometres: (flight: Flight) => number,
) {
  const groups = new Map<unknown, Flight[]>()
  for (const flight of flights) {
    for (const key of keysOf(by, flight, userId)) groups.set(key, [...(groups.get(key) ?? []), flight])
  }
  const counted = [...groups].map(([key, members]) => ({ key, ...figuresOf(members, kilometres) }))
  const measure = { flights: 'flights', distance: 'distanceKm', duration: 'durationSeconds' }[sort] as 'flights'
  const byKey = (left: Flight, right: Flight) =>
    left.key === null ? 1 : right.key === null ? -1 : left.key < right.key ? -1 : 1
  counted.sort((left, right) => (sort === 'key' ? 0 : right[measure] - left[measure]) || byKey(left, right))
  const grouped = flights.filter((flight) => keysOf(by, flight, userId).length > 0)
  return { total: figuresOf(grouped, kilometres), groups: counted }
}
