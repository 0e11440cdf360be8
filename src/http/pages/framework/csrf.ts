import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { formOf } from './form.ts'
import { cookieOf, csrfCookie, ownOrigin } from './session.ts'

export class FormRefused extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'FormRefused'
  }
}

/** Derived from the secret in the cookie. */
const tokenOf = (secret: string, purpose: string) => createHmac('sha256', secret).update(`csrf ${purpose}`).digest()

const TOKEN_BYTES = 32

const mixed = (one: Buffer, other: Buffer) => Buffer.from(one.map((byte, index) => byte ^ other[index]!))

/** Masks the token with random bytes on each page, because pages are compressed (BREACH). */
function masked(known: Buffer): string {
  const mask = randomBytes(TOKEN_BYTES)
  return Buffer.concat([mask, mixed(known, mask)]).toString('base64url')
}

const isToken = (text: string | undefined, expected: Buffer) => {
  const given = Buffer.from(text ?? '', 'base64url')
  if (given.length !== 2 * TOKEN_BYTES) return false
  return timingSafeEqual(mixed(given.subarray(TOKEN_BYTES), given.subarray(0, TOKEN_BYTES)), expected)
}

function requireOwnOrigin(request: FastifyRequest): void {
  const { headers } = request
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw new FormRefused('The form was sent from another site.')
  // With `Referrer-Policy: no-referrer` browsers send the origin "null", so the token decides.
  if (headers.origin !== undefined && headers.origin !== 'null' && headers.origin !== ownOrigin(request)) {
    throw new FormRefused('The form was sent from another address.')
  }
}

function requireToken(request: FastifyRequest, secret: string | undefined, purpose: string): void {
  const values = formOf(request).getAll('csrf')
  if (secret !== undefined && values.length === 1 && isToken(values[0], tokenOf(secret, purpose))) return
  throw new FormRefused('The form is out of date or comes from another browser.')
}

/** Whether a form comes from a page of this instance, even if its session has expired. */
export function isOwnForm(request: FastifyRequest): boolean {
  try {
    requireOwnOrigin(request)
    const { origin, 'sec-fetch-site': site } = request.headers
    if (site === undefined && origin !== ownOrigin(request))
      requireToken(request, cookieOf(request, 'session'), 'session ')
    return true
  } catch (error) {
    if (error instanceof FormRefused) return false
    throw error
  }
}

const BEFORE_SIGN_IN = 'before sign-in'

/** The value of the hidden field `csrf`. A binding ties the form to more than the session. */
export const csrfField = (request: FastifyRequest, binding = ''): string =>
  masked(tokenOf(cookieOf(request, 'session') ?? '', `session ${binding}`))

/** Refuses a form that was not made by `csrfField` with the same session and binding (contract 7.11). */
export function requireCsrf(request: FastifyRequest, binding = ''): void {
  requireOwnOrigin(request)
  requireToken(request, cookieOf(request, 'session'), `session ${binding}`)
}

/** For forms before the sign-in, bound to the csrf cookie. */
export const signInCsrfField = (request: FastifyRequest): string => masked(tokenOf(csrfCookie(request), BEFORE_SIGN_IN))

export function requireSignInCsrf(request: FastifyRequest): void {
  requireOwnOrigin(request)
  requireToken(request, cookieOf(request, 'csrf'), BEFORE_SIGN_IN)
}
