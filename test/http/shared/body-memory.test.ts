import { describe, expect, test } from 'vitest'
import { reserveBodyMemory } from '../../../src/http/shared/body-memory.ts'

const MEBIBYTE = 2 ** 20
const LIMIT = 4 * MEBIBYTE

function reserve() {
  const seen = { wakes: 0 }
  const memory = reserveBodyMemory(LIMIT, () => seen.wakes++)
  return { ...memory, seen }
}

describe('the memory of large bodies', () => {
  test('makes whoever is not the largest wait when all is taken, and wakes it when there is some', () => {
    const [large, small] = [reserve(), reserve()]
    expect(large.grow(3 * MEBIBYTE)).toBe(true)
    expect(small.grow(2 * MEBIBYTE)).toBe(false)
    expect(large.grow(MEBIBYTE)).toBe(true)
    large.release()
    expect(small.seen.wakes).toBe(1)
    expect(small.grow(MEBIBYTE)).toBe(true)
    small.release()
  })

  test('lets short bodies in however much is taken', () => {
    const [large, short] = [reserve(), reserve()]
    large.grow(LIMIT)
    expect(short.grow(MEBIBYTE)).toBe(true)
    for (const { release } of [large, short]) release()
  })

  test('counts nothing of a body that was released already, also when a last piece comes in late', () => {
    const [gone, other] = [reserve(), reserve()]
    gone.grow(LIMIT)
    gone.release()
    expect(gone.grow(LIMIT)).toBe(true)
    expect(other.grow(3 * MEBIBYTE)).toBe(true)
    for (const { release } of [gone, other]) release()
  })

  test('wakes somebody who is released while waiting, so that nothing hangs', () => {
    const [large, waiting] = [reserve(), reserve()]
    large.grow(LIMIT)
    waiting.grow(2 * MEBIBYTE)
    waiting.release()
    expect(waiting.seen.wakes).toBe(1)
    large.release()
  })
})
