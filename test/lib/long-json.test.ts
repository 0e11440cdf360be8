import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parseLongJson, visitContainers } from '../../src/lib/long-json.ts'
import { longTrack } from '../support/factory.ts'
import { type Random, SEED, seeded } from '../support/random.ts'
import { turnsDuring } from '../support/turns.ts'

const scalars = [
  ...['null', 'true', 'false', '0', '-0', '1', '-1.5e-7', '1E400', '12345678901234567890', '5e-324'],
  ...['""', '"a"', '"\\""', '"\\\\"', '"\\\\\\""', '"]},["', '"[{:,"', '"\\ud83d\\ude00"', '"\\ud800"', '"é🛫\u2028"'],
]
// None begins with a backslash: where V8 has seen such a key, its JSON.parse takes an escaped one for it.
const keys = ['"a"', '"b"', '"\\u0061"', '"10"', '"2"', '""', '"é"', '",]}"', '"__proto__"', '"constructor"', '"a\\\\"']

/** The text of some JSON, with spaces anywhere and keys that are repeated. */
function randomJson(random: Random, depth: number): string {
  const { below, pick } = random
  const space = () => (below(4) === 0 ? pick([' ', '\n', '\t\r', '  ']) : '')
  const inner = () => space() + randomJson(random, depth - 1) + space()
  const kind = depth === 0 ? 0 : below(4)
  if (kind < 2) return pick(scalars)
  const count = below(6)
  const items = Array.from({ length: count }, () =>
    kind === 2 ? inner() : `${space()}${pick(keys)}${space()}:${inner()}`,
  )
  const text = count === 0 ? space() : items.join()
  return kind === 2 ? `[${text}]` : `{${text}}`
}

const pieces = [...'[]{},:"\\ 1-e.tn', '[]', '{}', '""', ',,', '],[', '},{', '\ufeff', '\0', '\n', 'null', '"a":']

/** The same with one to three places spoiled. */
function spoiled(text: string, { below, pick }: Random): string {
  let result = text
  for (let times = 1 + below(3); times > 0; times--) {
    const at = below(result.length + 1)
    const cut = pick([0, 0, 1, 1, 2])
    result = result.slice(0, at) + pick(['', ...pieces]) + result.slice(at + cut)
  }
  // Half of a surrogate pair cannot be sent.
  return result.toWellFormed()
}

type Outcome = { value: unknown } | 'refused'

function whole(text: string): Outcome {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return 'refused'
  }
}

async function sliced(text: string, sliceBytes: number): Promise<Outcome> {
  const bytes = Buffer.from(text)
  try {
    const value = await parseLongJson(bytes, sliceBytes)
    if (bytes.toString() !== text) throw new Error(`The bytes were changed: ${text}`)
    return { value }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return 'refused'
  }
}

async function expectSame(text: string, sliceBytes: number): Promise<Outcome> {
  const [expected, found] = [whole(text), await sliced(text, sliceBytes)]
  // Deep equality knows prototypes and -0, the text knows the order of keys.
  const same = isDeepStrictEqual(found, expected) && JSON.stringify(found) === JSON.stringify(expected)
  if (!same) expect({ seed: SEED, sliceBytes, text, found }).toEqual({ seed: SEED, sliceBytes, text, found: expected })
  return expected
}

describe('a long JSON document', () => {
  test('gives the value of JSON.parse wherever it is cut', async () => {
    process.stdout.write(`PAXLOG_TEST_SEED=${SEED}\n`)
    const random = seeded(SEED)
    for (let round = 0; round < 600; round++) {
      const text = randomJson(random, 6)
      for (const sliceBytes of [1, 2, 3, 1 + random.below(40)]) {
        expect(await expectSame(text, sliceBytes)).not.toBe('refused')
      }
    }
  })

  test('is refused exactly when JSON.parse refuses it', async () => {
    const random = seeded(SEED + 1)
    let refused = 0
    for (let round = 0; round < 2500; round++) {
      const text = spoiled(randomJson(random, 5), random)
      for (const sliceBytes of [1, 1 + random.below(20)]) {
        if ((await expectSame(text, sliceBytes)) === 'refused') refused++
      }
    }
    expect(refused).toBeGreaterThan(500)
    expect(refused).toBeLessThan(5000)
  })

  test.each([
    ...[
      '',
      ' ',
      '[',
      ']',
      '{',
      '}',
      '[[',
      '[]]',
      '{}}',
      '[}',
      '{]',
      '[[}]',
      '{"a":[}]',
      '[{]}',
      '1 2',
      '1,2',
      '[],[]',
      ',',
    ],
    ...['[[]', '[[] []]', '[[]1]', '[1[]]', '[[],]', '[,[]]', '[[],,[]]', '[[]:[]]', '[,]', '[1,]', '[,1]', '[1,,2]'],
    ...['{"a":[]"b":1}', '{"a":[],}', '{,"a":[]}', '{"a":[],,"b":1}', '{"a":1[]}', '{"a":"x"[]}', '{"a"[]}', '{[]}'],
    ...['{"a":[]:[]}', '{"a":-[]}', '{"a":{}"b"}', '{"a":1,"b"}', '{"a":1 "b":2}', '"', '"\\', '"\\"', '["a', '{"a'],
    ...['[1]x', 'x[1]', '[1]"', '["\n"]', '[01]', '[1.]', '[tru]', '[nul l]', '[[1],[2],[3]', '\u00a0[]', '[]\u00a0'],
  ])('that is broken is refused however it is cut: %s', async (text) => {
    for (let sliceBytes = 1; sliceBytes <= text.length + 1; sliceBytes++) {
      expect(await expectSame(text, sliceBytes)).toBe('refused')
    }
  })

  test('counts the last of repeated keys, also far apart, and leaves keys where they stood first', async () => {
    const long = JSON.stringify(Array.from({ length: 20 }, (_, index) => index))
    for (const text of [
      `{"a":${long},"b":1,"a":2}`,
      `{"a":1,"b":${long},"a":${long}}`,
      `{"a":{"c":${long}},"a":{"d":${long},"d":[]}}`,
      `{"2":${long},"1":${long},"x":1,"2":0}`,
    ]) {
      for (let sliceBytes = 1; sliceBytes < 30; sliceBytes++) await expectSame(text, sliceBytes)
    }
  })

  test('may have a __proto__ key, which is a key and no prototype', async () => {
    const text = `{"__proto__":{"a":[1,2,3,4,5]},"b":{"__proto__":1,"c":2}}`
    for (let sliceBytes = 1; sliceBytes < text.length; sliceBytes++) await expectSame(text, sliceBytes)
  })

  test('takes a turn of the event loop for every slice', async () => {
    const track = longTrack(5_000)
    const bytes = Buffer.from(JSON.stringify(track))
    let parsed: unknown
    const turns = await turnsDuring(async () => {
      parsed = await parseLongJson(bytes, 1024)
    })
    expect(parsed).toEqual(track)
    expect(turns).toBeGreaterThanOrEqual(Math.floor(bytes.length / 1024))
  })

  test.each([
    ['deep lists', '['.repeat(300_000), '1', ']'.repeat(300_000)],
    ['deep objects', '{"a":'.repeat(200_000), '1', '}'.repeat(200_000)],
    ['tiny lists', '[', '[],'.repeat(300_000), '1]'],
    ['many keys', '{', Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join(), '}'],
    ['a long text', '["', 'é\\n\\u00e9🛫'.repeat(100_000), '"]'],
    ['escaped backslashes', '["', '\\\\'.repeat(500_000), '"]'],
    ['lists of about one slice each', '[', `[${'1,'.repeat(511)}1],`.repeat(1000), '0]'],
    ['spaces', ' '.repeat(1_000_000), '[ ]', ' '.repeat(1_000_000)],
  ])('may be made of %s', async (_what, ...parts) => {
    const text = parts.join('')
    const parsed = await parseLongJson(Buffer.from(text), 1024)
    // Only a comparison that goes down step by step survives any depth.
    let [one, other] = [parsed, JSON.parse(text)]
    while (typeof other === 'object' && Object.keys(other).length === 1) {
      const [key] = Object.keys(other) as [string]
      if (!isDeepStrictEqual(Object.keys(one as object), [key])) expect.unreachable()
      one = (one as Record<string, unknown>)[key]
      other = other[key]
    }
    expect(isDeepStrictEqual(one, other)).toBe(true)
    expect(await sliced(text.slice(0, -1).trimEnd().slice(0, -1), 1024)).toBe('refused')
  })
})

describe('a parsed document', () => {
  test('is shown container by container, from outside, in turns', async () => {
    const points = Array.from({ length: 60_000 }, (_, index) => [index])
    const document = { a: [{ b: {} }, 1, null], points }
    const seen: object[] = []
    const turns = await turnsDuring(() => visitContainers(document, (container) => seen.push(container)))
    expect(seen[0]).toBe(document)
    expect(new Set(seen)).toEqual(new Set([document, document.a, document.a[0], {}, points, ...points]))
    expect(turns).toBeGreaterThanOrEqual(3)
    await visitContainers('text', () => expect.unreachable())
  })
})
