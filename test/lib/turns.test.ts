import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eachInTurns, sortedInTurns } from '../../src/lib/turns.ts'
import { seeded } from '../support/random.ts'

test('a list of any length is sorted as it would be at once: equal items keep their order', async () => {
  const { next } = seeded(7)
  const byKey = (a: { key: number }, b: { key: number }) => a.key - b.key
  for (const length of [0, 1, 2, 999, 1_000, 1_001, 2_500, 12_345]) {
    const items = Array.from({ length }, (_, place) => ({ key: Math.floor(next() * 500), place }))
    const before = [...items]
    expect(await sortedInTurns(items, byKey)).toEqual(items.toSorted(byKey))
    expect(items).toEqual(before)
  }
})

test('others have their turn while a long list is gone through or sorted', async () => {
  let turns = 0
  let isWorking = true
  const others = (async () => {
    for (; isWorking; turns++) await nextTurn()
  })()
  const burn = () => {
    for (const until = performance.now() + 0.02; performance.now() < until; );
  }
  await eachInTurns(Array.from({ length: 5_000 }), burn)
  const afterEach = turns
  await sortedInTurns(
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
