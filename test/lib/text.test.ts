import { describe, expect, test } from 'vitest'
import { codePoints, fold, foldCase } from '../../src/lib/text.ts'

describe('fold', () => {
  test.each([
    ['København', 'kobenhavn'],
    ['ZÜRICH', 'zurich'],
    ['ＺＵＲＩＣＨ', 'zurich'],
    ['Zu\u0308rich', 'zurich'],
    ['Łódź', 'lodz'],
    ['Đà Nẵng', 'da nang'],
    ['Reykjavík–Þórshöfn', 'reykjavik–thorshofn'],
    ['Egilsstaðir', 'egilsstadir'],
    ['Iğdır', 'igdir'],
    ['İstanbul', 'istanbul'],
    ['Gießen', 'giessen'],
    ['GIESSEN', 'giessen'],
    ['Ærø', 'aero'],
    ['Œuvre', 'oeuvre'],
    ['ﬁnal ½', 'final 1⁄2'],
    ['東京', '東京'],
    ['', ''],
  ])('writes %s as %s', (text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  test('is idempotent', () => {
    for (const text of ['Þórshöfn', 'İstanbul', 'Gießen', 'Łódź']) expect(fold(fold(text))).toBe(fold(text))
  })
})

describe('codePoints', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['København', 9],
    ['🛫', 1],
    ['a🛫b🛬', 4],
    ['👩‍✈️', 4],
    ['\u0000', 1],
  ])('counts %j as %i', (text, count) => {
    expect(codePoints(text)).toBe(count)
    expect(codePoints(text)).toBe([...text].length)
  })
})

test('foldCase ignores case and composition', () => {
  expect(foldCase('ÉQUIPE')).toBe(foldCase('e\u0301quipe'))
  expect(foldCase('Crew')).not.toBe(foldCase('Crews'))
})
