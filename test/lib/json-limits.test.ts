import { describe, expect, test } from 'vitest'
import { withinLimits } from '../../src/lib/json-limits.ts'

const parsed = (text: string) => JSON.parse(withinLimits(Buffer.from(text)).toString())
const times = (text: string, count: number) => Array.from({ length: count }, () => text).join()
const LIMIT = 100_000

describe('the limits of a large JSON body', () => {
  test.each([
    '{"a":[1,{"b":"]}\\",[{"}],"c":"\\\\","d":[[],{},[[1,2],[3,4]]]}',
    ' [ 1 , "ü🚀" , { } ] ',
    '"text"',
    '7',
    `[${times('[1,2]', LIMIT)}]`,
  ])('leave what is within them as it is (%#)', (text) => {
    expect(withinLimits(Buffer.from(text)).toString()).toBe(text)
  })

  test('end a list one item after the limit, wherever it stands, and leave the rest', () => {
    const long = (item: string) => `[${times(item, LIMIT + 50_000)}]`
    const body = parsed(`{"before":1,"a":${long('{"x":[1,2,"],["]}')},"b":{"c":${long('0')},"d":"]"},"after":[1,2]}`)
    expect([body.a.length, body.b.c.length]).toEqual([LIMIT + 1, LIMIT + 1])
    expect(body.a.at(-1)).toEqual({ x: [1, 2, '],['] })
    expect([body.before, body.b.d, body.after]).toEqual([1, ']', [1, 2]])
  })

  test('count nothing of what was cut off', () => {
    expect(parsed(`{"list":[${times('[[],[],[]]', 2_000_000)}],"x":1}`)).toMatchObject({ x: 1 })
  })

  test.each([
    ['members', `{${Array.from({ length: 600_000 }, (_, index) => `"${index}":1`).join()}}`],
    ['lists', `{"b":[${Array.from({ length: 10 }, () => `[${times('{}', LIMIT)}]`)}]}`],
    ['texts', `[${Array.from({ length: 20 }, () => `[${times('"a"', LIMIT)}]`)}]`],
    ['levels', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`],
  ])('refuse a body of too many %s', (_what, text) => {
    expect(() => withinLimits(Buffer.from(text))).toThrow(
      expect.objectContaining({ code: 'validation_failed', details: [expect.objectContaining({ code: 'too_big' })] }),
    )
  })

  test.each([
    '[1,2',
    '{"a":[1,2}',
    '[1]]',
    '[1]}',
    '"open',
    `[${times('0', LIMIT + 9)}`,
    `[${times('0', LIMIT + 9)}}`,
    ',,',
    '',
  ])('leave what is no JSON to be refused (%#)', (text) => {
    expect(() => parsed(text)).toThrow(SyntaxError)
  })
})
