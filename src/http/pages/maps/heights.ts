import type { LinePoint } from '../../../domain/flights/tracks/packing.ts'
import type { Point } from '../../../lib/sphere.ts'

/** A part of a track in one colour; `band` is undefined without altitudes. */
export interface HeightPart {
  band: number | undefined
  line: Point[]
}

/** The steps are the lower bounds of all colours but the first. */
export const heightScales = {
  m: { unit: 'm', steps: [1000, 3000, 6000, 9000], metres: 1 },
  ft: { unit: 'ft', steps: [3000, 10_000, 20_000, 30_000], metres: 0.3048 },
} as const
type HeightScale = (typeof heightScales)[keyof typeof heightScales]

const bandOf = (height: number, { steps, metres }: HeightScale) =>
  steps.filter((step) => height >= step * metres).length

/** Splits a track by the colours of its altitudes; empty without altitudes. */
export function heightParts(track: readonly LinePoint[], scale: HeightScale): HeightPart[] {
  if (track.every(([, , height]) => height === undefined)) return []
  const parts: HeightPart[] = []
  for (const [index, [longitude, latitude, height]] of track.slice(1).entries()) {
    const [x, y, before] = track[index]!
    const band = height === undefined || before === undefined ? undefined : bandOf((height + before) / 2, scale)
    const last = parts.at(-1)
    if (last && last.band === band) last.line.push([longitude, latitude])
    else parts.push({ band, line: [[x, y], [longitude, latitude]] }) // biome-ignore format: two points
  }
  return parts
}
