import cookie, { type CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, viaPage } from '../../../access/caller.ts'
import { SESSION_SECONDS } from '../../../domain/sessions/service.ts'
import { describeDevice } from '../../../lib/device.ts'
import { newToken } from '../../../lib/secret.ts'
import type { PageOptions } from './options.ts'

const plainNames = { session: 'paxlog', oauth: 'paxlog-oauth', csrf: 'paxlog-csrf', oidc: 'paxlog-oidc' } as const
type CookieName = keyof typeof plainNames

interface Browser extends Pick<PageOptions, 'sessions' | 'addressOf'> {
  reply: FastifyReply
  origin: string
  /** Whether all pages of the origin belong to this instance. */
  ownsOrigin: boolean
  caller?: Caller | undefined
  isKnown: boolean
  /** The preferred language of the caller. */
  language?: string | null | undefined
  /** Also true after a failed lookup. */
  isLookedUp: boolean
}

type Options = Pick<PageOptions, 'sessions' | 'baseUrl' | 'addressOf'>

/** Redirects to the sign-in, and back to `returnTo` afterwards. */
export class SignInNeeded extends Error {
  override name = 'SignInNeeded'
  readonly returnTo: string

  constructor(returnTo: string) {
    super('This page requires signing in.')
    this.returnTo = returnTo
  }
}

const browsers = new WeakMap<FastifyRequest, Browser>()
const browserOf = (request: FastifyRequest): Browser => browsers.get(request)!

export async function readCookies(app: FastifyInstance, { sessions, baseUrl, addressOf }: Options): Promise<void> {
  await app.register(cookie)
  const { origin, pathname } = new URL(baseUrl)
  app.addHook('onRequest', (request, reply, done) => {
    browsers.set(request, {
      reply,
      sessions,
      origin,
      ownsOrigin: pathname === '/',
      addressOf,
      isKnown: false,
      isLookedUp: false,
    })
    done()
  })
}

export const ownOrigin = (request: FastifyRequest): string => browserOf(request).origin

const isSecure = ({ origin }: Browser) => origin.startsWith('https:')

// Browsers accept the prefix over https only. It prevents other hosts of the domain from setting the cookie.
const nameOf = (browser: Browser, name: CookieName) =>
  isSecure(browser) ? `__Host-${plainNames[name]}` : plainNames[name]

/** Ignores values that Paxlog cannot have set. */
export function cookieOf(request: FastifyRequest, name: CookieName): string | undefined {
  const value = request.cookies[nameOf(browserOf(request), name)]
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}

/** For a cookie without a secret. */
export function setPlainCookie(request: FastifyRequest, name: string, value: string, maxAge?: number): void {
  const browser = browserOf(request)
  const attributes: CookieSerializeOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(browser) }
  browser.reply.setCookie(name, value, { ...attributes, ...(maxAge !== undefined && { maxAge }) })
}

/** A session cookie without `maxAge`; 0 removes the cookie. */
export const setCookie = (request: FastifyRequest, name: CookieName, value: string, maxAge?: number): void =>
  setPlainCookie(request, nameOf(browserOf(request), name), value, maxAge)

export function csrfCookie(request: FastifyRequest): string {
  const known = cookieOf(request, 'csrf')
  if (known !== undefined) return known
  const value = newToken()
  setCookie(request, 'csrf', value)
  return value
}

export const viaOf = (request: FastifyRequest) =>
  viaPage(browserOf(request).addressOf(request), describeDevice(request.headers['user-agent']))

export function callerOf(request: FastifyRequest): Caller | undefined {
  const browser = browserOf(request)
  if (browser.isKnown) return browser.caller
  const id = cookieOf(request, 'session')
  browser.isLookedUp = true
  const session = id === undefined ? undefined : browser.sessions.find(id)
  browser.isKnown = true
  browser.language = session?.language
  browser.caller = session && { ...session.caller, via: viaOf(request) }
  if (session?.renewed) rememberSession(request, id!)
  return browser.caller
}

/** For all pages, also those of visitors and of errors. A failed lookup is not repeated. */
export function preferredLanguage(request: FastifyRequest): string | null | undefined {
  const browser = browsers.get(request)
  try {
    if (browser && !browser.isLookedUp) callerOf(request)
  } catch {
    return undefined
  }
  return browser?.language
}

/** Without a lookup. */
export const knownCaller = (request: FastifyRequest): Caller | undefined => browsers.get(request)?.caller

export function requireCaller(request: FastifyRequest, returnTo = request.url): Caller {
  const caller = callerOf(request)
  if (!caller) throw new SignInNeeded(returnTo)
  return caller
}

/** For use before a long body is read: the session is looked up again afterwards. */
export function hasSession(request: FastifyRequest): boolean {
  const isSignedIn = callerOf(request) !== undefined
  browserOf(request).isKnown = false
  return isSignedIn
}

export const sessionEnded = (request: FastifyRequest): boolean =>
  cookieOf(request, 'session') !== undefined && callerOf(request) === undefined

export const rememberSession = (request: FastifyRequest, id: string): void =>
  setCookie(request, 'session', id, SESSION_SECONDS)

export async function endSession(request: FastifyRequest): Promise<void> {
  const id = cookieOf(request, 'session')
  if (id !== undefined) await browserOf(request).sessions.end(id, callerOf(request))
  setCookie(request, 'session', '', 0)
  const { reply, ownsOrigin } = browserOf(request)
  // Deletes the service worker and its pages. The header applies to the whole origin.
  if (ownsOrigin) reply.header('clear-site-data', '"storage"')
}
