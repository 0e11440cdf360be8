import type { LinePoint } from '../../../domain/flights/tracks/packing.ts'
import type { Point } from '../../../lib/sphere.ts'

/** A piece of a track that has one colour; none where the height is not known. */
export interface HeightPart {
  band: number | undefined
  line: Point[]
}

/** The steps in which heights are told apart: round in the unit in which they are read. */
export interface HeightScale {
  unit: 'm' | 'ft'
  /** From each of these on, a colour of its own; below the first is the first colour. */
  steps: readonly number[]
  metres: number
}

export const heightScales = {
  m: { unit: 'm', steps: [1000, 3000, 6000, 9000], metres: 1 },
  ft: { unit: 'ft', steps: [3000, 10_000, 20_000, 30_000], metres: 0.3048 },
} as const satisfies Record<string, HeightScale>

const bandOf = (height: number, { steps, metres }: HeightScale) =>
  steps.filter((step) => height >= step * metres).length

/** The track in pieces of equal colour, each beginning where the one before ends; nothing where no height is known. */
export function heightParts(track: readonly LinePoint[], scale: HeightScale): HeightPart[] {
  if (track.every(([, , height]) => height === undefined)) return []
  const parts: HeightPart[] = []
  for (const [index, [longitude, latitude, height]] of track.slice(1).entries()) {
    const [x, y, before] = track[index]!
    // Between two points it is halfway.
    const band = height === undefined || before === undefined ? undefined : bandOf((height + before) / 2, scale)
    const last = parts.at(-1)
    if (last?.band === band && last) last.line.push([longitude, latitude])
    else parts.push({ band, line: [[x, y], [longitude, latitude]] }) // biome-ignore format: two points
  }
  return parts
}
