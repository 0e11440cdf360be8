import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { catalogues } from '../../../../src/http/pages/texts/languages.ts'
import type { Catalogue } from '../../../../src/http/pages/texts/message.ts'
import { type Language, languages } from '../../../../src/lib/languages.ts'

type Forms = Readonly<Record<string, string>>

/** The forms of each message by its key, such as `trips/title`. A message without plural has one form. */
function messagesOf(catalogue: Catalogue, path: readonly string[] = []): [key: string, forms: Forms][] {
  return Object.entries(catalogue).flatMap(([name, entry]): [string, Forms][] => {
    const here = [...path, name]
    if (typeof entry === 'string') return [[here.join('/'), { other: entry }]]
    if (typeof entry.plural === 'object') return [[here.join('/'), entry.plural as Forms]]
    return messagesOf(entry as Catalogue, here)
  })
}

const messages = (language: Language) => new Map(messagesOf(catalogues[language] as unknown as Catalogue))
const english = messages('en')
const translations = languages.filter((language) => language !== 'en')

const partsOf = (text: string) => [...text.matchAll(/\{\w+\}|<\/?\w+>/g)].map(([part]) => part).sort()

describe.each(translations)('the catalogue %s', (language) => {
  const own = messages(language)

  test('has the keys of the English one', () => {
    expect([...own.keys()].sort()).toEqual([...english.keys()].sort())
  })

  test('has the placeholders and elements of the English one in every form', () => {
    const wrong = [...own].flatMap(([key, forms]) => {
      const expected = partsOf(english.get(key)!.other!)
      return Object.entries(forms)
        .filter(([form, text]) => {
          const [wanted, found] = [expected, partsOf(text)].map((parts) =>
            parts.filter((part) => form === 'other' || part !== '{count}').join(),
          )
          return wanted !== found
        })
        .map(([form, text]) => `${key} (${form}): ${text}`)
    })
    expect(wrong).toEqual([])
  })

  test('repeats the number in forms for several numbers', () => {
    const rules = new Intl.PluralRules(language)
    // In French and Portuguese `one` is also the form for 0.
    if (rules.select(0) !== 'one') return
    const wrong = [...own].filter(
      ([, { one, other }]) => one !== undefined && other!.includes('{count}') && !one.includes('{count}'),
    )
    expect(wrong.map(([key]) => key)).toEqual([])
  })
})

describe('the English catalogue', () => {
  const root = resolve(import.meta.dirname, '../../../../src')

  /** The names in the sources of a folder, and the groups whose members a value chooses: `t.classes[seatClass]`. */
  function namesIn(folder: string) {
    const source = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name).replaceAll('\\', '/'))
      .filter((name) => /\.(tsx?|js)$/.test(name) && !/^(http\/pages\/texts|messages)\//.test(name))
      .map((name) => readFileSync(join(root, name), 'utf8'))
      .join('\n')
    return {
      words: new Set(source.match(/[\w$]+/g)),
      indexed: new Set(Array.from(source.matchAll(/(\w+)[!?]?\.?\[(?!\])/g), ([, name]) => name!)),
    }
  }

  test('has no unused key', () => {
    const [ofPages, ofServices] = [namesIn('http/pages'), namesIn('.')]
    const unused = [...english.keys()].filter((key) => {
      // Read by the library of the map.
      if (key.startsWith('scripts/map/mapLibre/')) return false
      const path = key.split('/')
      const { words, indexed } = path[0] === 'messages' ? ofServices : ofPages
      const isUsed = words.has(path.at(-1)!) || path.slice(0, -1).some((group) => indexed.has(group))
      return !isUsed
    })
    expect(unused).toEqual([])
  })
})
