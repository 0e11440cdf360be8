import { describe, expect, test } from 'vitest'
import { english } from '../../src/messages/english.ts'
import { findMessage } from '../../src/messages/find.ts'
import { messages } from '../../src/messages/messages.ts'
import { type Catalogue, isPlural, PLACEHOLDER } from '../../src/messages/notation.ts'

/** Groups that pages read by key. */
const KEYED = ['activity', 'scopes', 'scopeGroups', 'permissions', 'permissionGroups']

type Path = readonly string[]

function entriesOf(entries: Catalogue, path: Path = []): { path: Path; text: string; counted: boolean }[] {
  return Object.entries(entries).flatMap(([key, entry]) => {
    const inner = [...path, key]
    if (typeof entry === 'string') return [{ path: inner, text: entry, counted: false }]
    if (isPlural(entry)) return [{ path: inner, text: entry.plural.other, counted: true }]
    return entriesOf(entry, inner)
  })
}

const sentences = entriesOf(Object.fromEntries(Object.entries(messages).filter(([group]) => !KEYED.includes(group))))

const namesIn = (text: string) => [...text.matchAll(PLACEHOLDER)].map(([, name]) => name!)

function sentenceOf(path: Path, values: Record<string, string | number>): string {
  const message = path.reduce<unknown>((group, key) => (group as Record<string, unknown>)[key], english)
  return typeof message === 'string' ? message : (message as (given: typeof values) => string)(values)
}

describe('the messages of services', () => {
  test('are filled in English, without separators in numbers', () => {
    expect(english.users.usernameTaken({ username: 'mira' })).toBe('The username mira is taken.')
    expect([1, 10_000].map((count) => english.input.maxCharacters({ count }))).toEqual([
      'Must have at most 1 character.',
      'Must have at most 10000 characters.',
    ])
    expect(english.activity.restore({ actor: 'mira', count: 1234 })).toBe('mira restored 1,234 flights from a backup.')
    expect(english.roles.nameTaken({ name: '{name} $&' })).toBe('The role name {name} $& is taken.')
    // @ts-expect-error: a value is missing
    english.users.usernameTaken({})
    // @ts-expect-error: no such value
    english.users.usernameTaken({ username: 'mira', name: 'mira' })
  })

  test('are different', () => {
    const texts = sentences.map(({ text }) => text)
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([])
  })

  test('are found by their English sentences with all values', () => {
    const samples = ['x', '東京', 'LX2084', 'ab, cd', '“Zürich” (ZRH): a. b', '{name} $1 \\d+ .*', '\n<b>']
    for (const { path, text, counted } of sentences) {
      for (const [index, sample] of samples.entries()) {
        const names = namesIn(text)
        const values = Object.fromEntries(names.map((name, place) => [name, `${sample}${place}`]))
        const given = counted ? { ...values, count: index } : values
        expect(findMessage(sentenceOf(path, given))).toEqual({ path, values: given })
        // Several values are separated by what is between them.
        if (names.length === 0 || (names.length > 1 && sample === 'LX2084')) break
      }
    }
  })

  test('are not found in other sentences', () => {
    const taken = english.users.usernameTaken({ username: 'mira' })
    for (const text of ['', 'Something else.', taken.toLowerCase(), `${taken} `, 'The username  is taken.', '{x}']) {
      expect(findMessage(text)).toBeUndefined()
    }
    expect(findMessage('Must have at most several characters.')?.path).not.toEqual(['input', 'maxCharacters'])
    expect(findMessage(english.users.usernameTaken({ username: 'a'.repeat(10_000) }))).toBeUndefined()
  })

  test('are found in linear time', () => {
    const started = performance.now()
    for (let index = 0; index < 100; index++)
      findMessage(`Your role does not permit this: it lacks ${' and '.repeat(380)}`)
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
