import type { Language as SupportedLanguage } from '../../../lib/languages.ts'
import { acceptedOf } from './accepted.ts'
import { en } from './en/index.ts'
import { compile, type Texts, type Translation } from './message.ts'

type Source = typeof en
export type PageTexts = Texts<Source>

/** A new language is one folder and one line. */
const catalogues = { en } satisfies Partial<Record<SupportedLanguage, Translation<Source>>>

export type Language = keyof typeof catalogues
export const pageLanguages = Object.keys(catalogues) as Language[]

export const isLanguage = (text: unknown): text is Language => pageLanguages.some((language) => language === text)

const compiled = new Map<Language, PageTexts>()

export function textsIn(language: Language): PageTexts {
  const known = compiled.get(language)
  if (known) return known
  const texts = compile<Source>(language, catalogues[language])
  compiled.set(language, texts)
  return texts
}

/** For scripts, which compile or fill messages themselves. */
export const scriptTextsIn = (language: Language): Translation<Source>['scripts'] => catalogues[language].scripts

/** The first accepted language that has a catalogue. */
export const acceptedLanguage = (acceptLanguage?: string): Language => acceptedOf(pageLanguages, acceptLanguage) ?? 'en'
