import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Language } from '../../../lib/languages.ts'
import { acceptedLanguage, isLanguage, type PageTexts, scriptTextsIn, textsIn } from '../texts/languages.ts'
import { preferredLanguage, setPlainCookie } from './session.ts'

/** The language of a request, and the texts of the pages in it. */
export interface Localization {
  language: Language
  texts: PageTexts
}

interface RequestLocalization extends Localization {
  /** By the user, not by the browser. */
  isChosen: boolean
}

const LANGUAGE_COOKIE = 'paxlog-language'
const LANGUAGE_COOKIE_SECONDS = 365 * 24 * 3600

const known = new WeakMap<FastifyRequest, RequestLocalization>()
/** Requests whose answers depend on the language. */
const dependent = new WeakSet<FastifyRequest>()

function chosenLanguage(request: FastifyRequest): Language | undefined {
  // Cookies are not parsed if an error comes first.
  const choices = [preferredLanguage(request), request.cookies?.[LANGUAGE_COOKIE]]
  return choices.find(isLanguage)
}

/** The preference of the signed-in user, else the cookie of the switch, else the browser decides. */
function resolve(request: FastifyRequest): RequestLocalization {
  const found = known.get(request)
  if (found) return found
  const chosen = chosenLanguage(request)
  const language = chosen ?? acceptedLanguage(request.headers['accept-language'])
  const localization = { language, isChosen: chosen !== undefined, texts: textsIn(language) }
  known.set(request, localization)
  return localization
}

/** For handlers. */
export function localizationOf(request: FastifyRequest): RequestLocalization {
  dependent.add(request)
  return resolve(request)
}

/** For answers that do not depend on it. */
export const languageOf = (request: FastifyRequest): Language => resolve(request).language

/** For visitors. */
export const rememberLanguage = (request: FastifyRequest, language: Language): void =>
  setPlainCookie(request, LANGUAGE_COOKIE, language, LANGUAGE_COOKIE_SECONDS)

/** After a new preference, also for the rest of the request. `auto` undoes an earlier choice in this browser too. */
export function changeLanguage(request: FastifyRequest, preference: string): Localization {
  if (preference === 'auto' && request.cookies[LANGUAGE_COOKIE] !== undefined) {
    setPlainCookie(request, LANGUAGE_COOKIE, '', 0)
  }
  const language = isLanguage(preference) ? preference : acceptedLanguage(request.headers['accept-language'])
  const localization = { language, isChosen: preference !== 'auto', texts: textsIn(language) }
  known.set(request, localization)
  return localization
}

/** Sets the headers of all answers whose content depends on the language. */
export function announceLanguage(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isRedirect = reply.statusCode >= 300 && reply.statusCode < 400
    if (!dependent.has(request) || isRedirect || payload === null) return payload
    if (!reply.hasHeader('content-language')) reply.header('content-language', languageOf(request))
    reply.header('vary', [reply.getHeader('vary'), 'Accept-Language', 'Cookie'].flat().filter(Boolean).join(', '))
    return payload
  })
}

export const LocalizationContext = createContext<Localization | undefined>(undefined)

export function useLocalization(): Localization {
  const localization = useContext(LocalizationContext)
  if (!localization) throw new Error('A page is rendered without a language.')
  return localization
}

/** For views. */
export const useTexts = (): PageTexts => useLocalization().texts

/** The `lang` attribute of parts that are English on all pages. */
export const useEnglish = (): 'en' | undefined => (useLocalization().language === 'en' ? undefined : 'en')

/** The value of `data-texts` of an element that a script enhances. */
export const useScriptTexts = (script: keyof PageTexts['scripts']): string =>
  JSON.stringify(scriptTextsIn(useLocalization().language)[script])
