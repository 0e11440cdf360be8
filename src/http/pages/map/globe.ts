import type { Frame } from './frame.ts'

const RADIANS = Math.PI / 180

/** Equal Earth (Šavrič, Patterson and Jenny, 2018). */
const [A1, A2, A3, A4] = [1.340264, -0.081106, 0.000893, 0.003796]
const M = Math.sqrt(3) / 2

/**
 * A point of the earth as the frame sees it. On a map of the world `turn` is the angle east of the middle, and `wide` how
 * many pixels one radian of it is at this height, so that x can wait until it is known on which side of the cut the point
 * lies. Seen from above nothing is cut, and x is known at once.
 */
export interface Seen {
  turn: number
  wide: number
  /** From 1 in the middle of the map to -1 behind the globe. */
  front: number
  x: number
  y: number
}

/**
 * The same maps as those of d3, for outlines of thousands of points: one object that is written again and again instead
 * of a chain of functions and a list for each point. The first map is drawn by code that no compiler has improved yet, and
 * there even taking two numbers from a list costs as much as a cosine.
 */
export function globeOf({ projection, isWorld }: Frame) {
  const [turnEast, turnNorth] = projection.rotate()
  const [middleX, middleY] = projection.translate()
  const scale = projection.scale()
  const [lean, angle] = [-turnNorth * RADIANS, projection.angle() * RADIANS]
  const [sinLean, cosLean] = [Math.sin(lean), Math.cos(lean)]
  const [sinAngle, cosAngle] = [Math.sin(angle) * scale, Math.cos(angle) * scale]
  const seen: Seen = { turn: 0, wide: 0, front: 0, x: 0, y: 0 }

  /** On a map of the world, by the height of the point above the equator of the map: -1 to 1. */
  function onWorld(height: number, turn: number): Seen {
    const a = Math.asin(M * height)
    const a2 = a * a
    const a6 = a2 * a2 * a2
    seen.turn = turn
    seen.wide = (scale * Math.cos(a)) / (M * (A1 + 3 * A2 * a2 + a6 * (7 * A3 + 9 * A4 * a2)))
    seen.y = middleY - scale * a * (A1 + A2 * a2 + a6 * (A3 + A4 * a2))
    return seen
  }

  function look(longitude: number, latitude: number): Seen {
    const east = (longitude + turnEast) * RADIANS
    const north = latitude * RADIANS
    const cosNorth = Math.cos(north)
    const ahead = cosNorth * Math.cos(east)
    const right = cosNorth * Math.sin(east)
    const up = Math.sin(north)
    const front = ahead * cosLean + up * sinLean
    const height = up * cosLean - ahead * sinLean
    seen.front = front
    if (isWorld) return onWorld(height, Math.atan2(right, front))
    // Lambert's azimuthal map; the point behind the globe would be a circle.
    const away = Math.sqrt(2 / Math.max(1e-9, 1 + front))
    seen.x = middleX + away * (cosAngle * right - sinAngle * height)
    seen.y = middleY - away * (sinAngle * right + cosAngle * height)
    return seen
  }

  return { isWorld, middleX, look, pole: (side: 1 | -1) => onWorld(side, 0) }
}

export type Globe = ReturnType<typeof globeOf>
