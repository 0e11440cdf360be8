import * as z from 'zod'
import { CalendarDay, choice, exampleOf, Id, limit } from '../../contract/common.ts'
import { Flight, scopeChoice, userNeeded } from '../flights/contract.ts'
import { filterShape, inOrder } from '../flights/query/filter-contract.ts'
import { Aircraft, Airline, Airport, lisbonExample } from '../reference/contract.ts'

const count = z.int().min(0)
const Code = z.string().nullable()
const Place = z.object({ id: Id, name: z.string(), icao: z.string(), iata: Code })

const place = ({ id, name, icao, iata }: Airport) => ({ id, name, icao, iata })
const zurich = place(exampleOf(Airport) as Airport)

export const Stats = z
  .object({
    flights: count,
    distanceKm: count,
    durationSeconds: count,
    airports: count,
    topAirline: z.object({ id: Id, name: z.string(), iata: Code, icao: Code, count }).nullable(),
    topAirport: z.object({ ...Place.shape, count }).nullable(),
    topAircraft: z.object({ id: Id, name: z.string(), icao: Code, count }).nullable(),
    topRoute: z.object({ from: Place, to: Place, count }).nullable(),
  })
  .meta({
    id: 'Stats',
    description: 'Figures over completed flights.',
    examples: [
      {
        flights: 42,
        distanceKm: 71200,
        durationSeconds: 354600,
        airports: 19,
        topAirline: { id: 612, name: 'Swiss', iata: 'LX', icao: 'SWR', count: 18 },
        topAirport: { ...zurich, count: 36 },
        topAircraft: { id: 88, name: 'Airbus A220-300', icao: 'BCS3', count: 12 },
        topRoute: { from: zurich, to: place(lisbonExample), count: 6 },
      },
    ],
  })
export type Stats = z.output<typeof Stats>

export const StatsQuery = z
  .object({ ...scopeChoice, ...filterShape })
  .refine(...userNeeded)
  .refine(...inOrder)
export type StatsQuery = z.output<typeof StatsQuery>

const breakdownBy = [
  'year',
  'month',
  'weekday',
  'airport',
  'route',
  'connection',
  'airline',
  'aircraft',
  'aircraftReg',
  'country',
  'continent',
  'seat',
  'seatClass',
  'flightReason',
  'companion',
] as const
export type BreakdownBy = (typeof breakdownBy)[number]

const breakdownSorts = ['flights', 'distance', 'duration', 'key'] as const
export type BreakdownSort = (typeof breakdownSorts)[number]

export const BreakdownQuery = z
  .object({
    by: choice(breakdownBy).meta({ description: 'What the flights are grouped by.' }),
    sort: choice(breakdownSorts)
      .default('flights')
      .meta({ description: 'The largest first; by `key` ascending. Ties ascending by key.' }),
    limit: limit({ max: 1000, default: 10, description: 'Maximum number of groups; `others` has the rest.' }),
    ...scopeChoice,
    ...filterShape,
  })
  .refine(...userNeeded)
  .refine(...inOrder)
export type BreakdownQuery = z.output<typeof BreakdownQuery>

const sums = {
  flights: count,
  distanceKm: count,
  durationSeconds: count,
  durationKnown: count.meta({ description: 'The number of flights whose duration is known.' }),
}
const Sums = z.object(sums).meta({ id: 'StatsFigures' })

const BreakdownGroup = z
  .object({
    key: z
      .union([z.string(), z.int(), z.null()])
      .meta({ description: 'A year, a weekday from 1 (Monday), an id, a code or a text; null for flights without.' }),
    airport: Airport.optional(),
    from: Airport.optional(),
    to: Airport.optional(),
    airline: Airline.nullable().optional(),
    aircraft: Aircraft.nullable().optional(),
    name: z.string().optional().meta({ description: 'Of a companion.' }),
    ...sums,
  })
  .meta({ id: 'StatsGroup' })
export type BreakdownGroup = z.output<typeof BreakdownGroup>

export const Breakdown = z
  .object({
    total: Sums.meta({ description: 'Each flight once.' }),
    groups: z.array(BreakdownGroup),
    others: Sums.nullable().meta({ description: 'The groups beyond `limit` together; null when all are shown.' }),
  })
  .meta({
    id: 'StatsBreakdown',
    description: 'Figures over completed flights, in groups.',
    examples: [
      {
        total: { flights: 3, distanceKm: 5021, durationSeconds: 25200, durationKnown: 3 },
        groups: [
          { key: 2025, flights: 2, distanceKm: 3418, durationSeconds: 16800, durationKnown: 2 },
          { key: 2024, flights: 1, distanceKm: 1603, durationSeconds: 8400, durationKnown: 1 },
        ],
        others: null,
      },
    ],
  })
export type Breakdown = z.output<typeof Breakdown>

const FlightOrNull = Flight.nullable()
const AirportOrNull = Airport.nullable()

export const StatsRecords = z
  .object({
    longestDistance: FlightOrNull,
    shortestDistance: FlightOrNull,
    longestDuration: FlightOrNull,
    shortestDuration: FlightOrNull,
    first: FlightOrNull,
    latest: FlightOrNull,
    northernmost: AirportOrNull,
    southernmost: AirportOrNull,
    easternmost: AirportOrNull,
    westernmost: AirportOrNull,
    busiestDay: z.object({ date: CalendarDay, flights: count }).nullable(),
    busiestMonth: z.object({ month: z.string().meta({ examples: ['2025-05'] }), flights: count }).nullable(),
    aroundTheEarth: z.number().meta({ description: 'Total distance in lengths of the equator.' }),
    toTheMoon: z.number().meta({ description: 'Total distance in distances to the moon.' }),
  })
  .meta({
    id: 'StatsRecords',
    description: 'Records among completed flights.',
    examples: [
      {
        longestDistance: exampleOf(Flight),
        shortestDistance: exampleOf(Flight),
        longestDuration: exampleOf(Flight),
        shortestDuration: exampleOf(Flight),
        first: exampleOf(Flight),
        latest: exampleOf(Flight),
        northernmost: exampleOf(Airport),
        southernmost: exampleOf(Airport),
        easternmost: exampleOf(Airport),
        westernmost: exampleOf(Airport),
        busiestDay: { date: '2025-05-03', flights: 2 },
        busiestMonth: { month: '2025-05', flights: 3 },
        aroundTheEarth: 0.04,
        toTheMoon: 0.004,
      },
    ],
  })
export type StatsRecords = z.output<typeof StatsRecords>

const Delays = z
  .object({
    known: count.meta({ description: 'The number of flights whose delay is known; the figures are about these.' }),
    early: count.meta({ description: 'A delay below 0.' }),
    onTime: count.meta({ description: 'A delay of less than 15 minutes, including early flights.' }),
    late: count.meta({ description: 'A delay of at least 15 minutes.' }),
    averageSeconds: z.int().nullable(),
    medianSeconds: z.int().nullable(),
    worst: FlightOrNull.meta({ description: 'The flight with the largest delay.' }),
  })
  .meta({ id: 'StatsDelays' })
export type Delays = z.output<typeof Delays>

export const Punctuality = z
  .object({
    departure: Delays.meta({ description: '`departure` compared with `departureScheduled`.' }),
    arrival: Delays.meta({ description: '`arrival` compared with `arrivalScheduled`.' }),
    lostSeconds: count.meta({ description: 'The sum of all arrival delays above 0.' }),
  })
  .meta({
    id: 'StatsPunctuality',
    description: 'Delays of completed flights whose scheduled and actual times are known.',
    examples: [
      {
        departure: {
          ...{ known: 2, early: 0, onTime: 1, late: 1, averageSeconds: 960, medianSeconds: 960 },
          worst: exampleOf(Flight),
        },
        arrival: {
          ...{ known: 2, early: 1, onTime: 1, late: 1, averageSeconds: 540, medianSeconds: 540 },
          worst: exampleOf(Flight),
        },
        lostSeconds: 1380,
      },
    ],
  })
export type Punctuality = z.output<typeof Punctuality>
