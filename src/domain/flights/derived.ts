import { distanceMeters } from '../../lib/geo.ts'
import type { Airport } from '../reference/contract.ts'
import type { FlightWrite } from './contract.ts'
import { completedFrom, durationOf } from './times.ts'

export function flightRow(body: FlightWrite, from: Airport, to: Airport) {
  const { passengers: _, track: __, customFields: ___, ...plain } = body
  const duration = durationOf(body)
  return {
    ...plain,
    duration,
    distanceMeters: distanceMeters(from, to),
    completedFrom: completedFrom({ ...body, duration }, from.timezone),
  }
}
