import type { MapPlace, MapRoute } from '../../src/http/pages/maps/plan.ts'

/** Latitude and longitude of distant airports. */
const coordinates = {
  AKL: [-37.01, 174.79],
  ARN: [59.65, 17.92],
  ATH: [37.94, 23.94],
  BCN: [41.3, 2.08],
  CDG: [49.01, 2.55],
  CPH: [55.62, 12.66],
  DEL: [28.57, 77.1],
  DXB: [25.25, 55.36],
  GRU: [-23.43, -46.47],
  HKG: [22.31, 113.91],
  HNL: [21.32, -157.92],
  JFK: [40.64, -73.78],
  JNB: [-26.14, 28.25],
  LAX: [33.94, -118.41],
  LGA: [40.78, -73.87],
  LGW: [51.15, -0.19],
  LHR: [51.47, -0.46],
  LIS: [38.78, -9.14],
  NAN: [-17.76, 177.44],
  NRT: [35.76, 140.39],
  SCL: [-33.39, -70.79],
  SFO: [37.62, -122.37],
  SIN: [1.35, 103.99],
  STN: [51.88, 0.24],
  SYD: [-33.95, 151.18],
  ZRH: [47.46, 8.55],
} as const
type Code = keyof typeof coordinates

export const spot = (code: string, latitude: number, longitude: number): MapPlace => ({
  code,
  name: `${code} Airport`,
  municipality: null,
  latitude,
  longitude,
})

function place(code: Code): MapPlace {
  const [latitude, longitude] = coordinates[code]
  return spot(code, latitude, longitude)
}

/** `LAX-SYD` once, `LAX-SYD-3` three times, separated by spaces. */
export function routes(text: string): MapRoute[] {
  return text.split(' ').map((part) => {
    const [from, to, count = '1'] = part.split('-') as [Code, Code, string?]
    return { from: place(from), to: place(to), count: Number(count) }
  })
}

/** Pseudorandom routes all over the world. */
export function manyRoutes(count: number): MapRoute[] {
  let seed = 7
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const places = Array.from({ length: 250 }, (_, index) => spot(`A${index}`, random() * 130 - 60, random() * 360 - 180))
  const pick = () => places[Math.floor(random() * places.length)]!
  return Array.from({ length: count }, () => ({ from: pick(), to: pick(), count: 1 + Math.floor(random() * 9) }))
}
