import { describe, expect, test } from 'vitest'
import { reserveBodyMemory } from '../../../src/http/shared/body-memory.ts'

const MEBIBYTE = 2 ** 20
const LIMIT = 4 * MEBIBYTE

function reserve(userId?: string) {
  const seen = { wakes: 0 }
  const memory = reserveBodyMemory(LIMIT, userId, () => seen.wakes++)
  return { ...memory, seen }
}

describe('memory for large bodies', () => {
  test('pauses all but the largest body at the limit, and resumes them when memory is free', () => {
    const [large, small] = [reserve(), reserve()]
    expect(large.grow(3 * MEBIBYTE)).toBe(true)
    expect(small.grow(2 * MEBIBYTE)).toBe(false)
    expect(large.grow(MEBIBYTE)).toBe(true)
    large.end()
    expect(small.seen.wakes).toBe(1)
    expect(small.grow(MEBIBYTE)).toBe(true)
    small.end()
  })

  test('never pauses short bodies', () => {
    const [large, short] = [reserve(), reserve()]
    large.grow(LIMIT)
    expect(short.grow(MEBIBYTE)).toBe(true)
    for (const { end } of [large, short]) end()
  })

  test('ignores a last chunk that arrives after the end', () => {
    const [gone, other] = [reserve(), reserve()]
    gone.grow(LIMIT)
    gone.end()
    expect(gone.grow(LIMIT)).toBe(true)
    expect(other.grow(3 * MEBIBYTE)).toBe(true)
    for (const { end } of [gone, other]) end()
  })

  test('resumes a paused body that ends', () => {
    const [large, waiting] = [reserve(), reserve()]
    large.grow(LIMIT)
    waiting.grow(2 * MEBIBYTE)
    waiting.end()
    expect(waiting.seen.wakes).toBe(1)
    large.end()
  })

  test("is released after a body is read, but the user's next body waits for the response", () => {
    const [first, second, other] = [reserve('mira'), reserve('mira'), reserve('nils')]
    expect(first.grow(4 * MEBIBYTE)).toBe(true)
    expect([second.grow(2 * MEBIBYTE), other.grow(2 * MEBIBYTE)]).toEqual([false, false])
    first.release()
    expect([second.seen.wakes, other.seen.wakes]).toEqual([0, 1])
    first.end()
    expect(second.seen.wakes).toBe(1)
    for (const { end } of [second, other]) end()
  })

  test('allows one large body per user at a time, in order, and any number of short ones', () => {
    const [first, second, third, short] = [reserve('mira'), reserve('mira'), reserve('mira'), reserve('mira')]
    expect(first.grow(1.5 * MEBIBYTE)).toBe(true)
    expect([second.grow(1.1 * MEBIBYTE), third.grow(1.1 * MEBIBYTE), short.grow(MEBIBYTE)]).toEqual([
      false,
      false,
      true,
    ])
    first.end()
    expect([second.seen.wakes, third.seen.wakes]).toEqual([1, 0])
    second.end()
    expect(third.seen.wakes).toBe(1)
    for (const { end } of [third, short]) end()
  })

  test('does not wait for a larger body that is itself waiting for its user', () => {
    const [first, larger, other] = [reserve('mira'), reserve('mira'), reserve('nils')]
    first.grow(2 * MEBIBYTE)
    expect(larger.grow(3 * MEBIBYTE)).toBe(false)
    // The memory is full, and the largest body cannot continue.
    expect(first.grow(MEBIBYTE / 2)).toBe(true)
    expect(other.grow(2 * MEBIBYTE)).toBe(false)
    first.end()
    expect([larger.seen.wakes, other.seen.wakes]).toEqual([1, 0])
    larger.end()
    expect(other.seen.wakes).toBe(1)
    other.end()
  })
})
