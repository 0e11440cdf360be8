import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { languageNames, languages } from '../../../lib/languages.ts'
import { plainPath } from '../../shared/methods.ts'
import { Form } from '../components/forms.tsx'
import { isLanguage } from '../texts/languages.ts'
import type { PageContext } from './context.ts'
import { csrfField, requireOwnOrigin } from './csrf.ts'
import { fieldOf, formOf } from './form.ts'
import { rememberLanguage, useLocalization, useTexts } from './localization.ts'
import { knownCaller } from './session.ts'

/** For the switch below pages without a menu. */
interface Address {
  page: string
  /** Only for signed-in users, whose preference changes. */
  csrf: string | undefined
}

export const AddressContext = createContext<Address | undefined>(undefined)

/** Refused forms do not repeat queries, which can contain secrets. */
export function addressOf(request: FastifyRequest, status: number): Address {
  const { method, url } = request
  return {
    page: method === 'GET' && status < 400 ? url : plainPath(url),
    csrf: knownCaller(request) && csrfField(request),
  }
}

interface ChoicesProps {
  action: string
  csrf: string | undefined
  /** The page to return to. */
  page: string
  /** The preference of a signed-in user. */
  chosen?: string | undefined
}

/** Each language has its own name, which speakers recognize on pages in any language. */
export function LanguageChoices({ action, csrf, page, chosen }: ChoicesProps) {
  const { language } = useLocalization()
  const { label, choices } = useTexts().settings.preferences.fields.language
  const current = chosen ?? language
  return (
    <Form method="post" action={action} hidden={{ csrf, next: page }}>
      <fieldset class="switch languages">
        <legend class="unseen">{label}</legend>
        {chosen !== undefined && (
          <button type="submit" name="language" value="auto" aria-pressed={current === 'auto'}>
            {choices.auto}
          </button>
        )}
        {languages.map((value) => (
          <button
            key={value}
            type="submit"
            name="language"
            value={value}
            lang={value === language ? undefined : value}
            aria-pressed={value === current}
          >
            {languageNames[value]}
          </button>
        ))}
      </fieldset>
    </Form>
  )
}

/** Below pages without the account menu. */
export function LanguageFooter({ basePath, page }: { basePath: string; page: string | undefined }) {
  const address = useContext(AddressContext)
  if (!address) return null
  return (
    <footer>
      <LanguageChoices
        {...address}
        {...(page && { page })}
        action={`${basePath}${address.csrf ? '/settings/language' : '/language'}`}
      />
    </footer>
  )
}

/** Only sets a cookie, so visitors need no CSRF token and get no other cookie. */
export async function languageSwitch(app: FastifyInstance, { routes }: PageContext): Promise<void> {
  app.post('/language', async (request, reply) => {
    requireOwnOrigin(request)
    const form = formOf(request)
    const language = fieldOf(form, 'language')
    if (isLanguage(language)) rememberLanguage(request, language)
    return reply.redirect(routes.samePage(fieldOf(form, 'next')), 303)
  })
}
