import * as z from 'zod'
import { Id } from '../../contract/common.ts'

const count = z.int().min(0)
const Code = z.string().nullable()
const Place = z.object({ id: Id, name: z.string(), icao: z.string(), iata: Code })

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
  .meta({ id: 'Stats', description: 'Figures over completed flights.' })
export type Stats = z.output<typeof Stats>
