import type { Db } from '../../src/db/open.ts'
import { foldCase } from '../../src/lib/text.ts'
import type { Answer, Paxlog, TestUser } from './paxlog.ts'
import { writeNow } from './write-now.ts'

type Facts = [
  icao: string,
  latitude: number,
  longitude: number,
  timezone: string,
  country: string,
  municipality: string,
]

/** Real airports with their time zones, by IATA code. */
const airportFacts = {
  ZRH: ['LSZH', 47.458056, 8.548056, 'Europe/Zurich', 'CH', 'Zurich'],
  LIS: ['LPPT', 38.7813, -9.13592, 'Europe/Lisbon', 'PT', 'Lisbon'],
  LHR: ['EGLL', 51.4706, -0.4619, 'Europe/London', 'GB', 'London'],
  CPH: ['EKCH', 55.618, 12.656, 'Europe/Copenhagen', 'DK', 'Copenhagen'],
  JFK: ['KJFK', 40.6398, -73.7789, 'America/New_York', 'US', 'New York'],
  HNL: ['PHNL', 21.32062, -157.924228, 'Pacific/Honolulu', 'US', 'Honolulu'],
  AKL: ['NZAA', -37.01199, 174.786331, 'Pacific/Auckland', 'NZ', 'Auckland'],
  APW: ['NSFA', -13.83, -172.007996, 'Pacific/Apia', 'WS', 'Apia'],
  SIN: ['WSSS', 1.35019, 103.994003, 'Asia/Singapore', 'SG', 'Singapore'],
  KTM: ['VNKT', 27.6966, 85.3591, 'Asia/Kathmandu', 'NP', 'Kathmandu'],
} as const satisfies Record<string, Facts>
export type Iata = keyof typeof airportFacts
export const iataCodes = Object.keys(airportFacts) as Iata[]

export interface Places {
  airports: Record<Iata, number>
  /** Swissair had the ICAO code that Swiss has now. */
  airlines: Record<'swiss' | 'swissair' | 'sas', number>
  aircraft: Record<'a220' | 'dc3', number>
}

/** Inserts the airports above, three airlines and two aircraft types as shipped rows. */
export const places = (db: Db): Places => writeNow(db, () => insertPlaces(db))

function insertPlaces({ $client }: Db): Places {
  const airport = $client.prepare(
    `insert into airports (source_id, icao, iata, name, municipality, latitude, longitude, timezone, type, continent, country)
     values (?, ?, ?, ?, ?, ?, ?, ?, 'large_airport', 'EU', ?)`,
  )
  const airlineRow = $client.prepare(
    'insert into airlines (source_id, name, name_key, icao, iata) values (?, ?, ?, ?, ?)',
  )
  const aircraftRow = $client.prepare('insert into aircraft (source_id, name, name_key, icao) values (?, ?, ?, ?)')
  const airline = (source: string, name: string, icao: string, iata: string) =>
    Number(airlineRow.run(source, name, foldCase(name), icao, iata).lastInsertRowid)
  const aircraft = (name: string, icao: string) =>
    Number(aircraftRow.run(icao, name, foldCase(name), icao).lastInsertRowid)
  return {
    airports: Object.fromEntries(
      iataCodes.map((iata) => {
        const [icao, latitude, longitude, timezone, country, city] = airportFacts[iata]
        const { lastInsertRowid } = airport.run(
          icao,
          icao,
          iata,
          `${city} Airport`,
          city,
          latitude,
          longitude,
          timezone,
          country,
        )
        return [iata, Number(lastInsertRowid)]
      }),
    ) as Record<Iata, number>,
    airlines: {
      swiss: airline('SWR', 'Swiss', 'SWR', 'LX'),
      swissair: airline('swissair', 'Swissair', 'SWR', 'SR'),
      sas: airline('SAS', 'Scandinavian Airlines', 'SAS', 'SK*'),
    },
    aircraft: { a220: aircraft('Airbus A220-300', 'BCS3'), dc3: aircraft('Douglas DC-3', 'DC3') },
  }
}

/** Creates flights through v1. All fields except the route have defaults. */
export function flying(app: Paxlog, { airports }: Places) {
  return async function fly(who: TestUser, from: Iata, to: Iata, more: Record<string, unknown> = {}): Promise<number> {
    const body = { date: '2024-03-01', fromId: airports[from], toId: airports[to], ...more }
    const { status, body: answer, text } = await app.as(who).post('/flights', body)
    if (status !== 201) throw new Error(`The flight was not created: ${text}`)
    return answer.data.id
  }
}

/** Imports a file. */
export function importing(app: Paxlog) {
  return (who: TestUser | string, content: string | Buffer | object, query = ''): Promise<Answer> => {
    const file = typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content)
    return app
      .as(who)
      .post(`/flights/import${query && `?${query}`}`, file, { 'content-type': 'application/octet-stream' })
  }
}

/** Inserts many flights of one user directly. */
export function manyFlights(db: Db, { airports, airlines, aircraft }: Places, userId: string, count: number): void {
  const flight = db.$client.prepare(
    `insert into flights (date, date_precision, departure, arrival, duration, flight_number, note, from_id, to_id, airline_id,
       aircraft_id, distance_meters, completed_from, created_at, updated_at)
     values (@date, 'day', @departure, @arrival, 7200, @number, 'A note of the usual length.', @from, @to, @airline, @aircraft,
       1000500, @completed, @arrival, @arrival)`,
  )
  const passenger = db.$client.prepare('insert into passengers (flight_id, user_id, date) values (?, ?, ?)')
  const [ids, carriers, types] = [airports, airlines, aircraft].map((rows) => Object.values(rows) as number[])
  writeNow(db, () => {
    for (let index = 0; index < count; index++) {
      const start = Date.UTC(2000, 0, 1) + index * 3_600_000
      const [departure, arrival] = [start, start + 7_200_000].map((time) => new Date(time).toISOString())
      const date = departure!.slice(0, 10)
      const pick = (list: readonly number[] | undefined, shift: number) => list![(index * 7 + shift) % list!.length]
      const { lastInsertRowid } = flight.run({
        date,
        departure,
        arrival,
        number: `LX${index}`,
        from: pick(ids, 0),
        to: pick(ids, 3),
        airline: pick(carriers, 0),
        aircraft: pick(types, 0),
        completed: start + 7_200_000,
      })
      passenger.run(lastInsertRowid, userId, date)
    }
  })
}

/** The percentile of values; `share` is from 0 to 1. */
export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!

/** Prints a measurement. */
export const report = (line: string) => process.stderr.write(`${line}\n`)
