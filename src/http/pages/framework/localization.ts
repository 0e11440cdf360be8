import type { FastifyRequest } from 'fastify'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { acceptedLanguage, type Language, type PageTexts, scriptTextsIn, textsIn } from '../texts/languages.ts'

/** The language of a request, and the texts of the pages in it. */
export interface Localization {
  language: Language
  texts: PageTexts
}

/** For handlers. */
export function localizationOf(request: FastifyRequest): Localization {
  const language = acceptedLanguage(request.headers['accept-language'])
  return { language, texts: textsIn(language) }
}

export const LocalizationContext = createContext<Localization | undefined>(undefined)

export function useLocalization(): Localization {
  const localization = useContext(LocalizationContext)
  if (!localization) throw new Error('A page is rendered without a language.')
  return localization
}

/** For views. */
export const useTexts = (): PageTexts => useLocalization().texts

/** The value of `data-texts` of an element that a script enhances. */
export const useScriptTexts = (script: keyof PageTexts['scripts']): string =>
  JSON.stringify(scriptTextsIn(useLocalization().language)[script])
