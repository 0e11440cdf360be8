import { describe, expect, test } from 'vitest'
import { createLimiter } from '../../../src/domain/memory/limiter.ts'

const MINUTE = 60_000

function limiter({ limit = 3, capacity = 100 } = {}) {
  let time = 1_000_000
  const { take } = createLimiter({ limit, windowMs: MINUTE, capacity, now: () => time })
  const wait = (ms: number) => {
    time += ms
  }
  return { take, wait }
}

describe('a limiter', () => {
  test('allows as many requests per window as its limit, then returns the seconds to wait', () => {
    const { take } = limiter()
    expect([1, 2, 3, 4, 5].map(() => take('a'))).toEqual([0, 0, 0, 60, 60])
  })

  test('L2: counts the seconds down, and allows a request after the returned time', () => {
    const { take, wait } = limiter({ limit: 1 })
    take('a')
    wait(10_500)
    const seconds = take('a')
    expect(seconds).toBe(50)
    wait((seconds - 1) * 1000)
    expect(take('a')).toBe(1)
    wait(1000)
    expect(take('a')).toBe(0)
  })

  test('starts a window with the first request of a key', () => {
    const { take, wait } = limiter({ limit: 2 })
    take('a')
    wait(MINUTE - 1)
    expect([take('a'), take('a')]).toEqual([0, 1])
    wait(1)
    expect([take('a'), take('a'), take('a')]).toEqual([0, 0, 60])
  })

  test('counts each key separately', () => {
    const { take } = limiter({ limit: 1 })
    expect([take('a'), take('b'), take('a'), take('b')]).toEqual([0, 0, 60, 60])
  })

  test('L3: stores at most as many keys as its capacity, and evicts the oldest window first', () => {
    const { take, wait } = limiter({ limit: 1, capacity: 2 })
    take('a')
    wait(1)
    take('b')
    wait(1)
    take('c')
    expect([take('b') > 0, take('c') > 0]).toEqual([true, true])
    expect(take('a')).toBe(0)
  })

  test('L7: never returns more than a window if the clock is set back', () => {
    const { take, wait } = limiter({ limit: 1 })
    take('a')
    wait(-10 * MINUTE)
    expect(take('a')).toBe(0)
    expect(take('a')).toBe(60)
  })
})
