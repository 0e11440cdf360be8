import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { forEachYielding } from '../../src/lib/yield.ts'

test('yields to the event loop while iterating over a long list', async () => {
  let turns = 0
  let isWorking = true
  const otherWork = (async () => {
    for (; isWorking; turns++) await nextTurn()
  })()
  await forEachYielding(Array.from({ length: 5_000 }), () => {
    for (const until = performance.now() + 0.02; performance.now() < until; );
  })
  isWorking = false
  await otherWork
  expect(turns).toBeGreaterThan(2)
})
