import cookie, { type CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, viaPage } from '../../access/caller.ts'
import { SESSION_SECONDS, type SessionService } from '../../domain/sessions/service.ts'
import { describeDevice } from '../../lib/device.ts'
import { newToken } from '../../lib/secret.ts'

const plainNames = { session: 'paxlog', oauth: 'paxlog-oauth', csrf: 'paxlog-csrf', oidc: 'paxlog-oidc' } as const
type CookieName = keyof typeof plainNames

interface Browser {
  reply: FastifyReply
  sessions: SessionService
  /** The origin of BASE_URL. */
  origin: string
  addressOf: (request: FastifyRequest) => string
  /** Looked up once a request, and only by pages that ask. */
  caller?: Caller | undefined
  isKnown: boolean
}

interface Options {
  sessions: SessionService
  baseUrl: string
  addressOf: (request: FastifyRequest) => string
}

/** Thrown by pages that need a sign-in; the answer leads there and back. */
export class SignInNeeded extends Error {
  readonly returnTo: string

  constructor(returnTo: string) {
    super('This page needs a sign-in.')
    this.name = 'SignInNeeded'
    this.returnTo = returnTo
  }
}

const browsers = new WeakMap<FastifyRequest, Browser>()
const browserOf = (request: FastifyRequest): Browser => browsers.get(request)!

/** Cookies exist for pages only: other surfaces never register this. */
export async function readCookies(app: FastifyInstance, { sessions, baseUrl, addressOf }: Options): Promise<void> {
  await app.register(cookie)
  const { origin } = new URL(baseUrl)
  app.addHook('onRequest', (request, reply, done) => {
    browsers.set(request, { reply, sessions, origin, addressOf, isKnown: false })
    done()
  })
}

export const ownOrigin = (request: FastifyRequest): string => browserOf(request).origin

const isSecure = ({ origin }: Browser) => origin.startsWith('https:')

// The prefix keeps other hosts of the same domain from planting a cookie; browsers honour it under https only.
const nameOf = (browser: Browser, name: CookieName) =>
  isSecure(browser) ? `__Host-${plainNames[name]}` : plainNames[name]

/** A value that Paxlog can have made itself; anything else counts as absent. */
export function cookieOf(request: FastifyRequest, name: CookieName): string | undefined {
  const value = request.cookies[nameOf(browserOf(request), name)]
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}

/** Without a life of its own the cookie ends with the browser; a life of 0 removes it. */
export function setCookie(request: FastifyRequest, name: CookieName, value: string, maxAge?: number): void {
  const browser = browserOf(request)
  const attributes: CookieSerializeOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(browser) }
  browser.reply.setCookie(nameOf(browser, name), value, { ...attributes, ...(maxAge !== undefined && { maxAge }) })
}

/** The random value that ties forms to a browser before anybody is signed in. */
export function csrfCookie(request: FastifyRequest): string {
  const known = cookieOf(request, 'csrf')
  if (known !== undefined) return known
  const value = newToken()
  setCookie(request, 'csrf', value)
  return value
}

/** For the record of who did what. */
export const viaOf = (request: FastifyRequest) =>
  viaPage(browserOf(request).addressOf(request), describeDevice(request.headers['user-agent']))

/** Who is signed in, with the rights of this moment. */
export function callerOf(request: FastifyRequest): Caller | undefined {
  const browser = browserOf(request)
  if (browser.isKnown) return browser.caller
  const id = cookieOf(request, 'session')
  const session = id === undefined ? undefined : browser.sessions.find(id)
  browser.isKnown = true
  browser.caller = session && { ...session.caller, via: viaOf(request) }
  if (session?.renewed) rememberSession(request, id!)
  return browser.caller
}

/** The caller, or a way to sign in that leads back here: to the page itself, or to the page that held the form. */
export function requireCaller(request: FastifyRequest, returnTo = request.url): Caller {
  const caller = callerOf(request)
  if (!caller) throw new SignInNeeded(returnTo)
  return caller
}

/** Whether somebody is signed in before a long form is read; who it is, is asked again once it is there. */
export function hasSession(request: FastifyRequest): boolean {
  const isSignedIn = callerOf(request) !== undefined
  browserOf(request).isKnown = false
  return isSignedIn
}

/** Whether the browser holds a session that is over. */
export const sessionEnded = (request: FastifyRequest): boolean =>
  cookieOf(request, 'session') !== undefined && callerOf(request) === undefined

export const rememberSession = (request: FastifyRequest, id: string): void =>
  setCookie(request, 'session', id, SESSION_SECONDS)

export async function endSession(request: FastifyRequest): Promise<void> {
  const id = cookieOf(request, 'session')
  if (id !== undefined) await browserOf(request).sessions.end(id, callerOf(request))
  setCookie(request, 'session', '', 0)
}
