import { describe, expect, test } from 'vitest'
import { decodeCursor, encodeCursor, type Position } from '../../src/lib/cursor.ts'

const positions: Position[] = [
  ['2025-05-03', 57],
  ['0001-01-01', 1],
  ['9999-12-31', Number.MAX_SAFE_INTEGER],
]

const badRequest = expect.objectContaining({ code: 'bad_request' })
const fromText = (text: string) => Buffer.from(text).toString('base64url')

describe('cursors', () => {
  test.each(positions)('decode to %s, %i', (date, id) => {
    const cursor = encodeCursor([date, id])
    expect(cursor).toMatch(/^[\w-]+$/)
    expect(decodeCursor(cursor)).toEqual([date, id])
  })

  test('are rejected if truncated', () => {
    const cursor = encodeCursor(positions[0]!)
    for (let length = 0; length < cursor.length; length++) {
      expect(() => decodeCursor(cursor.slice(0, length))).toThrow(badRequest)
    }
  })

  test('are rejected with one character changed, doubled or added', () => {
    const cursor = encodeCursor(positions[0]!)
    for (let index = 0; index < cursor.length; index++) {
      for (const other of ['A', 'b', '7', '_', '-', '=', '+', '/', ' ', '\n', 'é']) {
        if (other !== cursor[index]) {
          expect(() => decodeCursor(cursor.slice(0, index) + other + cursor.slice(index + 1))).toThrow(badRequest)
        }
        expect(() => decodeCursor(cursor.slice(0, index) + other + cursor.slice(index))).toThrow(badRequest)
      }
    }
    expect(() => decodeCursor(`${cursor}=`)).toThrow(badRequest)
    expect(() => decodeCursor(cursor + cursor)).toThrow(badRequest)
  })

  test.each([
    '',
    '57',
    'null',
    'eyJkIjoiMjAyNS0wNS0wMyIsImkiOjU3fQ',
    fromText('2025-05-03.57'),
    fromText('2025-05-03.57.aaaaaa'),
    fromText('2025-02-30.57.aaaaaa'),
    fromText('2025-05-03.-1.aaaaaa'),
    fromText("2025-05-03' or 1=1 --"),
    encodeCursor(['2025-02-30', 57]),
    encodeCursor(['~', 0]),
    encodeCursor(['2025-05-03', 0.5]),
    'a'.repeat(100_000),
  ])('are rejected if forged: %j', (cursor) => {
    expect(() => decodeCursor(cursor)).toThrow(badRequest)
  })
})
