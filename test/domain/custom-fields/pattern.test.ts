import { describe, expect, test } from 'vitest'
import { safePattern } from '../../../src/domain/custom-fields/pattern.ts'

const finds = (pattern: string, text: string) => safePattern(pattern)?.matcher(text).find()

describe('safePattern', () => {
  test.each([
    ['^[A-Z0-9]{6}$', 'AB12CD', 'AB12CDE'],
    ['[A-Z]{2}', 'xxABxx', 'xxAxx'],
    ['^abc$', 'abc', 'abc\n'],
    ['^.$', '😀', '😀😀'],
    ['^\\u{1F600}$', '😀', '😁'],
    ['^[😀-😂]+$', '😀😁', '😀x'],
    ['^\\p{Lu}\\p{Ll}+$', 'Ärger', 'ärger'],
    ['^(?<year>\\d{4})$', '2025', '٢٠٢٥'],
    ['^(?:a|b)?$', '', 'c'],
    ['^\\$\\/\\\\k<a>$', '$/\\k<a>', '$/k<a>'],
    ['^[\\w.+-]+@[\\w-]+\\.[a-z]{2,}$', 'a.b@c-d.ch', 'a.b@c'],
  ])('%s matches like a JavaScript RegExp', (pattern, good, bad) => {
    expect([finds(pattern, good), finds(pattern, bad)]).toEqual([true, false])
    const native = new RegExp(pattern, 'u')
    expect([native.test(good), native.test(bad)]).toEqual([true, false])
  })

  test.each([
    '(',
    '[',
    '*a',
    'a**',
    '\\',
    'a{2,1}',
    '\\q',
    '(?=a)',
    '(?!a)',
    '(?<=a)',
    '(?<!a)',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '\\uD83D\\uDE00',
    '\\u{D83D}',
    '(.*){1,32000}[bc]',
    '.{1000}.{1000}',
    '(((a{100}){100}){100})',
    '((a{1,30}){1,30}){1,30}',
    '(?:a?){400}a{400}',
    '(\\p{L}{1,100}){1,100}',
  ])('%s is rejected', (pattern) => {
    expect(safePattern(pattern)).toBeUndefined()
  })

  test.each([
    '(a+)+$',
    '(a|aa)+$',
    '(a|a?)+$',
    '([a-zA-Z]+)*$',
    '(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)x',
    '(.*a){12}$',
    '(\\w+\\s?)*$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '\\p{L}{245}$',
    '(?:\\p{L}.?){80}$',
    '(.{1,15}){7}$',
    '(?:a|b|ab){60}$',
    '(?:a?){120}$',
  ])('%s takes less than a second for 10 000 characters that do not match', (pattern) => {
    const safe = safePattern(pattern)
    expect(safe).toBeDefined()
    for (const text of [
      `${'a'.repeat(9999)}!`,
      `${'é'.repeat(9999)}!`,
      `${'a😀'.repeat(4999)}!!`,
      `${'aé5 ,Z'.repeat(1666)}!!!!`,
    ]) {
      // CPU time does not depend on the load of the machine.
      const started = process.cpuUsage()
      safe!.matcher(text).find()
      expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000)
    }
  })
})
