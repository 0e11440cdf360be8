import type { Db } from '../../src/db/open.ts'
import { foldCase } from '../../src/lib/text.ts'
import { seeded } from './random.ts'
import { writeNow } from './write-now.ts'

type AirportFacts = [icao: string, latitude: number, longitude: number, timezone: string, country: string, name: string]

/** Real airports with their time zones, by IATA code. */
const facts = {
  JFK: ['KJFK', 40.639447, -73.779317, 'America/New_York', 'US', 'John F. Kennedy International Airport'],
  EWR: ['KEWR', 40.692501, -74.168701, 'America/New_York', 'US', 'Newark Liberty International Airport'],
  LAX: ['KLAX', 33.942501, -118.407997, 'America/Los_Angeles', 'US', 'Los Angeles International Airport'],
  HNL: ['PHNL', 21.32062, -157.924228, 'Pacific/Honolulu', 'US', 'Daniel K. Inouye International Airport'],
  LHR: ['EGLL', 51.4706, -0.461941, 'Europe/London', 'GB', 'London Heathrow Airport'],
  ZRH: ['LSZH', 47.458056, 8.548056, 'Europe/Zurich', 'CH', 'Zürich Airport'],
  LIS: ['LPPT', 38.7813, -9.13592, 'Europe/Lisbon', 'PT', 'Humberto Delgado Airport'],
  CPH: ['EKCH', 55.617901, 12.656, 'Europe/Copenhagen', 'DK', 'Copenhagen Kastrup Airport'],
  FRA: ['EDDF', 50.030241, 8.561096, 'Europe/Berlin', 'DE', 'Frankfurt Airport'],
  HND: ['RJTT', 35.552299, 139.779999, 'Asia/Tokyo', 'JP', 'Tokyo Haneda International Airport'],
  MAA: ['VOMM', 12.990005, 80.169296, 'Asia/Kolkata', 'IN', 'Chennai International Airport'],
  DEL: ['VIDP', 28.55563, 77.09519, 'Asia/Kolkata', 'IN', 'Indira Gandhi International Airport'],
  DXB: ['OMDB', 25.2527999878, 55.3643989563, 'Asia/Dubai', 'AE', 'Dubai International Airport'],
  SIN: ['WSSS', 1.35019, 103.994003, 'Asia/Singapore', 'SG', 'Singapore Changi Airport'],
  KUL: ['WMKK', 2.745578, 101.709917, 'Asia/Kuala_Lumpur', 'MY', 'Kuala Lumpur International Airport'],
  BKI: ['WBKK', 5.92358, 116.050156, 'Asia/Kuching', 'MY', 'Kota Kinabalu International Airport'],
  KTM: ['VNKT', 27.6966, 85.3591, 'Asia/Kathmandu', 'NP', 'Tribhuvan International Airport'],
  AMM: ['OJAI', 31.7226009369, 35.9931983948, 'Asia/Amman', 'JO', 'Queen Alia International Airport'],
  BNE: ['YBBN', -27.384199, 153.117004, 'Australia/Brisbane', 'AU', 'Brisbane International Airport'],
  ADL: ['YPAD', -34.947512, 138.533393, 'Australia/Adelaide', 'AU', 'Adelaide International Airport'],
  SYD: ['YSSY', -33.9460983276, 151.177001953, 'Australia/Sydney', 'AU', 'Sydney Kingsford Smith Airport'],
  LDH: ['YLHI', -31.5382995605, 159.0769958496, 'Australia/Lord_Howe', 'AU', 'Lord Howe Island Airport'],
  AKL: ['NZAA', -37.01199, 174.786331, 'Pacific/Auckland', 'NZ', 'Auckland International Airport'],
  CXI: ['PLCH', 1.98616, -157.350006, 'Pacific/Kiritimati', 'KI', 'Cassidy International Airport'],
  APW: ['NSFA', -13.83, -172.007996, 'Pacific/Apia', 'WS', 'Faleolo International Airport'],
  MEX: ['MMMX', 19.435433, -99.082432, 'America/Mexico_City', 'MX', 'Benito Juárez International Airport'],
  CUN: ['MMUN', 21.036501, -86.877098, 'America/Cancun', 'MX', 'Cancún International Airport'],
} as const satisfies Record<string, AirportFacts>

export type Iata = keyof typeof facts
const iataCodes = Object.keys(facts) as Iata[]

export const zoneOf = (iata: Iata): string => facts[iata][3]

/** Inserts the airports above, two airlines and two aircraft types as shipped rows. */
export const referenceRows = (db: Db) => writeNow(db, () => insertReferenceRows(db))

function insertReferenceRows(db: Db) {
  const airport = db.$client.prepare(
    `insert into airports (source_id, icao, iata, name, municipality, latitude, longitude, timezone, type, continent, country)
     values (@icao, @icao, @iata, @name, @municipality, @latitude, @longitude, @timezone, 'large_airport', 'EU', @country)`,
  )
  const ids = iataCodes.map((iata) => {
    const [icao, latitude, longitude, timezone, country, name] = facts[iata]
    const municipality = iata === 'ZRH' ? 'Zurich' : iata === 'LIS' ? 'Lisbon' : null
    const row = { icao, iata, name, municipality, latitude, longitude, timezone, country }
    return [iata, Number(airport.run(row).lastInsertRowid)] as const
  })
  const airports = Object.fromEntries(ids) as Record<Iata, number>
  const airline = (name: string, icao: string, iata: string) =>
    Number(
      db.$client
        .prepare('insert into airlines (source_id, name, name_key, icao, iata) values (?, ?, ?, ?, ?)')
        .run(icao, name, foldCase(name), icao, iata).lastInsertRowid,
    )
  const aircraft = (name: string, icao: string) =>
    Number(
      db.$client
        .prepare('insert into aircraft (source_id, name, name_key, icao) values (?, ?, ?, ?)')
        .run(icao, name, foldCase(name), icao).lastInsertRowid,
    )
  return {
    airports,
    airlines: { SWR: airline('Swiss', 'SWR', 'LX'), SAS: airline('Scandinavian Airlines', 'SAS', 'SK') },
    aircraft: { BCS3: aircraft('Airbus A220-300', 'BCS3'), A359: aircraft('Airbus A350-900', 'A359') },
  }
}

/** The request body that a client creates from a flight record (contract 4.1). */
// biome-ignore lint/suspicious/noExplicitAny: a record as it came over the wire
export function writeBack(flight: any) {
  const { id: _, from, to, airline, aircraft, passengers, track: __, distanceKm: ___, ...rest } = flight
  return {
    ...rest,
    fromId: from.id,
    toId: to.id,
    airlineId: airline?.id ?? null,
    aircraftId: aircraft?.id ?? null,
    passengers: passengers.map(({ user, ...passenger }: { user: { id: string } | null }) => ({
      ...passenger,
      userId: user?.id ?? null,
    })),
  }
}

/** A track with all columns. */
export function longTrack(points: number) {
  const { next } = seeded(points)
  const round = (value: number, digits: number) => Number(value.toFixed(digits))
  const each = <Value>(make: (index: number) => Value) => Array.from({ length: points }, (_, index) => make(index))
  return {
    coordinates: each((index) => [
      round(8.5 - (17 * index) / points + next() / 1000, 6),
      round(47.4 - (9 * index) / points + next() / 1000, 6),
      round(430 + 10_000 * Math.sin((Math.PI * index) / points), 1),
    ]),
    sourceFormat: 'readsb',
    sourceName: 'long.json',
    times: each((index) => 1_746_267_600 + index),
    groundSpeedKt: each(() => round(420 + next() * 40, 1)),
    trackDeg: each(() => round(230 + next() * 10, 2)),
    ground: each((index) => index < 10),
    estimated: each((index) => index % 97 === 0),
  }
}
