import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { forEachYielding, sortYielding } from '../../src/lib/yield.ts'
import { seeded } from '../support/random.ts'

test('sortYielding sorts like toSorted and is stable', async () => {
  const { next } = seeded(7)
  const byKey = (a: { key: number }, b: { key: number }) => a.key - b.key
  for (const length of [0, 1, 2, 999, 1_000, 1_001, 2_500, 12_345]) {
    const items = Array.from({ length }, (_, place) => ({ key: Math.floor(next() * 500), place }))
    const before = [...items]
    expect(await sortYielding(items, byKey)).toEqual(items.toSorted(byKey))
    expect(items).toEqual(before)
  }
})

test('long lists do not block the event loop', async () => {
  let turns = 0
  let isWorking = true
  const others = (async () => {
    for (; isWorking; turns++) await nextTurn()
  })()
  const burn = () => {
    for (const until = performance.now() + 0.02; performance.now() < until; );
  }
  await forEachYielding(Array.from({ length: 5_000 }), burn)
  const afterEach = turns
  await sortYielding(
    Array.from({ length: 5_000 }, (_, index) => -index),
    (a, b) => {
      burn()
      return a - b
    },
  )
  isWorking = false
  await others
  expect(afterEach).toBeGreaterThan(2)
  expect(turns).toBeGreaterThan(afterEach + 2)
})
