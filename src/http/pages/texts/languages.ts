import { type Language, languages } from '../../../lib/languages.ts'
import { acceptedOf } from './accepted.ts'
import { de } from './de/index.ts'
import { en } from './en/index.ts'
import { es } from './es/index.ts'
import { fr } from './fr/index.ts'
import { it } from './it/index.ts'
import { ja } from './ja/index.ts'
import { compile, type Texts, type Translation } from './message.ts'
import { type Names, namesIn } from './names.ts'
import { pt } from './pt/index.ts'

type Source = typeof en
export type PageTexts = Texts<Source> & { readonly names: Names }

export const catalogues: Readonly<Record<Language, Translation<Source>>> = { en, de, fr, es, it, pt, ja }

export const isLanguage = (text: unknown): text is Language => languages.some((language) => language === text)

const compiled = new Map<Language, PageTexts>()

export function textsIn(language: Language): PageTexts {
  const known = compiled.get(language)
  if (known) return known
  const texts = { ...compile<Source>(language, catalogues[language]), names: namesIn(language) }
  compiled.set(language, texts)
  return texts
}

/** For scripts, which compile or fill messages themselves. */
export const scriptTextsIn = (language: Language): Translation<Source>['scripts'] => catalogues[language].scripts

/** The first accepted language that has a catalogue. */
export const acceptedLanguage = (acceptLanguage?: string): Language => acceptedOf(languages, acceptLanguage) ?? 'en'
