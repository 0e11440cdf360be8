import { describe, expect, test } from 'vitest'
import { UnreadableFile } from '../../../../src/domain/transfer/formats/row.ts'
import { contentOf, readContent } from '../../../../src/domain/transfer/formats/text.ts'

const PADDING = '0'.repeat(300_000)
const long = (rest: string) => Buffer.from(` {"padding":"${PADDING}",${rest}`)

describe('a long JSON file', () => {
  test.each([
    '"flights":[{"note":"Zürich ✈"}]}\n',
    '"flights":[{"__proto__":{"admin":true},"a":{"constructor":{"prototype":{"b":1}},"c":2}}],"__proto__":1}',
    '"\\u005f_proto__":[1],"constructor":{"name":"kept"},"d":[[{"\\u005f\\u005fproto__":{}}]]}',
  ])('gives the document of a short one: %s', async (rest) => {
    const file = long(rest)
    const { text, json } = await readContent(file)
    const document = json()
    expect(document).toEqual(contentOf(text).json())
    expect(Object.keys(document)).not.toContain('__proto__')
    expect(JSON.stringify(document)).not.toMatch(/admin|prototype/)
  })

  test.each(['"flights":[', '"flights":[]}}', "'a':1}"])(
    'is refused when somebody needs it as JSON: %s',
    async (rest) => {
      const { text, json } = await readContent(long(rest))
      expect(text).toContain(PADDING)
      expect(json).toThrow(UnreadableFile)
    },
  )

  test('lets others have their turn while it is read', async () => {
    const flights = `"flights":[${'{"date":"2020-01-01","note":"one of many"},'.repeat(50_000)}{}]}`
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    await readContent(long(flights))
    clearInterval(timer)
    expect(turns).toBeGreaterThan(2)
  })
})
