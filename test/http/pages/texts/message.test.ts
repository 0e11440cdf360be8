import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { acceptedLanguage } from '../../../../src/http/pages/texts/languages.ts'
import { compile, plural, type Translation } from '../../../../src/http/pages/texts/message.ts'

const en = {
  title: 'Flights',
  page: 'Flights, page {page}',
  times: plural({ one: '{count} time', other: '{count} times' }),
  between: plural({ one: '{count} flight from {from}', other: '{count} flights from {from}' }),
  signedIn: 'Signed in as <name>{username}</name>. <link>Sign out</link>',
  hidden: plural({ one: '{count}<unseen> flight</unseen>', other: '{count}<unseen> flights</unseen>' }),
  classes: { economy: 'Economy', other: 'Other' },
} as const

const de = {
  title: 'Flüge',
  page: 'Flüge, Seite {page}',
  times: plural({ one: '{count}-mal', other: '{count}-mal' }),
  between: plural({ one: '{count} Flug ab {from}', other: '{count} Flüge ab {from}' }),
  signedIn: 'Angemeldet als <name>{username}</name>. <link>Abmelden</link>',
  hidden: plural({ one: '{count}<unseen> Flug</unseen>', other: '{count}<unseen> Flüge</unseen>' }),
  classes: { economy: 'Economy', other: 'Andere' },
} as const satisfies Translation<typeof en>

test('a translation without a key, a placeholder or an element does not compile', () => {
  // @ts-expect-error: no key may be missing
  const withoutKey = { title: 'Flüge' } as const satisfies Translation<typeof en>
  const withoutPlaceholder = {
    ...de,
    // @ts-expect-error: {page} is missing
    page: 'Flüge',
    // @ts-expect-error: {from} is missing
    between: plural({ other: '{count} Flüge' }),
    // @ts-expect-error: <link> is missing
    signedIn: 'Angemeldet als <name>{username}</name>.',
  } as const satisfies Translation<typeof en>
  expect([withoutKey.title, withoutPlaceholder.page]).toEqual(['Flüge', 'Flüge'])
})

describe('texts', () => {
  const english = compile<typeof en>('en', en)
  const german = compile<typeof en>('de', de)

  test('are strings without placeholders, also in groups', () => {
    expect([english.title, german.title, german.classes.other]).toEqual(['Flights', 'Flüge', 'Andere'])
  })

  test('fill in values and format numbers in their language', () => {
    expect(english.page({ page: 12_345 })).toBe('Flights, page 12,345')
    expect(german.page({ page: 12_345 })).toBe('Flüge, Seite 12.345')
    expect(english.page({ page: '<b>{page}</b>' })).toBe('Flights, page <b>{page}</b>')
    // @ts-expect-error: a value is missing
    english.page({})
  })

  test('choose the plural form by the rules of the language', () => {
    expect([0, 1, 2].map((count) => english.times({ count }))).toEqual(['0 times', '1 time', '2 times'])
    expect([1, 2].map((count) => german.between({ count, from: 'ZRH' }))).toEqual(['1 Flug ab ZRH', '2 Flüge ab ZRH'])
  })

  test('put elements around parts of a sentence and escape values', () => {
    const parts = {
      username: '<Mira>',
      name: (text: string) => h('strong', {}, text),
      link: (text: string) => h('a', { href: '/' }, text),
    }
    expect(renderToString(h('p', {}, german.signedIn(parts)))).toBe(
      '<p>Angemeldet als <strong>&lt;Mira></strong>. <a href="/">Abmelden</a></p>',
    )
    const unseen = (text: string) => h('span', {}, text)
    expect(renderToString(h('p', {}, german.hidden({ count: 1000, unseen })))).toBe('<p>1.000<span> Flüge</span></p>')
  })
})

test('the first accepted language that has a catalogue is used, else English', () => {
  for (const header of [undefined, '', 'sv', 'xx,*;q=0.1', 'en-US,en;q=0.5', 'de;q=0', ';;;,,,q', 'a'.repeat(10_000)]) {
    expect([header, acceptedLanguage(header)]).toEqual([header, 'en'])
  }
  expect(acceptedLanguage('sv, pt-BR;q=0.7, de-CH;q=0.8, en;q=0.5')).toBe('de')
  expect(acceptedLanguage('JA')).toBe('ja')
})
