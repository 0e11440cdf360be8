import type { FastifyRequest } from 'fastify'
import type { Language } from '../../../lib/languages.ts'
import { type Localization, localizationOf } from '../framework/localization.ts'
import { textsIn } from '../texts/languages.ts'

const LANGUAGES_WITHOUT_FONT: readonly Language[] = ['ja']

/** The language of a picture. The bundled fonts have no Japanese letters, so these pictures are English. */
export function pictureLocalization(request: FastifyRequest): Localization {
  const { language, texts } = localizationOf(request)
  return LANGUAGES_WITHOUT_FONT.includes(language) ? { language: 'en', texts: textsIn('en') } : { language, texts }
}

/** Letters of the bundled fonts: Latin, Greek and Cyrillic. A missing letter would be an empty box. */
const DRAWABLE =
  /^[ -~\u00a0-\u00ac\u00ae-\u0148\u014a-\u01c3\u0386-\u03ce\u0400-\u045f\u1ea0-\u1ef9\u2010-\u2027\u202f-\u203a\u20ac\u2190-\u2193\u2212]*$/

export const isDrawable = (text: string): boolean => DRAWABLE.test(text)
