import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { forEachYielding } from '../../src/lib/yield.ts'

test('yields to other work while it iterates over a long list', async () => {
  let turns = 0
  let isWorking = true
  const others = (async () => {
    for (; isWorking; turns++) await nextTurn()
  })()
  await forEachYielding(Array.from({ length: 5_000 }), () => {
    for (const until = performance.now() + 0.02; performance.now() < until; );
  })
  isWorking = false
  await others
  expect(turns).toBeGreaterThan(2)
})
