import { describe, expect, test } from 'vitest'
import { isLongList, jsonPieces, longList } from '../../src/lib/long-list.ts'
import { turnsDuring } from '../support/turns.ts'

const inOnePiece = (list: unknown[]) => [...longList(JSON.stringify(list)).slices()].flat()

describe('a list that is read in slices', () => {
  test.each([
    ['numbers', Array.from({ length: 50_000 }, (_, index) => index * 1.5 - 7)],
    ['truth values', Array.from({ length: 50_000 }, (_, index) => index % 3 === 0)],
    ['points', Array.from({ length: 50_000 }, (_, index) => [index / 1000, 90 - index / 1000, index])],
    ['one number', [1]],
    ['one point', [[1, 2]]],
    ['nothing', []],
  ])('of %s has the same items as the whole list', (_name, list) => {
    expect(inOnePiece(list)).toEqual(list)
  })

  test('is read in pieces of some kilobytes, wherever they end', () => {
    for (const length of [6_553, 6_554, 6_555, 6_556, 10_000]) {
      const list = Array.from({ length }, () => 1234)
      const slices = [...longList(JSON.stringify(list)).slices()]
      expect(slices.length).toBe(Math.ceil((length * 5) / (32 * 1024 + 5)))
      expect(slices.flat()).toEqual(list)
    }
  })

  test('is told from other values', () => {
    expect([longList('[1]'), [], {}, null, 'slices', { slices: 1 }].map(isLongList)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ])
  })
})

describe('a list that is written in pieces', () => {
  test.each([0, 1, 3_999, 4_000, 4_001, 8_000, 20_001])('has the text of the whole list: %d items', async (length) => {
    const list = Array.from({ length }, (_, index) => [index / 7, -index, index % 2 === 0])
    let text = ''
    const turns = await turnsDuring(async () => {
      for await (const piece of jsonPieces(list)) text += piece.toString()
    })
    expect(text).toBe(JSON.stringify(list))
    expect(turns).toBeGreaterThanOrEqual(Math.ceil(length / 4_000) - 1)
  })
})
