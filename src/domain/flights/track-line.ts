/** Of one track no picture needs more. */
const MOST_POINTS = 5_000
/** Two numbers of eight bytes. */
const POINT_BYTES = 16

type Point = [longitude: number, latitude: number]

/** The places of all points where there are few, else of every n-th and the last one. */
export function placesOf(count: number, most: number): number[] {
  const step = count <= most ? 1 : Math.ceil(count / (most - 1))
  const places: number[] = []
  for (let place = 0; place < count - 1; place += step) places.push(place)
  return count === 0 ? places : [...places, count - 1]
}

/** Few enough points of a track, as the bytes that are kept. */
export function packLine(coordinates: readonly (readonly number[])[]): Buffer {
  const places = placesOf(coordinates.length, MOST_POINTS)
  const bytes = Buffer.alloc(places.length * POINT_BYTES)
  for (const [index, place] of places.entries()) {
    const [longitude = 0, latitude = 0] = coordinates[place]!
    bytes.writeDoubleLE(longitude, index * POINT_BYTES)
    bytes.writeDoubleLE(latitude, index * POINT_BYTES + 8)
  }
  return bytes
}

/** A line with at most so many of its points. */
export const unpackLine = (bytes: Buffer, most: number): Point[] =>
  placesOf(bytes.length / POINT_BYTES, most).map((place) => [
    bytes.readDoubleLE(place * POINT_BYTES),
    bytes.readDoubleLE(place * POINT_BYTES + 8),
  ])
