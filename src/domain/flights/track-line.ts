/** Of one track no picture needs more. */
const MOST_POINTS = 5_000
/** Two numbers of eight bytes. */
const POINT_BYTES = 16
const HEIGHT_BYTES = 4

export type PointAbove = [longitude: number, latitude: number, heightInMetres?: number]

/** The places of all points where there are few, else of every n-th and the last one. */
function placesOf(count: number, most: number): number[] {
  const step = count <= most ? 1 : Math.ceil(count / (most - 1))
  const places: number[] = []
  for (let place = 0; place < count - 1; place += step) places.push(place)
  return count === 0 ? places : [...places, count - 1]
}

/**
 * Few enough points of a track, as the bytes that are kept: their places, then their heights where any is known, and a last
 * byte that says whether there are heights. Earlier releases kept places alone, so that only their lines have an even length.
 */
export function packLine(coordinates: readonly (readonly number[])[]): Buffer {
  const points = placesOf(coordinates.length, MOST_POINTS).map((place) => coordinates[place]!)
  const hasHeights = points.some(([, , height]) => height !== undefined)
  const heightsFrom = points.length * POINT_BYTES
  const bytes = Buffer.alloc(heightsFrom + (hasHeights ? points.length * HEIGHT_BYTES : 0) + 1)
  for (const [index, [longitude = 0, latitude = 0, height = Number.NaN]] of points.entries()) {
    bytes.writeDoubleLE(longitude, index * POINT_BYTES)
    bytes.writeDoubleLE(latitude, index * POINT_BYTES + 8)
    if (hasHeights) bytes.writeFloatLE(height, heightsFrom + index * HEIGHT_BYTES)
  }
  bytes.writeUInt8(hasHeights ? 1 : 0, bytes.length - 1)
  return bytes
}

/** False for a line of an earlier release, whose heights only the whole track knows. */
export const tellsHeights = (bytes: Buffer) => bytes.length % 2 === 1

/** A line with at most so many of its points, and with the heights that it tells. */
export function unpackLine(bytes: Buffer, most: number): PointAbove[] {
  const hasHeights = tellsHeights(bytes) && bytes.at(-1) === 1
  const count = Math.floor(bytes.length / (POINT_BYTES + (hasHeights ? HEIGHT_BYTES : 0)))
  return placesOf(count, most).map((place) => {
    const point: PointAbove = [bytes.readDoubleLE(place * POINT_BYTES), bytes.readDoubleLE(place * POINT_BYTES + 8)]
    const height = hasHeights ? bytes.readFloatLE(count * POINT_BYTES + place * HEIGHT_BYTES) : Number.NaN
    if (!Number.isNaN(height)) point.push(height)
    return point
  })
}
