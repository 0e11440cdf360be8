import { type GeoProjection, type GeoRawProjection, geoProjection } from 'd3-geo'

const raw: GeoRawProjection = (longitude, latitude) => [
  longitude,
  1.25 * Math.log(Math.tan(Math.PI / 4 + 0.4 * latitude)),
]
raw.invert = (x, y) => [x, 2.5 * Math.atan(Math.exp(0.8 * y)) - 0.625 * Math.PI]

/** Miller's map of the world: wide open at the poles, so that ways over them are arcs and not cut off, and yet not endless. */
export const geoMiller = (): GeoProjection => geoProjection(raw)
