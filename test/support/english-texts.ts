import { catalogues } from '../../src/http/pages/texts/languages.ts'
import type { Catalogue } from '../../src/http/pages/texts/message.ts'
import type { Language } from '../../src/lib/languages.ts'

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

/** Code, and texts of users and applications, which keep their own direction. */
const FOREIGN = new Set('code pre kbd samp bdi textarea script style'.split(' '))

const SPOKEN = /\s(?:aria-label|title|placeholder|alt|content|aria-description)="([^"]*)"/g

const decoded = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** What a visitor of a page in this language reads or hears, except code, texts of users and parts in other languages. */
function textsIn(html: string, language: Language): string[] {
  const texts: string[] = []
  const open: { tag: string; isForeign: boolean }[] = []
  for (const [token, closing, tag, attributes = ''] of html.matchAll(
    /<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|[^>"])*)>|<!doctype html>|[^<]+/g,
  )) {
    const isForeign = open.at(-1)?.isForeign ?? false
    if (tag === undefined) {
      if (!isForeign && !token.startsWith('<!')) texts.push(token)
    } else if (closing) {
      open.length = Math.max(
        0,
        open.findLastIndex((each) => each.tag === tag),
      )
    } else {
      const lang = /\slang="([^"]*)"/.exec(attributes)?.[1]
      const hasOwnText = FOREIGN.has(tag) || /\sdir="auto"/.test(attributes)
      const isOther = lang === undefined ? isForeign || hasOwnText : lang !== language
      const spoken = isForeign || isOther ? [] : [...attributes.matchAll(SPOKEN)].map(([, text]) => text!)
      const scripts = / data-texts="([^"]*)"/.exec(attributes)?.[1]
      texts.push(...spoken, ...(scripts ? leaves(JSON.parse(decoded(scripts))) : []))
      if (!VOID.has(tag) && !attributes.endsWith('/')) open.push({ tag, isForeign: isOther })
    }
  }
  return texts.map((text) => decoded(text).replace(/\s+/g, ' ').trim()).filter((text) => /\p{L}/u.test(text))
}

const leaves = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(leaves)

/** Words that exist in English only. In capitals, they may be codes. */
const ENGLISH =
  /(?<!\p{L})(?:about|[Aa]nd|been|by|cannot|[Ff]rom|have|must|of|that|[Tt]he|[Tt]his|to|were|which|[Ww]ith|[Yy]our?)(?!\p{L})/u

/** English texts of several words, and all that other catalogues have in their place. */
function translationsOf(english: Catalogue, other: Catalogue, found = new Map<string, Set<string>>()) {
  for (const [key, text] of Object.entries(english)) {
    const own = other[key]!
    if (typeof text !== 'string') translationsOf(text as Catalogue, own as Catalogue, found)
    else if (/\p{L} \p{L}/u.test(text)) found.set(text, (found.get(text) ?? new Set()).add(own as string))
  }
  return found
}

/** Finds English texts of a page in another language. `names` are texts of the data. */
export function englishFinder(language: Language, names: readonly string[]) {
  const [english, own] = ['en', language].map((each) => catalogues[each as Language] as unknown as Catalogue)
  const translations = translationsOf(english!, own!)
  const longestFirst = names.filter((name) => /\p{L} /u.test(name)).toSorted((a, b) => b.length - a.length)
  const withoutNames = (text: string) => longestFirst.reduce((rest, name) => rest.replaceAll(name, '·'), text)

  const isEnglish = (text: string): boolean => {
    const translated = translations.get(text)
    if (translated && !translated.has(text)) return true
    const isSuspicious = (each: string) =>
      ENGLISH.test(each) || (language === 'ja' && /\p{Script=Latin}{2,}(?: \p{Script=Latin}{2,}){2}/u.test(each))
    return isSuspicious(text) && isSuspicious(withoutNames(text))
  }

  return (html: string): string[] => [...new Set(textsIn(html, language).filter(isEnglish))]
}
