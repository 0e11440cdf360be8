import { expect, test } from 'vitest'
import { listsOf, packTrack, unpackLists } from '../../../src/domain/flights/tracks/packing.ts'
import { seeded } from '../../support/random.ts'

const { next } = seeded(5)
const numbers = (count: number, make: () => unknown) => Array.from({ length: count }, make)

/** Random numbers with all notations of JSON. */
const number = () => [0, -0.5, 1e-7, 1.5e300, next() * 360 - 180, Math.round(next() * 1e9)][Math.floor(next() * 6)]!

test.each([2, 3, 30_000])('a track of %i points is read in chunks exactly as stored', async (count) => {
  const track = {
    sourceFormat: 'gpx' as const,
    sourceName: null,
    coordinates: numbers(count, () => (next() < 0.5 ? [number(), number()] : [number(), number(), number()])),
    times: numbers(count, () => Math.round(next() * 2e9)),
    groundSpeedKt: numbers(count, number),
    ground: numbers(count, () => next() < 0.5),
  }
  const { packed, lists } = await packTrack(track as never)
  expect((await unpackLists(packed.points)).equals(lists)).toBe(true)
  const { sourceFormat: _, sourceName: __, ...expected } = track
  expect(await listsOf(packed.points)).toEqual(JSON.parse(JSON.stringify(expected)))
})

test('a damaged long track does not block reading the next one', async () => {
  const coordinates = numbers(30_000, () => [next(), next()])
  const { packed } = await packTrack({ sourceFormat: 'gpx', sourceName: null, coordinates } as never)
  const damaged = Buffer.from(packed.points).fill(0xff, 100)
  const [broken, intact] = await Promise.allSettled([listsOf(damaged), listsOf(packed.points)])
  expect([broken.status, intact.status]).toEqual(['rejected', 'fulfilled'])
})
