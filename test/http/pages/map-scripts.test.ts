import { geoDistance } from 'd3-geo'
import { describe, expect, test } from 'vitest'

/** The scripts of the map have no types. */
const script = (name: string) =>
  import(new URL(`../../../src/http/pages/assets/map/${name}.js`, import.meta.url).href) as Promise<
    // biome-ignore lint/suspicious/noExplicitAny: untyped
    Record<string, any>
  >

describe('the night on the globe', async () => {
  const { sunAt, nightShape } = await script('sun')
  const noon = (day: string) => new Date(`${day}T12:00:00Z`)

  test.each([
    ['2026-03-20', 0],
    ['2026-06-21', 23.4],
    ['2026-09-23', 0],
    ['2026-12-21', -23.4],
  ])('on %s the sun is overhead at latitude %d', (day, latitude) => {
    const [longitude, actual] = sunAt(noon(day))
    expect(Math.abs(actual - latitude)).toBeLessThan(0.5)
    // Within the equation of time.
    expect(Math.abs(longitude)).toBeLessThan(4.5)
  })

  test.each(['2026-03-20', '2026-06-21', '2026-12-21', '2026-11-18'])(
    'on %s it covers the places that are more than 90 degrees from the sun',
    (day) => {
      const date = new Date(`${day}T05:00:00Z`)
      const sun = sunAt(date)
      const [night] = nightShape(date).features
      for (let longitude = -175; longitude < 180; longitude += 10) {
        for (let latitude = -80; latitude <= 80; latitude += 10) {
          const angle = (geoDistance(sun, [longitude, latitude]) * 180) / Math.PI
          if (Math.abs(angle - 90) < 4) continue
          const isNight = isInside(night.geometry.coordinates[0], [longitude, latitude])
          expect([longitude, latitude, isNight]).toEqual([longitude, latitude, angle > 90])
        }
      }
    },
  )
})

/** Counts crossings of a line to the east on a flat map. */
function isInside(ring: readonly [number, number][], [x, y]: [number, number]): boolean {
  let inside = false
  for (const [index, [x1, y1]] of ring.entries()) {
    const [x2, y2] = ring.at(index - 1)!
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) * (x2 - x1)) / (y2 - y1)) inside = !inside
  }
  return inside
}

describe('lines of the interactive map', async () => {
  const { routeLines } = await script('geometry')
  const linesBetween = (from: [number, number], to: [number, number], isGlobe: boolean): [number, number][][] =>
    routeLines({ airports: [{ at: from }, { at: to }], routes: [{ ends: [0, 1], count: 1 }] }, isGlobe).features[0]
      .geometry.coordinates

  test('continue beyond 180 degrees at the antimeridian', () => {
    const [line] = linesBetween([-118.4, 33.9], [151.2, -33.9], false)
    const steps = line!.slice(1).map(([longitude], index) => Math.abs(longitude - line![index]![0]))
    expect(Math.max(...steps)).toBeLessThan(5)
    expect(line!.at(-1)![0]).toBeCloseTo(151.2 - 360, 3)
  })

  test('over a pole end at the edge of a flat map, and continue around the pole on a globe', () => {
    const [from, to]: [number, number][] = [
      [10, 70],
      [-168, 70],
    ]
    const flat = linesBetween(from!, to!, false)
    expect(flat).toHaveLength(2)
    const globe = linesBetween(from!, to!, true)
    expect(globe).toHaveLength(1)
    for (const [, latitude] of [...flat, ...globe].flat()) expect(latitude).toBeLessThanOrEqual(85.05)
  })
})
