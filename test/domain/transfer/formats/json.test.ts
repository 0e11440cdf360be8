import { describe, expect, test } from 'vitest'
import { UnreadableFile } from '../../../../src/domain/transfer/formats/row.ts'
import { contentOf } from '../../../../src/domain/transfer/formats/text.ts'

const PADDING = '0'.repeat(300_000)
const file = (rest: string) => ` {"padding":"${PADDING}",${rest}`

describe('a JSON file', () => {
  test.each([
    '"flights":[{"note":"Zürich ✈"}]}\n',
    '"flights":[{"__proto__":{"admin":true},"a":{"constructor":{"prototype":{"b":1}},"c":2}}],"__proto__":1}',
    '"\\u005f_proto__":[1],"constructor":{"name":"kept"},"d":[[{"\\u005f\\u005fproto__":{}}]]}',
  ])('is parsed without keys that could change a prototype: %s', (rest) => {
    const document = contentOf(file(rest)).json()
    expect(document.padding).toBe(PADDING)
    expect(Object.keys(document)).not.toContain('__proto__')
    expect(JSON.stringify(document)).not.toMatch(/admin|prototype/)
  })

  test.each(['"flights":[', '"flights":[]}}', "'a':1}"])(
    'that is invalid is rejected when it is parsed: %s',
    (rest) => {
      const { text, json } = contentOf(file(rest))
      expect(text).toContain(PADDING)
      expect(json).toThrow(UnreadableFile)
    },
  )
})
