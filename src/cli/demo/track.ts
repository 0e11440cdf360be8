interface Place {
  latitude: number
  longitude: number
}

const POINTS = 160
const CRUISE_METERS = 11_300
const radians = (degrees: number) => (degrees * Math.PI) / 180
const degrees = (angle: number) => (angle * 180) / Math.PI
const rounded = (value: number) => Math.round(value * 1e5) / 1e5

type Vector = [number, number, number]

function vectorOf({ latitude, longitude }: Place): Vector {
  const [lat, lon] = [radians(latitude), radians(longitude)]
  return [Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)]
}

/** Climbs in the first eighth of the way, descends in the last sixth. */
function altitudeAt(part: number): number {
  const climb = Math.min(1, part * 8, (1 - part) * 6)
  return Math.round(CRUISE_METERS * Math.sin((climb * Math.PI) / 2))
}

/** The great circle between two airports as if a receiver had heard it, from take-off to landing. */
export function greatCircleTrack(from: Place, to: Place, takeoff: number, landing: number, name: string) {
  const [a, b] = [vectorOf(from), vectorOf(to)]
  const angle = Math.acos(Math.max(-1, Math.min(1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2])))
  const parts = Array.from({ length: POINTS }, (_, index) => index / (POINTS - 1))
  const coordinates = parts.map((part) => {
    const [near, far] = [Math.sin((1 - part) * angle) / Math.sin(angle), Math.sin(part * angle) / Math.sin(angle)]
    const [x, y, z] = [0, 1, 2].map((axis) => a[axis]! * near + b[axis]! * far) as Vector
    const longitude = degrees(Math.atan2(y, x))
    const latitude = degrees(Math.atan2(z, Math.hypot(x, y)))
    return [rounded(longitude), rounded(latitude), altitudeAt(part)]
  })
  const times = parts.map((part) => Math.round((takeoff + (landing - takeoff) * part) / 1000))
  return { coordinates, times, sourceFormat: 'readsb' as const, sourceName: `${name}.json` }
}
