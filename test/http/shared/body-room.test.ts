import { describe, expect, test } from 'vitest'
import { enterBodyRoom } from '../../../src/http/shared/body-room.ts'

const MEBIBYTE = 2 ** 20
const LIMIT = 4 * MEBIBYTE

function enter() {
  const seen = { wakes: 0 }
  const room = enterBodyRoom(LIMIT, () => seen.wakes++)
  return { ...room, seen }
}

describe('the room of long bodies', () => {
  test('makes whoever is not the largest wait when it is full, and wakes it when there is room', () => {
    const [large, small] = [enter(), enter()]
    expect(large.take(3 * MEBIBYTE)).toBe(true)
    expect(small.take(2 * MEBIBYTE)).toBe(false)
    expect(large.take(MEBIBYTE)).toBe(true)
    large.leave()
    expect(small.seen.wakes).toBe(1)
    expect(small.take(MEBIBYTE)).toBe(true)
    small.leave()
  })

  test('lets short bodies in however full it is', () => {
    const [large, short] = [enter(), enter()]
    large.take(LIMIT)
    expect(short.take(MEBIBYTE)).toBe(true)
    for (const { leave } of [large, short]) leave()
  })

  test('counts nothing of a body that has left already, also when a last piece comes in late', () => {
    const [gone, other] = [enter(), enter()]
    gone.take(LIMIT)
    gone.leave()
    expect(gone.take(LIMIT)).toBe(true)
    expect(other.take(3 * MEBIBYTE)).toBe(true)
    for (const { leave } of [gone, other]) leave()
  })

  test('wakes somebody who leaves while waiting, so that nothing hangs', () => {
    const [large, waiting] = [enter(), enter()]
    large.take(LIMIT)
    waiting.take(2 * MEBIBYTE)
    waiting.leave()
    expect(waiting.seen.wakes).toBe(1)
    large.leave()
  })
})
