import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pictureOf } from '../../../src/http/pages/maps/picture.tsx'
import { colours } from '../../../src/http/pages/maps/picture-map.tsx'
import { type PictureFormat, pictureFormats } from '../../../src/http/pages/maps/plan.ts'
import { decodePng } from '../../support/png.ts'
import { routes } from '../../support/routes.ts'

const figures: [string, string][] = [
  ['flown', '31,469 km'],
  ['flights', '10'],
  ['airports', '6'],
]
const texts = { title: '2025', subtitle: 'In flights', figures }
const sizes = { story: [1080, 1920], square: [1080, 1080], card: [1200, 630] }
/** Where the map is. */
const boxes = {
  story: { left: 0, top: 420, width: 1080, height: 940 },
  square: { left: 0, top: 150, width: 1080, height: 640 },
  card: { left: 380, top: 0, width: 820, height: 630 },
}

const region = 'ZRH-LHR-14 ZRH-LIS-8 ZRH-CPH-5 CPH-ARN-2 ZRH-BCN-3 ZRH-ATH-1'
const world = 'ZRH-LHR-14 LHR-JFK-9 JFK-LAX-4 LHR-SIN-3 SIN-SYD-4 LIS-GRU-3 LHR-JNB-2 ZRH-NRT-1 ZRH-DXB-4'

async function rendered(format: PictureFormat, list: string, more: Partial<typeof texts> = {}) {
  const png = await pictureOf({ format, ...texts, ...more, routes: routes(list) })
  return decodePng(png!)
}

/** Gradients are not exact. */
const isGround = (colour: readonly number[]) =>
  [...Buffer.from(colours.ground.slice(1), 'hex')].every((part, index) => Math.abs(part - colour[index]!) <= 3)

describe('pictures', () => {
  test('have the dark colours of the style sheet', () => {
    const sheet = readFileSync(join(import.meta.dirname, '../../../src/http/pages/framework/tokens.css'), 'utf8')
    const dark = Object.keys(colours).map((name) => [
      name,
      new RegExp(`--${name}: light-dark\\([^,]+, (#[0-9a-f]{6})`).exec(sheet)?.[1],
    ])
    expect(Object.fromEntries(dark)).toEqual(colours)
  })

  test.each(pictureFormats)('%s has its size, a large figure in the accent colour and plain edges', async (format) => {
    const { width, height, extentOf, colourAt } = await rendered(format, region)
    expect([width, height]).toEqual(sizes[format])
    const { top, bottom } = extentOf(colours.warm)
    expect(bottom - top).toBeGreaterThan(40)
    for (let y = 0; y < height; y++)
      expect([isGround(colourAt(0, y)), isGround(colourAt(width - 1, y))]).toEqual([true, true])
  })

  test.each([
    ['story', 'one region', region],
    ['square', 'one route', 'ZRH-LIS-1'],
    ['story', 'two continents', 'ZRH-JFK-4 JFK-LAX-2 ZRH-CPH-5'],
    ['card', 'routes over the pole', 'CPH-ZRH-2 ZRH-SFO-2 SFO-HNL-2 CPH-ARN-2'],
    ['square', 'the north and the south', 'ZRH-JNB-2 ZRH-CPH-3 ZRH-GRU-1'],
    ['card', 'the world', world],
  ] as const)('%s with %s: the routes fill the map', async (format, _name, list) => {
    // Only airports and their codes have this colour.
    const { left, top, right, bottom } = (await rendered(format, list)).extentOf(colours.airport)
    const box = boxes[format]
    expect(Math.max((right - left) / box.width, (bottom - top) / box.height)).toBeGreaterThan(0.7)
    expect(Math.abs((left + right) / 2 - box.left - box.width / 2) / box.width).toBeLessThan(0.15)
    expect(Math.abs((top + bottom) / 2 - box.top - box.height / 2) / box.height).toBeLessThan(0.15)
    expect([left >= box.left, right < box.left + box.width]).toEqual([true, true])
    expect([top >= box.top, bottom < box.top + box.height]).toEqual([true, true])
  })

  test('shrink texts that are too wide', async () => {
    const long: [string, string][] = [['flown', '1,234,567,890,123,456 nautical miles']]
    expect((await rendered('card', region, { figures: long })).extentOf(colours.warm).right).toBeLessThan(420)
  })

  test('need at least one route', async () => {
    expect(await pictureOf({ format: 'card', ...texts, routes: [] })).toBeUndefined()
  })
})
