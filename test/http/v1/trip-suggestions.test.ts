import { expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import type { Airport } from '../../../src/domain/reference/contract.ts'
import { journeyFinder } from '../../../src/domain/trips/suggest.ts'
import { paxlog } from '../../support/paxlog.ts'
import { type Random, SEED, seeded } from '../../support/random.ts'
import { writeNow } from '../../support/write-now.ts'

const LOGS = 1_000
const DAY_MS = 86_400_000

const fields = [
  { icao: 'LSZH', municipality: 'Zurich', latitude: 47.458, longitude: 8.548 },
  // 81 km and 101 km from Zurich.
  { icao: 'LFSB', municipality: 'Basel', latitude: 47.59, longitude: 7.529 },
  { icao: 'XNRN', municipality: 'North', latitude: 48.366, longitude: 8.548 },
  { icao: 'LPPT', municipality: null, latitude: 38.781, longitude: -9.136 },
  { icao: 'KJFK', municipality: 'New York', latitude: 40.64, longitude: -73.779 },
  {
    icao: 'NZAA',
    municipality: 'A town with a very long name '.repeat(4).trim(),
    latitude: -37.012,
    longitude: 174.786,
  },
]
type Field = (typeof fields)[number]
const nameOf = ({ municipality, icao }: Field) => municipality ?? `Airport ${icao}`

interface Row {
  id: number
  date: string
  precision: 'day' | 'month'
  departure: string | null
  takeoffActual: string | null
  departureScheduled: string | null
  isInTrip: boolean
  from: Field
  to: Field
}

function randomRows(random: Random): Omit<Row, 'id'>[] {
  let start = Date.UTC(2018, random.between(0, 11), random.between(1, 28))
  let last = random.pick(fields)
  return Array.from({ length: random.between(0, 14) }, () => {
    start += DAY_MS * random.pick([0, 0, 1, 3, 44, 45, 46, 200])
    const time = () => (random.chance(0.5) ? new Date(start + random.between(0, 23) * 3_600_000).toISOString() : null)
    const from = random.chance(0.8) ? last : random.pick(fields)
    last = random.pick(fields)
    return {
      date: new Date(start).toISOString().slice(0, 10),
      precision: random.chance(0.05) ? 'month' : 'day',
      departure: time(),
      takeoffActual: time(),
      departureScheduled: time(),
      isInTrip: random.chance(0.05),
      from,
      to: last,
    }
  })
}

/** Haversine. */
function kilometres(a: Field, b: Field): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const latitude = Math.sin(radians(b.latitude - a.latitude) / 2) ** 2
  const longitude = Math.sin(radians(b.longitude - a.longitude) / 2) ** 2
  const cosines = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude))
  return 2 * 6371.0088 * Math.asin(Math.min(1, Math.sqrt(latitude + cosines * longitude)))
}

const months = 'January February March April May June July August September October November December'.split(' ')

function expectedName(group: readonly Row[]): string {
  const home = group[0]!.from
  const visited = group.flatMap(({ from, to }) => [from, to])
  const farthest = visited.reduce((best, field) => (kilometres(home, field) > kilometres(home, best) ? field : best))
  const [year, month] = group[0]!.date.split('-')
  const end = `, ${months[Number(month) - 1]} ${year}`
  const place = nameOf(farthest)
  return place.length + end.length <= 100 ? place + end : `${place.slice(0, 99 - end.length)}…${end}`
}

/** Contract 17.2, word by word. */
function expectedSuggestions(rows: readonly Row[]) {
  const departed = (row: Row) => row.departure ?? row.takeoffActual ?? row.departureScheduled ?? '~'
  const key = (row: Row) => `${row.date} ${departed(row)} ${String(row.id).padStart(9, '0')}`
  const left = rows.filter((row) => row.precision === 'day' && !row.isInTrip).sort((a, b) => (key(a) < key(b) ? -1 : 1))
  const groups: Row[][] = []
  while (left.length > 0) {
    const group = [left.shift()!]
    const home = group[0]!.from
    const isHome = () => kilometres(home, group.at(-1)!.to) <= 100
    const isNear = () => left.length > 0 && Date.parse(left[0]!.date) - Date.parse(group.at(-1)!.date) <= 45 * DAY_MS
    while (!isHome() && isNear()) group.push(left.shift()!)
    if (isHome() && group.length > 1) groups.push(group)
  }
  return groups.reverse().map((group) => ({
    name: expectedName(group),
    flightIds: group.map(({ id }) => id),
    dateFrom: group[0]!.date,
    dateTo: group.at(-1)!.date,
  }))
}

test(`suggestions are as described on ${LOGS} random logs`, async () => {
  const { db, user, services } = await paxlog()
  const { $client } = db
  const random = seeded(SEED)
  const insertAirport = $client.prepare(
    `insert into airports (icao, name, municipality, latitude, longitude, timezone, type, continent, country)
     values (?, ?, ?, ?, ?, 'UTC', 'large_airport', 'EU', 'CH')`,
  )
  const insertFlight = $client.prepare(
    `insert into flights (date, date_precision, departure, takeoff_actual, departure_scheduled, from_id, to_id, completed_from, created_at, updated_at)
     values (?, ?, ?, ?, ?, ?, ?, 0, '2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z')`,
  )
  const insertPassenger = $client.prepare(
    'insert into passengers (flight_id, user_id, date, trip_id) values (?, ?, ?, ?)',
  )
  const insertTrip = $client.prepare("insert into trips (user_id, name, created_at, updated_at) values (?, 'x', 0, 0)")
  const idOf = ({ lastInsertRowid }: { lastInsertRowid: number | bigint }) => Number(lastInsertRowid)
  const airportIds = new Map<Field, number>()
  writeNow(db, () => {
    for (const field of fields) {
      const { icao, municipality, latitude, longitude } = field
      airportIds.set(field, idOf(insertAirport.run(icao, `Airport ${icao}`, municipality, latitude, longitude)))
    }
  })
  const lengths = new Set<number>()
  for (let log = 0; log < LOGS; log++) {
    const { id: userId } = user()
    const rows = writeNow(db, () => {
      const trip = idOf(insertTrip.run(userId))
      return randomRows(random).map((row): Row => {
        const times = [row.departure, row.takeoffActual, row.departureScheduled]
        const airports = [airportIds.get(row.from)!, airportIds.get(row.to)!]
        const id = idOf(insertFlight.run(row.date, row.precision, ...times, ...airports))
        insertPassenger.run(id, userId, row.date, row.isInTrip ? trip : null)
        return { ...row, id }
      })
    })
    const expected = expectedSuggestions(rows)
    lengths.add(expected.length)
    expect([log, await services.trips.suggest({ ...operator, userId })]).toEqual([log, expected])
  }
  expect(Math.max(...lengths)).toBeGreaterThan(3)
})

test('at most 50 journeys are suggested, the newest, also from a log that is read in parts', async () => {
  const { db, user, services } = await paxlog()
  const { id: userId } = user()
  const journeys = 1_500
  const days = writeNow(db, () => {
    const airport = db.$client.prepare(
      `insert into airports (icao, name, latitude, longitude, timezone, type, continent, country)
       values (?, ?, 0, ?, 'UTC', 'large_airport', 'EU', 'CH')`,
    )
    const [home, away] = [airport.run('HOME', 'Home', 0), airport.run('AWAY', 'Away', 20)].map(({ lastInsertRowid }) =>
      Number(lastInsertRowid),
    )
    const flight = db.$client.prepare(
      `insert into flights (date, date_precision, departure, from_id, to_id, completed_from, created_at, updated_at)
       values (?, 'day', ?, ?, ?, 0, '2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z')`,
    )
    const passenger = db.$client.prepare('insert into passengers (flight_id, user_id, date) values (?, ?, ?)')
    return Array.from({ length: journeys }, (_, index) => {
      const date = new Date(Date.UTC(2000, 0, 1) + index * DAY_MS).toISOString().slice(0, 10)
      // The way back has the lower id.
      for (const [hour, from, to] of [
        ['20', away, home],
        ['10', home, away],
      ]) {
        const { lastInsertRowid } = flight.run(date, `${date}T${hour}:00:00.000Z`, from, to)
        passenger.run(lastInsertRowid, userId, date)
      }
      return date
    })
  })
  const found = await services.trips.suggest({ ...operator, userId })
  expect(found.map(({ dateFrom }) => dateFrom)).toEqual(days.slice(-50).reverse())
  for (const { flightIds, name } of found) {
    expect(name).toMatch(/^Away, /)
    expect(flightIds[0]).toBe(flightIds[1]! + 1)
  }
})

test('journeys with more flights than a trip can have are not suggested', () => {
  const [home, away] = [fields[0]!, fields[4]!].map((field) => ({ ...field, name: field.icao })) as unknown as [
    Airport,
    Airport,
  ]
  const suggestionsOf = (flights: number) => {
    const { add, newestFirst } = journeyFinder()
    for (let id = 1; id <= flights; id++)
      add({ id, date: '2024-03-01', from: id === 1 ? home : away, to: id === flights ? home : away })
    return newestFirst().map(({ flightIds }) => flightIds.length)
  }
  expect([suggestionsOf(500), suggestionsOf(501)]).toEqual([[500], []])
})
