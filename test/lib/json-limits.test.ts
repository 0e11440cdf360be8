import { describe, expect, test } from 'vitest'
import { scanJson, scanJsonFile, scanSmallJson } from '../../src/lib/json-limits.ts'

const check = (text: string) => scanJson(Buffer.from(text))
const times = (text: string, count: number) => Array.from({ length: count }, () => text).join()
const LIMIT = 100_000

/** An object with ten keys in an order that depends on the seed. */
function permuted(seed: number): string {
  const keys = [...'abcdefghij']
  for (let [index, rest] = [keys.length, seed]; index > 1; rest = Math.floor(rest / index--)) {
    const [from, to] = [rest % index, index - 1]
    ;[keys[from], keys[to]] = [keys[to]!, keys[from]!]
  }
  return `{${keys.map((key) => `"${key}":1`)}}`
}

const errorWith = (path: string[]) =>
  expect.objectContaining({
    code: 'validation_failed',
    details: [expect.objectContaining({ code: 'too_big', path })],
  })

describe('the limits of a large JSON body', () => {
  test.each([
    '{"a":[1,{"b":"]}\\",[{"}],"c":"\\\\","d":[[],{},[[1,2],[3,4]]]}',
    ' [ 1 , "ü🚀" , { } ] ',
    '"text"',
    '7',
    '',
    `[${times('[1,2]', LIMIT)}]`,
    `"${'[],'.repeat(2 * LIMIT)}"`,
    `"${'x'.repeat(16_000_000)}"`,
    `[${times('{"a":1,"b":{"c":2}}', 90_000)}]`,
    `"${'\\"'.repeat(2 * LIMIT)}"`,
  ])('accept a body within them (%#)', async (text) => {
    await expect(check(text)).resolves.toEqual({ hasProtoKey: false })
  })

  test('accept the longest track with all its columns', async () => {
    const column = (item: string) => `[${times(item, LIMIT)}]`
    const columns = ['times', 'groundSpeedKt', 'trackDeg', 'ground', 'estimated'].map(
      (name) => `"${name}":${column('1')}`,
    )
    await expect(check(`{"coordinates":${column('[1.5,2.5,3.5]')},${columns}}`)).resolves.toBeDefined()
  })

  test.each([
    ['at the top', '', '', []],
    ['in a member', '{"before":[1,2],"a":', '}', ['a']],
    ['in a member with escapes', '{"x":"]","\\"a":', '}', ['\\"a']],
    ['in an item of a member', '{"a":[{},{"b":', '}]}', ['a', '1', 'b']],
    ['in a list of lists', '[1,[2,', ']]', ['1', '1']],
    ['below too many levels', '['.repeat(50), ']'.repeat(50), []],
  ])('reject a list of too many items %s with its path', async (_where, before, after, path) => {
    await expect(check(`${before}[${times('0', LIMIT)}]${after}`)).resolves.toBeDefined()
    await expect(check(`${before}[${times('0', LIMIT + 1)}]${after}`)).rejects.toThrow(errorWith(path))
  })

  test.each([
    ['members', `{${Array.from({ length: 51_000 }, (_, index) => `"${index}":1`).join()}}`],
    ['members of unclosed objects', Array.from({ length: 51_000 }, (_, index) => `{"${index}":`).join('')],
    ['different objects', `[${Array.from({ length: 51_000 }, (_, index) => `{"${index}":1}`).join()}]`],
    [
      'objects with their keys in another order',
      `[${Array.from({ length: 30_000 }, (_, index) => permuted(index)).join()}]`,
    ],
    ['equal objects', `[${Array.from({ length: 4 }, () => `[${times('{"a":1}', 99_000)}]`).join()}]`],
    ['lists', `{"b":[${Array.from({ length: 10 }, () => `[${times('{}', LIMIT)}]`)}]}`],
    ['texts', `[${Array.from({ length: 20 }, () => `[${times('"a"', LIMIT)}]`)}]`],
    ['numbers', `[${Array.from({ length: 20 }, () => `[${times('1', LIMIT)}]`)}]`],
    ['characters', `["${'x'.repeat(9_000_000)}","${'x'.repeat(9_000_000)}"]`],
    ['characters that are not all ASCII', `["${'x'.repeat(6_000_000)}ü"${' '.repeat(14_000_000)}]`],
    ['levels', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`],
  ])('reject a body of too many %s', async (_what, text) => {
    await expect(check(text)).rejects.toThrow(errorWith([]))
  })

  test.each(['[1,2', '{"a":[1,2}', '[1]]', '[1]}', '"open', ',,', `[1]],${times('[]', 10 * LIMIT)}`])(
    'leave invalid JSON to the parser (%#)',
    async (text) => {
      await expect(check(text)).resolves.toBeDefined()
    },
  )

  test('are checked without blocking other requests', async () => {
    const body = Buffer.from(`[${times(`"${' '.repeat(100)}"`, LIMIT)}]`)
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    await scanJson(body)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(1)
  })

  test.each([
    ['{"__proto__":1}', true],
    ['[{"a":{"__proto__" : 1}}]', true],
    ['{"\\u005f_proto_\\u005F":1}', true],
    ['{"a":"__proto__","b":["__proto__"]}', false],
    ['{"__proto_":1,"___proto__":1,"\\\\u005f_proto__":1}', false],
  ])('find a __proto__ key: %s', async (text, expected) => {
    expect(await check(text)).toEqual({ hasProtoKey: expected })
  })

  test('accept equal objects at any depth', async () => {
    const levels = 100_000
    await expect(check(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)).resolves.toBeDefined()
  })
})

describe('the limits of a smaller body', () => {
  test('leave long lists to the schema and reject different objects', () => {
    const different = Array.from({ length: 51_000 }, (_, index) => `{"${index}":1}`)
    expect(() => scanSmallJson(Buffer.from(`[${times('[]', 300_000)}]`))).not.toThrow()
    expect(() => scanSmallJson(Buffer.from(`[${different}]`))).toThrow(errorWith([]))
  })
})

describe('the limits of a file', () => {
  test('accept 20 MB of tracks and reject millions of values', () => {
    const points = `[${times('[8.5481234,47.4581234,1132.5]', 90_000)}]`
    expect(() => scanJsonFile(Buffer.from(`[${times(points, 7)}]`))).not.toThrow()
    for (const values of [times('[]', 2 * LIMIT), times(`[${times('[]', 90_000)}]`, 30)]) {
      expect(() => scanJsonFile(Buffer.from(`{"flights":[${values}]}`))).toThrow(
        'The file is too complex: it contains too many values.',
      )
    }
  })
})
