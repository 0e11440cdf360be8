const RADIANS = Math.PI / 180
const MS_PER_DAY = 86_400_000
/** Noon of 1 January 2000. */
const EPOCH = Date.UTC(2000, 0, 1, 12)

/** The place where the sun is overhead, to about a degree. */
export function sunAt(date) {
  const days = (date.getTime() - EPOCH) / MS_PER_DAY
  const anomaly = (357.529 + 0.98560028 * days) * RADIANS
  const meanLongitude = 280.459 + 0.98564736 * days
  const longitude = (meanLongitude + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly)) * RADIANS
  const tilt = 23.439 * RADIANS
  const ascension = Math.atan2(Math.cos(tilt) * Math.sin(longitude), Math.cos(longitude)) / RADIANS
  const latitude = Math.asin(Math.sin(tilt) * Math.sin(longitude)) / RADIANS
  const siderealDegrees = 280.46061837 + 360.98564736629 * days
  const east = (((ascension - siderealDegrees) % 360) + 540) % 360
  return [east - 180, latitude]
}

/** At the equinoxes the edge of the night is a meridian, which is no function of the longitude. */
const MIN_TILT = 0.2

/** The half of the earth that the sun does not reach, and its edge. */
export function nightShape(date) {
  const [sun, tilt] = sunAt(date)
  const latitude = Math.abs(tilt) < MIN_TILT ? MIN_TILT * (tilt < 0 ? -1 : 1) : tilt
  const edge = Array.from({ length: 181 }, (_, index) => {
    const longitude = index * 2 - 180
    const hour = (longitude - sun) * RADIANS
    return [longitude, Math.atan(-Math.cos(hour) / Math.tan(latitude * RADIANS)) / RADIANS]
  })
  const pole = latitude > 0 ? -90 : 90
  const ring = [...edge, [180, pole], [-180, pole], edge[0]]
  const feature = (type, coordinates) => ({ type: 'Feature', properties: {}, geometry: { type, coordinates } })
  return {
    type: 'FeatureCollection',
    features: [feature('Polygon', [latitude > 0 ? ring.toReversed() : ring]), feature('LineString', edge)],
  }
}
