import * as z from 'zod'
import { choice, exampleOf, Id, Instant, text, whenObject } from '../../../contract/common.ts'
import { english } from '../../../messages/english.ts'

export const MAX_POINTS = 100_000
const MAX_ISSUES = 50
const sourceFormats = ['gpx', 'kml', 'csv', 'readsb'] as const
const SourceFormat = choice(sourceFormats)

export const columns = {
  times: {
    type: 'integer',
    isItem: Number.isSafeInteger,
    what: 'a whole number of Unix seconds',
    message: english.tracks.seconds,
  },
  groundSpeedKt: { type: 'number', isItem: Number.isFinite, what: 'a number of knots', message: english.tracks.knots },
  trackDeg: { type: 'number', isItem: Number.isFinite, what: 'a number of degrees', message: english.tracks.degrees },
  ground: {
    type: 'boolean',
    isItem: (item: unknown) => typeof item === 'boolean',
    what: 'true or false',
    message: english.input.boolean,
  },
  estimated: {
    type: 'boolean',
    isItem: (item: unknown) => typeof item === 'boolean',
    what: 'true or false',
    message: english.input.boolean,
  },
} as const
export type ColumnName = keyof typeof columns

const Points = z.unknown().meta({
  override: {
    type: 'array',
    minItems: 2,
    maxItems: MAX_POINTS,
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

const isPoint = (point: unknown): boolean =>
  Array.isArray(point) &&
  (point.length === 2 || (point.length === 3 && Number.isFinite(point[2]))) &&
  within(point[0], 180) &&
  within(point[1], 90)

type Context = z.RefinementCtx<Record<string, unknown>>
type Issue = Parameters<Context['addIssue']>[0]

type PlainIssue = Exclude<Issue, string>
type Path = (string | number)[]

const notAList = (path: Path, message = english.input.list) =>
  ({ code: 'invalid_type', expected: 'array', path, message }) as const

const wrongSize = (length: number, [min, max]: readonly [number, number], path: Path) =>
  length < min
    ? ({ code: 'too_small', minimum: min, origin: 'array', inclusive: true, path } as const)
    : ({ code: 'too_big', maximum: max, origin: 'array', inclusive: true, path } as const)

function* pointIssues(point: unknown, path: Path): Generator<PlainIssue> {
  if (!Array.isArray(point)) yield notAList(path, english.tracks.point)
  else if (point.length < 2 || point.length > 3) yield wrongSize(point.length, [2, 3], path)
  else
    for (const [index, value] of point.entries()) {
      const limit = [180, 90][index]
      const at = { origin: 'number', inclusive: true, path: [...path, index] }
      if (!Number.isFinite(value)) yield { code: 'invalid_type', expected: 'number', path: at.path }
      else if (limit !== undefined && value < -limit) yield { code: 'too_small', minimum: -limit, ...at }
      else if (limit !== undefined && value > limit) yield { code: 'too_big', maximum: limit, ...at }
    }
}

function* columnIssues(name: ColumnName, values: unknown, pointCount: number | undefined): Generator<PlainIssue> {
  const { type, isItem, message } = columns[name]
  if (!Array.isArray(values)) yield notAList([name])
  else if (pointCount === undefined) return
  else if (values.length !== pointCount)
    yield { code: 'custom', path: [name], message: english.tracks.sameLength({ count: pointCount }) }
  else
    for (let index = 0; index < values.length; index++) {
      if (isItem(values[index])) continue
      const expected = type === 'integer' ? 'int' : type
      yield { code: 'invalid_type', expected, path: [name, index], message }
    }
}

/** Plain loops: zod schemas would block the event loop for 100 000 points. */
function* trackIssues(track: Record<string, unknown>): Generator<PlainIssue> {
  const { coordinates: points } = track
  const pointCount = Array.isArray(points) ? points.length : undefined
  // The object schema reports missing coordinates.
  if (!Array.isArray(points)) {
    if (points !== undefined) yield notAList(['coordinates'])
  } else if (points.length < 2 || points.length > MAX_POINTS)
    yield wrongSize(points.length, [2, MAX_POINTS], ['coordinates'])
  else
    for (let index = 0; index < points.length; index++)
      if (!isPoint(points[index])) yield* pointIssues(points[index], ['coordinates', index])
  for (const name of Object.keys(columns) as ColumnName[])
    if (track[name] !== undefined) yield* columnIssues(name, track[name], pointCount)
}

function checkTrack(track: Record<string, unknown>, context: Context): void {
  for (const issue of trackIssues(track).take(MAX_ISSUES)) context.addIssue(issue)
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
  .meta({ id: 'TrackWrite', description: 'Stored completely or rejected; never simplified.', examples: [recorded] })
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

export const MaybeTrack = Track.nullable().meta({ id: 'MaybeTrack', examples: [exampleOf(Track)] })
