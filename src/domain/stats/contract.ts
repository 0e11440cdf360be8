import * as z from 'zod'
import { Id } from '../../contract/common.ts'

const count = z.int().min(0)
const Code = z.string().nullable()
const Place = z.object({ id: Id, name: z.string(), icao: z.string(), iata: Code })

const zurich = { id: 4711, name: 'Zurich Airport', icao: 'LSZH', iata: 'ZRH' }

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
        topRoute: { from: zurich, to: { id: 3120, name: 'Lisbon Airport', icao: 'LPPT', iata: 'LIS' }, count: 6 },
      },
    ],
  })
export type Stats = z.output<typeof Stats>
