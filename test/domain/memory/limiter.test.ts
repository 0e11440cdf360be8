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
  test('allows exactly as many requests as its limit in one window, then says how long to wait', () => {
    const { take } = limiter()
    expect([1, 2, 3, 4, 5].map(() => take('a'))).toEqual([0, 0, 0, 60, 60])
  })

  test('L2: counts the seconds down, and allows the request that waited as long as it was told', () => {
    const { take, wait } = limiter({ limit: 1 })
    take('a')
    wait(10_500)
    const told = take('a')
    expect(told).toBe(50)
    wait((told - 1) * 1000)
    expect(take('a')).toBe(1)
    wait(1000)
    expect(take('a')).toBe(0)
  })

  test('starts a window with the first request of a key and not with the last one', () => {
    const { take, wait } = limiter({ limit: 2 })
    take('a')
    wait(MINUTE - 1)
    expect([take('a'), take('a')]).toEqual([0, 1])
    wait(1)
    expect([take('a'), take('a'), take('a')]).toEqual([0, 0, 60])
  })

  test('counts each key for itself', () => {
    const { take } = limiter({ limit: 1 })
    expect([take('a'), take('b'), take('a'), take('b')]).toEqual([0, 0, 60, 60])
  })

  test('L3: remembers no more keys than its capacity, and drops the oldest window first', () => {
    const { take, wait } = limiter({ limit: 1, capacity: 2 })
    take('a')
    wait(1)
    take('b')
    wait(1)
    take('c')
    expect([take('b') > 0, take('c') > 0]).toEqual([true, true])
    expect(take('a')).toBe(0)
  })

  test('L7: a clock that is set back does not make anybody wait longer than a window', () => {
    const { take, wait } = limiter({ limit: 1 })
    take('a')
    wait(-10 * MINUTE)
    expect(take('a')).toBe(0)
    expect(take('a')).toBe(60)
  })
})
