const EARTH_RADIUS_METERS = 6371008.8

interface Place {
  latitude: number
  longitude: number
}

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** On the mean sphere (contract 4.11). */
export function distanceMeters(from: Place, to: Place): number {
  if (from.latitude === to.latitude && from.longitude === to.longitude) return 0
  const [a, b] = [radians(from.latitude), radians(to.latitude)]
  const cosine =
    Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos(radians(to.longitude) - radians(from.longitude))
  // Rounding can move the cosine out of range for identical or antipodal places.
  return EARTH_RADIUS_METERS * Math.acos(Math.max(-1, Math.min(1, cosine)))
}
