import { kilometres } from './naive-stats.ts'

/** A naive implementation of the records of contract 16.2 and the countries of 16.7 over completed flights. */

// biome-ignore lint/suspicious/noExplicitAny: flights as they come from the wire
type Flight = any

const decimals = (value: number, count: number) => Math.round(value * 10 ** count) / 10 ** count

/** The first item with the highest value, ignoring null. */
function highest<Item>(items: readonly Item[], measure: (item: Item) => number | null): Item | null {
  const most = Math.max(...items.flatMap((item) => measure(item) ?? []))
  return items.find((item) => measure(item) === most) ?? null
}

const lowestAboveZero = (measure: (flight: Flight) => number | null) => (flight: Flight) => {
  const value = measure(flight)
  return value !== null && value > 0 ? -value : null
}

/** The most frequent text and its count. Ties are resolved alphabetically. */
function mostFrequent(texts: readonly string[]): [text: string, count: number] | undefined {
  const sorted = texts.toSorted()
  const countOf = (text: string) => sorted.filter((each) => each === text).length
  const most = highest(sorted, countOf)
  return most === null ? undefined : [most, countOf(most)]
}

export function naiveRecords(completed: readonly Flight[]) {
  const flights = completed.toSorted((a, b) => (a.date === b.date ? a.id - b.id : a.date < b.date ? -1 : 1))
  const ends = flights.flatMap(({ from, to }) => [from, to])
  const day = mostFrequent(flights.filter(({ datePrecision }) => datePrecision === 'day').map(({ date }) => date))
  const month = mostFrequent(
    flights.filter(({ datePrecision }) => datePrecision !== 'year').map(({ date }) => date.slice(0, 7)),
  )
  const distance = flights.reduce((sum, flight) => sum + kilometres(flight), 0)
  const duration = (flight: Flight): number | null => flight.duration
  return {
    longestDistance: highest(flights, kilometres),
    shortestDistance: highest(flights, lowestAboveZero(kilometres)),
    longestDuration: highest(flights, duration),
    shortestDuration: highest(flights, lowestAboveZero(duration)),
    first: flights[0] ?? null,
    latest: flights.find(({ date }) => date === flights.at(-1).date) ?? null,
    northernmost: highest(ends, ({ latitude }) => latitude),
    southernmost: highest(ends, ({ latitude }) => -latitude),
    easternmost: highest(ends, ({ longitude }) => longitude),
    westernmost: highest(ends, ({ longitude }) => -longitude),
    busiestDay: day ? { date: day[0], flights: day[1] } : null,
    busiestMonth: month ? { month: month[0], flights: month[1] } : null,
    aroundTheEarth: decimals(distance / 40_075.017, 2),
    toTheMoon: decimals(distance / 384_400, 3),
  }
}

/** A naive implementation of contract 17.3 over completed flights. */
export function naivePunctuality(completed: readonly Flight[]) {
  const flights = completed
    .filter(({ datePrecision }) => datePrecision === 'day')
    .toSorted((a, b) => (a.date === b.date ? a.id - b.id : a.date < b.date ? -1 : 1))
  const halfUp = (value: number) => Math.floor(value + 0.5)
  function delaysOf(name: 'departure' | 'arrival') {
    const delayOf = (flight: Flight): number | null =>
      flight[name] && flight[`${name}Scheduled`]
        ? (Date.parse(flight[name]) - Date.parse(flight[`${name}Scheduled`])) / 1000
        : null
    const delays = flights.map(delayOf).filter((delay) => delay !== null)
    const sorted = delays.toSorted((a, b) => a - b)
    const middle = sorted.length / 2
    return {
      delays,
      figures: {
        known: delays.length,
        early: delays.filter((delay) => delay < 0).length,
        onTime: delays.filter((delay) => delay < 900).length,
        late: delays.filter((delay) => delay >= 900).length,
        averageSeconds: delays.length ? halfUp(delays.reduce((sum, delay) => sum + delay, 0) / delays.length) : null,
        medianSeconds: delays.length
          ? halfUp((sorted[Math.ceil(middle - 1)]! + sorted[Math.floor(middle)]!) / 2)
          : null,
        worst: delays.length ? highest(flights, delayOf) : null,
      },
    }
  }
  const arrival = delaysOf('arrival')
  const lost = arrival.delays.filter((delay) => delay > 0).reduce((sum, delay) => sum + delay, 0)
  return { departure: delaysOf('departure').figures, arrival: arrival.figures, lostSeconds: halfUp(lost) }
}

/** Countries by flights, without continents and manual entries. */
export function naiveCountries(completed: readonly Flight[]) {
  const codes = [...new Set<string>(completed.flatMap(({ from, to }) => [from.country, to.country]))].sort()
  return codes.map((code) => {
    const there = completed.filter(({ from, to }) => from.country === code || to.country === code)
    const days = there.map(({ date }) => date).sort()
    const ends = there.flatMap(({ from, to }) => [from, to]).filter(({ country }) => country === code)
    return {
      code,
      derived: true,
      airports: new Set(ends.map(({ id }) => id)).size,
      flights: there.length,
      firstDate: days[0],
      lastDate: days.at(-1),
    }
  })
}
