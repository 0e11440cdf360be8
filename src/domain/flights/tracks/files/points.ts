import { AppError } from '../../../../lib/errors.ts'
import { english } from '../../../../messages/english.ts'
import { MAX_POINTS, type TrackWrite } from '../contract.ts'

export interface FilePoint {
  latitude: number
  longitude: number
  altitude?: number | undefined
  time?: number | undefined
  groundSpeedKt?: number | undefined
  trackDeg?: number | undefined
  ground?: boolean | undefined
  estimated?: boolean | undefined
}

type Columns = Omit<TrackWrite, 'sourceFormat' | 'sourceName'>

export const unreadable = (sentence: string) => new AppError('bad_request', sentence)

const METRES_PER_FOOT = 0.3048
export const KNOTS_PER_METRE_PER_SECOND = 3600 / 1852

export const rounded = (value: number, digits: number) => Number(value.toFixed(digits))
export const metresOfFeet = (feet: number) => rounded(feet * METRES_PER_FOOT, 1)

export function numberIn(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 40 || text.trim() === '') return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

const ZONED = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|[+-]\d\d:?\d\d)?$/

/** Unix seconds from seconds, milliseconds, or a date and time. UTC is the default. */
export function secondsIn(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 40) return undefined
  const value = text.trim()
  if (/^\d{9,13}(\.\d+)?$/.test(value))
    return Math.floor(value.split('.')[0]!.length > 11 ? Number(value) / 1000 : Number(value))
  const match = ZONED.exec(value)
  if (!match) return undefined
  const [, day, clock, offset = 'Z'] = match
  const zone = offset === 'UTC' ? 'Z' : offset.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  const milliseconds = Date.parse(`${day}T${clock}${zone}`)
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000)
}

const columnNames = {
  time: 'times',
  groundSpeedKt: 'groundSpeedKt',
  trackDeg: 'trackDeg',
  ground: 'ground',
  estimated: 'estimated',
} as const

/** A column is present if every point has a value. */
export function columnsOf(points: readonly FilePoint[]): Columns {
  if (points.length < 2) throw unreadable(english.tracks.noTrack)
  const coordinates = points.map(({ longitude, latitude, altitude }) =>
    altitude === undefined ? [longitude, latitude] : [longitude, latitude, altitude],
  )
  const columns: Record<string, unknown> = { coordinates }
  for (const [name, column] of Object.entries(columnNames) as [keyof typeof columnNames, string][]) {
    if (points.every((point) => point[name] !== undefined)) columns[column] = points.map((point) => point[name])
  }
  return columns as Columns
}

/** Throws for an invalid position and for too many points. */
export function pointList() {
  const points: FilePoint[] = []
  return {
    points,
    add(point: FilePoint): void {
      const { latitude, longitude } = point
      if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
        throw unreadable(english.tracks.pointPosition({ point: points.length + 1 }))
      }
      if (points.length === MAX_POINTS) throw unreadable(english.tracks.tooManyPoints({ max: MAX_POINTS }))
      points.push(point)
    },
  }
}
