import type { Language } from '../../../lib/languages.ts'

export type Names = ReturnType<typeof namesIn>

/** Names of countries, and how a language sorts and lists names. */
export function namesIn(language: Language) {
  const { compare } = new Intl.Collator(language)
  const lists = new Intl.ListFormat(language, { type: language === 'ja' ? 'conjunction' : 'unit' })
  let regions: Intl.DisplayNames | undefined
  // Intl.DisplayNames is slow.
  const countries = new Map<string, string>()

  function country(code: string): string {
    const known = countries.get(code)
    if (known !== undefined) return known
    regions ??= new Intl.DisplayNames(language, { type: 'region' })
    const name = regions.of(code) ?? code
    countries.set(code, name)
    return name
  }

  return { country, compare, list: (items: readonly string[]): string => lists.format(items) }
}
