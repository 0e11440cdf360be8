import * as z from 'zod'
import { choice, exampleOf, Id, Instant, text, whenObject } from '../../contract/common.ts'

export const MOST_POINTS = 100_000
const MOST_ISSUES = 50
const sourceFormats = ['gpx', 'kml', 'csv', 'readsb'] as const
const SourceFormat = choice(sourceFormats)

/**
 * Where the next item stands that is wrong, or the end. Each kind of item has a loop of its own, since calling a check
 * for each of half a million items takes many times as long as the check.
 */
const nextWrong = {
  integer(items: readonly unknown[], from: number): number {
    let index = from
    while (index < items.length && Number.isSafeInteger(items[index])) index++
    return index
  },
  number(items: readonly unknown[], from: number): number {
    let index = from
    while (index < items.length && Number.isFinite(items[index])) index++
    return index
  },
  boolean(items: readonly unknown[], from: number): number {
    let index = from
    while (index < items.length && typeof items[index] === 'boolean') index++
    return index
  },
}

/** The optional columns, each with as many items as there are points. */
export const columns = {
  times: { type: 'integer', what: 'a whole number of Unix seconds' },
  groundSpeedKt: { type: 'number', what: 'a number of knots' },
  trackDeg: { type: 'number', what: 'a number of degrees' },
  ground: { type: 'boolean', what: 'true or false' },
  estimated: { type: 'boolean', what: 'true or false' },
} as const
export type ColumnName = keyof typeof columns

type Point = [longitude: number, latitude: number, altitude?: number]

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
type Issue = Parameters<Context['addIssue']>[0]

/** Collects what is wrong; false once there are as many faults as an answer can hold. */
type Report = (issue: Exclude<Issue, string>) => boolean

const wrongList = (path: (string | number)[], message = 'Must be a list.') =>
  ({ code: 'invalid_type', expected: 'array', path, message }) as const

const wrongSize = (length: number, [least, most]: readonly [number, number], path: (string | number)[]) =>
  length < least
    ? ({ code: 'too_small', minimum: least, origin: 'array', inclusive: true, path } as const)
    : ({ code: 'too_big', maximum: most, origin: 'array', inclusive: true, path } as const)

/** What is wrong with a point that is not one; only such points are looked at closely. */
function reportPoint(point: unknown, index: number, report: Report): boolean {
  const path = ['coordinates', index]
  if (!Array.isArray(point)) return report(wrongList(path, 'Must be [longitude, latitude] or with an altitude.'))
  if (point.length < 2 || point.length > 3) return report(wrongSize(point.length, [2, 3], path))
  return point.every((value, place) => {
    const limit = [180, 90][place]
    const at = { origin: 'number', inclusive: true, path: [...path, place] }
    if (!Number.isFinite(value)) return report({ code: 'invalid_type', expected: 'number', path: at.path })
    if (limit === undefined || Math.abs(value) <= limit) return true
    return report(
      value < 0 ? { code: 'too_small', minimum: -limit, ...at } : { code: 'too_big', maximum: limit, ...at },
    )
  })
}

/** Loops over plain values: a schema for each of a hundred thousand points would hold up every other request. */
function checkPoints(points: unknown, report: Report): number | undefined {
  const path = ['coordinates']
  if (!Array.isArray(points)) {
    // That it is missing is known already.
    if (points !== undefined) report(wrongList(path))
    return undefined
  }
  if (points.length < 2 || points.length > MOST_POINTS) {
    report(wrongSize(points.length, [2, MOST_POINTS], path))
    return points.length
  }
  for (let index = 0; index < points.length; index++) {
    if (!isPoint(points[index]) && !reportPoint(points[index], index, report)) break
  }
  return points.length
}

function checkColumn(name: ColumnName, values: unknown, points: number | undefined, report: Report): void {
  if (values === undefined) return
  const { type, what } = columns[name]
  if (!Array.isArray(values)) {
    report(wrongList([name]))
    return
  }
  if (points === undefined) return
  if (values.length !== points) {
    report({ code: 'custom', path: [name], message: `Must have as many items as coordinates, ${points}.` })
    return
  }
  const next = nextWrong[type]
  for (let index = next(values, 0); index < values.length; index = next(values, index + 1)) {
    const path = [name, index]
    const expected = type === 'integer' ? 'int' : type
    if (!report({ code: 'invalid_type', expected, path, message: `Must be ${what}.` })) break
  }
}

function checkTrack(track: Record<string, unknown>, context: Context): void {
  let faults = 0
  const report: Report = (issue) => {
    context.addIssue(issue)
    return ++faults < MOST_ISSUES
  }
  const points = checkPoints(track.coordinates, report)
  for (const name of Object.keys(columns) as ColumnName[]) checkColumn(name, track[name], points, report)
}

const recorded = {
  coordinates: [
    [8.5481, 47.4581, 432],
    [8.4919, 47.4702, 980],
  ],
  sourceFormat: 'gpx',
  sourceName: 'LX2084.gpx',
  times: [1746267600, 1746267642],
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
  .superRefine(checkTrack, whenObject)
  .meta({ id: 'TrackWrite', description: 'Stored whole or refused; it is never thinned.', examples: [recorded] })
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
  .meta({
    id: 'Track',
    description: 'The optional lists are present only when they were stored.',
    examples: [
      {
        flightId: 1042,
        ...recorded,
        pointCount: 2,
        createdAt: '2025-05-03T18:00:00.000Z',
        updatedAt: '2025-05-03T18:00:00.000Z',
      },
    ],
  })

/** What a flight without a track answers with too. */
export const MaybeTrack = Track.nullable().meta({ id: 'MaybeTrack', examples: [exampleOf(Track)] })
