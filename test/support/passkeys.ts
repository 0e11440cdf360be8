import type { FastifyInstance } from 'fastify'
import { authenticator } from './authenticator.ts'
import { browserSession, csrfIn } from './browser-session.ts'
import { signedIn } from './pages.ts'

type BrowserSession = ReturnType<typeof browserSession>
type Authenticator = ReturnType<typeof authenticator>

export const SECURITY_PAGE = '/settings/security'
export const PASSKEYS = `${SECURITY_PAGE}/passkeys`
export const SIGN_IN = '/login/passkey'

/** Sends JSON like the script of a page, with the CSRF token of that page. */
export async function sendJson(
  browser: BrowserSession,
  page: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const token = csrfIn((await browser.get(page)).html)
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await browser.send('POST', path, payload, {
    'content-type': 'application/json',
    'x-csrf-token': token,
    ...headers,
  })
  return { ...answer, body: JSON.parse(answer.html) }
}

export const creationOptions = async (browser: BrowserSession) =>
  (await sendJson(browser, SECURITY_PAGE, `${PASSKEYS}/options`, {})).body

export async function addPasskey(browser: BrowserSession, key: Authenticator, name = 'Phone') {
  const response = key.create(await creationOptions(browser))
  return sendJson(browser, SECURITY_PAGE, PASSKEYS, { name, response })
}

export const signInOptions = async (browser: BrowserSession) =>
  (await sendJson(browser, '/login', `${SIGN_IN}/options`, {})).body

export const sendResponse = (browser: BrowserSession, response: unknown, next?: string) =>
  sendJson(browser, '/login', SIGN_IN, { response, next })

export const signInWith = async (browser: BrowserSession, key: Authenticator, next?: string) =>
  sendResponse(browser, key.get(await signInOptions(browser)), next)

let addresses = 0

/** A signed-out browser with an address of its own, and so with its own limits. */
export const otherBrowser = (app: FastifyInstance) =>
  browserSession(app, { address: `198.51.100.${(addresses++ % 250) + 1}` })

/** An instance whose owner has a passkey. */
export async function withPasskey(
  options: Parameters<typeof signedIn>[0] = {},
  key: Authenticator = authenticator(options.baseUrl ? { origin: new URL(options.baseUrl).origin } : {}),
) {
  const instance = await signedIn(options)
  const added = await addPasskey(instance.browser, key)
  if (added.status !== 200) throw new Error(`The passkey was not added: ${added.html}`)
  return { ...instance, key, visitor: otherBrowser(instance.app) }
}
