import { z } from 'zod'
import { Id, Instant, text } from '../../contract/common.ts'

const MOST_POINTS = 100_000
const MOST_ISSUES = 50
const sourceFormats = ['gpx', 'kml', 'csv', 'readsb'] as const
const SourceFormat = z.enum(sourceFormats)

/** The optional columns, each with as many items as there are points. */
export const columns = {
  times: { type: 'integer', check: Number.isSafeInteger, what: 'a whole number of Unix seconds' },
  groundSpeedKt: { type: 'number', check: Number.isFinite, what: 'a number of knots' },
  trackDeg: { type: 'number', check: Number.isFinite, what: 'a number of degrees' },
  ground: { type: 'boolean', check: (value: unknown) => typeof value === 'boolean', what: 'true or false' },
  estimated: { type: 'boolean', check: (value: unknown) => typeof value === 'boolean', what: 'true or false' },
} as const
export type ColumnName = keyof typeof columns

export type Point = [longitude: number, latitude: number, altitude?: number]

const Points = z.unknown().meta({
  override: {
    type: 'array',
    minItems: 2,
    maxItems: MOST_POINTS,
    items: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 3 },
    description: 'Longitude, latitude and optionally the altitude in metres of each point.',
  },
})

const column = ({ type, what }: { type: string; what: string }) =>
  z
    .unknown()
    .optional()
    .meta({ override: { type: 'array', items: { type }, description: `For each point ${what}.` } })

const within = (value: unknown, limit: number) => Number.isFinite(value) && Math.abs(value as number) <= limit

const isPoint = (point: unknown): point is Point =>
  Array.isArray(point) &&
  (point.length === 2 || (point.length === 3 && Number.isFinite(point[2]))) &&
  within(point[0], 180) &&
  within(point[1], 90)

type Context = z.RefinementCtx<Record<string, unknown>>

/** Loops over plain values: a schema for each of a hundred thousand points would hold up every other request. */
function checkPoints(points: unknown, context: Context): number | undefined {
  const fault = (code: 'invalid_type' | 'custom', message: string, ...path: number[]) =>
    context.addIssue(
      code === 'custom'
        ? { code, path: ['coordinates', ...path], message }
        : { code, expected: 'array', path: ['coordinates', ...path], message },
    )
  if (points === undefined) return void fault('invalid_type', 'This member is required.')
  if (!Array.isArray(points)) return void fault('invalid_type', 'Must be a list.')
  const size = { origin: 'array', inclusive: true, path: ['coordinates'] }
  if (points.length < 2) context.addIssue({ code: 'too_small', minimum: 2, ...size })
  if (points.length > MOST_POINTS) {
    context.addIssue({ code: 'too_big', maximum: MOST_POINTS, ...size })
    return points.length
  }
  let faults = 0
  for (let index = 0; index < points.length && faults < MOST_ISSUES; index++) {
    if (isPoint(points[index])) continue
    faults++
    fault('custom', 'Must be [longitude -180 to 180, latitude -90 to 90] with an optional altitude.', index)
  }
  return points.length
}

function checkColumn(name: ColumnName, values: unknown, points: number, context: Context): void {
  if (values === undefined) return
  const { check, what } = columns[name]
  if (!Array.isArray(values)) {
    context.addIssue({ code: 'invalid_type', expected: 'array', path: [name], message: 'Must be a list.' })
    return
  }
  if (values.length !== points) {
    context.addIssue({ code: 'custom', path: [name], message: `Must have as many items as coordinates, ${points}.` })
    return
  }
  let faults = 0
  for (let index = 0; index < values.length && faults < MOST_ISSUES; index++) {
    if (check(values[index])) continue
    faults++
    context.addIssue({ code: 'custom', path: [name, index], message: `Must be ${what}.` })
  }
}

export const TrackWrite = z
  .object({
    coordinates: Points,
    sourceFormat: SourceFormat,
    sourceName: text({ max: 255 }).nullable().default(null),
    times: column(columns.times),
    groundSpeedKt: column(columns.groundSpeedKt),
    trackDeg: column(columns.trackDeg),
    ground: column(columns.ground),
    estimated: column(columns.estimated),
  })
  .superRefine((track, context) => {
    const points = checkPoints(track.coordinates, context)
    if (points === undefined) return
    for (const name of Object.keys(columns) as ColumnName[]) checkColumn(name, track[name], points, context)
  })
  .meta({ id: 'TrackWrite', description: 'Stored whole or refused; it is never thinned.' })
export type TrackWrite = z.output<typeof TrackWrite>

export const TrackSummary = z
  .object({
    pointCount: z.int(),
    updatedAt: Instant,
    sourceFormat: SourceFormat,
    sourceName: z.string().nullable(),
  })
  .meta({ id: 'TrackSummary' })

const numbers = z.array(z.number()).optional()
const flags = z.array(z.boolean()).optional()

export const Track = z
  .object({
    flightId: Id,
    coordinates: z.array(z.array(z.number())),
    sourceFormat: SourceFormat,
    sourceName: z.string().nullable(),
    times: z.array(z.int()).optional(),
    groundSpeedKt: numbers,
    trackDeg: numbers,
    ground: flags,
    estimated: flags,
    pointCount: z.int(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Track', description: 'The optional lists are present only when they were stored.' })
