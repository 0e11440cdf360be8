import { gzipSync } from 'node:zlib'
import { geoInterpolate } from 'd3-geo'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { LocalizationContext } from '../../../src/http/pages/framework/localization.ts'
import { drawMap, type MapDrawing } from '../../../src/http/pages/maps/draw.ts'
import { pictureOf } from '../../../src/http/pages/maps/picture.tsx'
import type { MapRoute } from '../../../src/http/pages/maps/plan.ts'
import { mapDescription, RouteMap } from '../../../src/http/pages/maps/route-map.tsx'
import { textsIn } from '../../../src/http/pages/texts/languages.ts'
import { manyRoutes, routes, spot } from '../../support/routes.ts'

const drawn = async (list: readonly MapRoute[], tracks: [number, number][][] = []) => (await drawMap(list, tracks))!
const texts = textsIn('en')
const svgOf = (drawing: MapDrawing) =>
  renderToString(h(LocalizationContext, { value: { language: 'en', texts } }, h(RouteMap, { drawing })))

type Position = [number, number]

/** Returns the lines of a path that consists of M and relative l commands. */
function linesOf(path: string): [number, number][][] {
  return [...path.matchAll(/M([^Ml]+)l([^Mz]+)/g)].map(([, start, steps]) => {
    const numbers = (text: string) => text.match(/-?(?:\d+\.?\d*|\.\d+)/g)!.map(Number)
    let [x, y] = numbers(start!) as [number, number]
    const line: [number, number][] = [[x, y]]
    const list = numbers(steps!)
    for (let index = 0; index < list.length; index += 2) {
      x += list[index]!
      y += list[index + 1]!
      line.push([x, y])
    }
    return line
  })
}

const legLines = ({ legs }: MapDrawing) => legs.flatMap(({ path }) => linesOf(path))
const near = ([x, y]: readonly [number, number], other: { x: number; y: number }) =>
  Math.hypot(x - other.x, y - other.y) < 1
const airportOf = ({ airports }: MapDrawing, code: string) => airports.find((airport) => airport.code === code)!

/** Returns the longest distance that a line runs along the upper or lower edge, which polar routes must not do. */
function alongEdge(drawing: MapDrawing): number {
  const atEdge = (y: number) => y < 15 || y > drawing.height - 15
  const lengths = legLines(drawing).map((line) =>
    line.reduce((sum, [x, y], index) => {
      const [beforeX, beforeY] = line[Math.max(0, index - 1)]!
      return atEdge(y) && atEdge(beforeY) ? sum + Math.abs(x - beforeX) : sum
    }, 0),
  )
  return Math.max(...lengths)
}

const airportAt = (code: string): [number, number] => {
  const { longitude, latitude } = routes(`${code}-ZRH`)[0]!.from
  return [longitude, latitude]
}

/** Returns the distance from a point to a line segment. */
function distance([x, y]: Position, [ax, ay]: Position, [bx, by]: Position): number {
  const [dx, dy] = [bx - ax, by - ay]
  const part = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)))
  return Math.hypot(x - ax - part * dx, y - ay - part * dy)
}

const europe = 'ZRH-LHR-14 ZRH-LIS-8 ZRH-CPH-5 CPH-ARN-2 ZRH-BCN-3 ZRH-ATH-1 LHR-CDG-2'
const world = `${europe} LHR-JFK-9 JFK-LAX-4 LHR-SIN-3 SIN-SYD-4 LIS-GRU-3 LHR-JNB-2 ZRH-NRT-1 ZRH-DXB-4`

describe('route lines', () => {
  const cases = ['LAX-SYD', 'NRT-LAX', 'SCL-AKL', 'DXB-LAX', 'LHR-JFK', 'NAN-HNL', 'SYD-SCL', 'JFK-HKG', 'ZRH-LIS']
  test.each(cases)('%s is one line from airport to airport inside the map, also across the date line', async (name) => {
    const map = await drawn(routes(name))
    const lines = legLines(map)
    expect(lines.length).toBe(1)
    const [first, last] = [lines[0]![0]!, lines[0]!.at(-1)!]
    const ends = name.split('-').map((code) => airportOf(map, code))
    expect(ends.some((end) => near(first, end))).toBe(true)
    expect(ends.some((end) => near(last, end))).toBe(true)
    for (const [x, y] of lines[0]!) {
      expect([x > 0 && x < map.width, y > 0 && y < map.height]).toEqual([true, true])
    }
  })

  test('across the Pacific are not cut if the whole log is there', async () => {
    const map = await drawn(routes('LAX-SYD-3 NRT-LAX-4 HNL-AKL AKL-SYD-5 NAN-LAX HNL-SFO-2 NRT-HNL'))
    expect(legLines(map).length).toBe(7)
  })

  test('that leave a world map on one side continue on the other', async () => {
    const map = await drawn(routes(`${world} LAX-NRT LHR-DEL DEL-HKG HKG-NRT`))
    const cut = legLines(map).length - map.lines.length
    expect(cut).toBe(1)
    const ends = legLines(map)
      .flatMap((line) => [line[0]!, line.at(-1)!])
      .filter((end) => !map.airports.some((airport) => near(end, airport)))
    expect(ends.length).toBe(2)
    const [west, east] = ends.map(([x]) => x).sort((a, b) => a - b) as [number, number]
    expect([west < 250, east > 750]).toEqual([true, true])
    expect(Math.abs(ends[0]![1] - ends[1]![1])).toBeLessThan(2)
  })

  test('over a pole do not run along the edge, alone, together or in a worldwide log', async () => {
    for (const list of [
      'DXB-LAX',
      'JFK-HKG',
      'DXB-LAX JFK-HKG DEL-SFO',
      'SCL-AKL SYD-SCL SYD-JNB',
      `${world} DXB-LAX JFK-HKG`,
      'DXB-LAX JFK-HKG DEL-SFO LHR-JFK LHR-SIN SIN-SYD SYD-SCL GRU-LIS JNB-LHR',
    ]) {
      expect([list, alongEdge(await drawn(routes(list))) < 120]).toEqual([list, true])
    }
  })

  test('over a pole leave a flat map at its upper edge, and are whole on a globe', async () => {
    const flat = (await drawMap(routes(`${world} DXB-LAX-2`), [], { projection: 'flat' }))!
    const loose = legLines(flat)
      .flatMap((line) => [line[0]!, line.at(-1)!])
      .filter((end) => !flat.airports.some((airport) => near(end, airport)))
    expect(loose.map(([, y]) => y < 0)).toEqual([true, true])
    const globe = (await drawMap(routes('DXB-LAX-2'), [], { projection: 'globe' }))!
    const [line] = legLines(globe)
    const ends = ['DXB', 'LAX'].map((code) => airportOf(globe, code))
    expect(ends.every((end) => [line![0]!, line!.at(-1)!].some((one) => near(one, end)))).toBe(true)
  })

  test.each([30, 120, 900, 5000])('match a track of %i points along the same route', async (count) => {
    const [from, to] = [airportAt('LHR'), airportAt('JFK')]
    const steps = Array.from({ length: count }, (_, index) => geoInterpolate(from, to)(index / (count - 1)))
    const map = await drawn(routes(world), [steps])
    const joins = (line: Position[], code: string) =>
      [line[0]!, line.at(-1)!].some((end) => near(end, airportOf(map, code)))
    const line = legLines(map).find((each) => joins(each, 'LHR') && joins(each, 'JFK'))!
    const flown = linesOf(map.tracks)[0]!
    const deviations = line.map((spot) =>
      Math.min(...flown.slice(1).map((end, index) => distance(spot, flown[index]!, end))),
    )
    expect(Math.max(...deviations)).toBeLessThan(0.6)
  })

  test('are thicker the more often they were flown, in both directions', async () => {
    const map = await drawn(routes('ZRH-LIS-3 LIS-ZRH-5 ZRH-LHR ZRH-CPH-40'))
    expect(map.legs.map(({ size, path }) => [size, linesOf(path).length])).toEqual([
      [1, 1],
      [4, 1],
      [5, 1],
    ])
    expect(map.lines.map(({ count }) => count)).toEqual([40, 8, 1])
    expect(airportOf(map, 'ZRH').size).toBeGreaterThan(airportOf(map, 'LHR').size)
  })
})

describe('view', () => {
  /** Returns the distance between two airports as a fraction of the width. */
  async function distanceBetween(list: string, a: string, b: string) {
    const map = await drawn(routes(list))
    const [first, second] = [airportOf(map, a), airportOf(map, b)]
    return Math.hypot(first.x - second.x, first.y - second.y) / map.width
  }

  test('covers the area of the log', async () => {
    expect(await distanceBetween(europe, 'LIS', 'ARN')).toBeGreaterThan(0.45)
    expect(await distanceBetween(world, 'LIS', 'ARN')).toBeLessThan(0.2)
    expect(await distanceBetween('LHR-STN LGW-STN', 'LGW', 'STN')).toBeLessThan(0.2)
  })

  test('shows land, with more detail in a smaller area', async () => {
    const [near, distant] = [await drawn(routes(europe)), await drawn(routes(world))]
    expect(near.base.land.length).toBeGreaterThan(10_000)
    expect(distant.base.land.length).toBeGreaterThan(10_000)
    expect(linesOf(`${near.base.land}`).length).toBeGreaterThan(50)
  })
})

describe('labels', () => {
  test.each([
    ['a worldwide log', routes(world)],
    ['three airports of one city', routes('LHR-JFK-4 LGW-LGA-2 STN-JFK')],
    ['300 routes', manyRoutes(300)],
  ])('never overlap each other or the edge: %s', async (_name, list) => {
    const { labels, width, height } = await drawn(list)
    for (const set of [labels.wide, labels.narrow]) {
      expect(set.length).toBeGreaterThan(1)
      for (const [index, { box }] of set.entries()) {
        expect(box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height).toBe(true)
        for (const { box: other } of set.slice(index + 1)) {
          const isOverlapping =
            box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom
          expect(isOverlapping).toBe(false)
        }
      }
    }
  })

  test('name the most visited airports first, and fewer fit on a phone', async () => {
    const { labels } = await drawn(routes(world))
    expect(labels.wide.slice(0, 2).map(({ text }) => text)).toEqual(['ZRH', 'LHR'])
    expect(labels.narrow.length).toBeLessThan(labels.wide.length)
  })
})

describe('description', () => {
  test('has the number of routes and airports and the most flown route', async () => {
    const map = await drawn(routes(europe))
    expect(svgOf(map)).toContain('<title id="map-title">Map of 7 routes</title>')
    expect(mapDescription(map, texts)).toBe(
      '7 routes between 8 airports on a map of the earth. Most flown: LHR – ZRH, 14 times.',
    )
  })

  test('mentions that only the most flown routes are drawn', async () => {
    const map = await drawn(manyRoutes(5000))
    expect(map.lines.length).toBe(400)
    expect(mapDescription(map, texts)).toContain('Shows the 400 most flown.')
    const drawnLeast = map.lines.at(-1)!.count
    expect(drawnLeast).toBeGreaterThan(4)
  })

  test('is escaped', async () => {
    const evil = { ...spot('<A>', 10, 10), name: '"><script>' }
    const svg = svgOf(await drawn([{ from: evil, to: spot('B', 20, 20), count: 2 }]))
    expect(svg).not.toMatch(/<script|<A>/)
    expect(svg).toContain('&lt;A>')
  })
})

describe('unusual logs', () => {
  const picture = { format: 'card', title: 'Map', subtitle: '', figures: [] } as const
  const north = spot('NPL', 90, 0)
  const cases: [string, MapRoute[], number][] = [
    ['a flight that returns to its airport', routes('ZRH-ZRH-3'), 0],
    ['antipodes', [{ from: spot('A', 40, -4), to: spot('B', -40, 176), count: 1 }], 1],
    ['antipodes on the equator', [{ from: spot('A', 0, 0), to: spot('B', 0, 180), count: 1 }], 1],
    ['pole to pole', [{ from: north, to: spot('SPL', -90, 0), count: 1 }], 1],
    ['both poles and other places', [...routes(world), { from: north, to: spot('SPL', -90, 0), count: 1 }], 15],
    ['a pole', [{ from: north, to: spot('B', 60, 10), count: 1 }], 1],
    ['along the date line', [{ from: spot('A', 20, 180), to: spot('B', -20, -180), count: 1 }], 1],
    ['longitudes 180 and -180', [{ from: spot('A', 20, 180), to: spot('B', 20, -180), count: 1 }], 0],
    ['places a few metres apart', [{ from: spot('A', 20, 20), to: spot('B', 20.00001, 20), count: 1 }], 0],
  ]
  test.each(cases)('%s: can be drawn and rendered as PNG', async (_name, list, minLines) => {
    const map = await drawn(list)
    expect(legLines(map).length).toBeGreaterThanOrEqual(minLines)
    expect(svgOf(map)).not.toMatch(/NaN|Infinity|undefined|null/)
    for (const { x, y } of map.airports) {
      expect([x >= 0 && x <= map.width, y >= 0 && y <= map.height]).toEqual([true, true])
    }
    expect((await pictureOf({ ...picture, routes: list }))!.length).toBeGreaterThan(1000)
  })

  test('an empty log has no map', async () => {
    expect(await drawMap([])).toBeUndefined()
  })

  test('a track extends the view', async () => {
    const plain = await drawn(routes('ZRH-LIS'))
    const detour = await drawn(routes('ZRH-LIS'), [
      [
        [8.5, 47.5],
        [20, 20],
        [-9.1, 38.8],
      ],
    ])
    expect([plain.tracks, linesOf(detour.tracks).length]).toEqual(['', 1])
    for (const [x, y] of linesOf(detour.tracks)[0]!) {
      expect([x > 0 && x < detour.width, y > 0 && y < detour.height]).toEqual([true, true])
    }
  })
})

test('a map with 300 routes is smaller than 50 kB compressed', async () => {
  const svg = svgOf(await drawn(manyRoutes(300)))
  expect(svg).not.toMatch(/NaN|Infinity/)
  expect(gzipSync(svg).length).toBeLessThan(50_000)
})
