import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { formOf } from './form.ts'
import { cookieOf, csrfCookie, ownOrigin } from './session.ts'

export class FormRefused extends Error {
  override name = 'FormRefused'
  readonly reason: 'otherSite' | 'outOfDate'

  constructor(reason: FormRefused['reason']) {
    super(`Form refused: ${reason}`)
    this.reason = reason
  }
}

const TOKEN_BYTES = 32
const BEFORE_SIGN_IN = 'before sign-in'

const tokenOf = (secret: string, purpose: string) => createHmac('sha256', secret).update(`csrf ${purpose}`).digest()

const xor = (one: Buffer, other: Buffer) => Buffer.from(one.map((byte, index) => byte ^ other[index]!))

/** Masks the token with random bytes on each page, because pages are compressed (BREACH). */
function masked(token: Buffer): string {
  const mask = randomBytes(TOKEN_BYTES)
  return Buffer.concat([mask, xor(token, mask)]).toString('base64url')
}

function isOwnOrigin(request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined && site !== 'same-origin') return false
  // With `Referrer-Policy: no-referrer` browsers send the origin "null", so the token decides.
  return origin === undefined || origin === 'null' || origin === ownOrigin(request)
}

/** Scripts send the token in a header. */
const CSRF_HEADER = 'x-csrf-token'

function sentTokens(request: FastifyRequest): unknown[] {
  const header = request.headers[CSRF_HEADER]
  return header === undefined ? formOf(request).getAll('csrf') : [header]
}

function hasToken(request: FastifyRequest, secret: string | undefined, purpose: string): boolean {
  const [value, ...more] = sentTokens(request)
  const given = Buffer.from(typeof value === 'string' ? value : '', 'base64url')
  if (secret === undefined || more.length > 0 || given.length !== 2 * TOKEN_BYTES) return false
  const token = xor(given.subarray(TOKEN_BYTES), given.subarray(0, TOKEN_BYTES))
  return timingSafeEqual(token, tokenOf(secret, purpose))
}

/** Enough for a form that changes nothing on the server. */
export function requireOwnOrigin(request: FastifyRequest): void {
  if (!isOwnOrigin(request)) throw new FormRefused('otherSite')
}

function requireOwnForm(request: FastifyRequest, secret: string | undefined, purpose: string): void {
  requireOwnOrigin(request)
  if (!hasToken(request, secret, purpose)) throw new FormRefused('outOfDate')
}

/** Whether a form comes from a page of this instance, even if its session has expired. */
export function isOwnForm(request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (!isOwnOrigin(request)) return false
  return (
    site !== undefined || origin === ownOrigin(request) || hasToken(request, cookieOf(request, 'session'), 'session ')
  )
}

/** The value of the hidden field `csrf`. A binding ties the form to more than the session. */
export const csrfField = (request: FastifyRequest, binding = ''): string =>
  masked(tokenOf(cookieOf(request, 'session') ?? '', `session ${binding}`))

/** Refuses a form that was not made by `csrfField` with the same session and binding (contract 7.11). */
export const requireCsrf = (request: FastifyRequest, binding = ''): void =>
  requireOwnForm(request, cookieOf(request, 'session'), `session ${binding}`)

/** For forms before the sign-in, bound to the csrf cookie. */
export const signInCsrfField = (request: FastifyRequest): string => masked(tokenOf(csrfCookie(request), BEFORE_SIGN_IN))

export const requireSignInCsrf = (request: FastifyRequest): void =>
  requireOwnForm(request, cookieOf(request, 'csrf'), BEFORE_SIGN_IN)
