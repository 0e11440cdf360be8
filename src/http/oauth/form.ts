import type { FastifyRequest } from 'fastify'
import type { ClientCredentials } from '../../domain/oauth/contract.ts'
import { OAuthError } from '../../domain/oauth/errors.ts'

const FORM = 'application/x-www-form-urlencoded'

/** Parameters must be unique; empty ones are treated as absent. */
export type Form = ReadonlyMap<string, string>

export function parseForm(request: FastifyRequest): Form {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== FORM) throw new OAuthError('invalid_request', `Send the parameters as ${FORM}.`)
  const form = new Map<string, string>()
  for (const [name, value] of new URLSearchParams((request.body as Buffer | undefined)?.toString() ?? '')) {
    if (form.has(name)) throw new OAuthError('invalid_request', `The parameter ${name} is given twice.`)
    form.set(name, value)
  }
  for (const [name, value] of form) if (value === '') form.delete(name)
  return form
}

export function requireParameter(form: Form, name: string): string {
  const value = form.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`)
  return value
}

/** RFC 6749 section 2.3.1: both parts are form-urlencoded. */
function basicCredentials(header: string): ClientCredentials {
  const undecodable = new OAuthError('invalid_client', 'The Basic credentials cannot be decoded.')
  const encoded = header.replace(/^basic\s+/i, '')
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1 || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) throw undecodable
  try {
    const decoded = (part: string) => decodeURIComponent(part.replaceAll('+', ' '))
    return { clientId: decoded(text.slice(0, colon)), clientSecret: decoded(text.slice(colon + 1)) }
  } catch {
    // The message must not repeat what may be a secret.
    throw undecodable
  }
}

/** From the body or HTTP Basic, but not both (contract 7.7, step 3). */
export function readCredentials(request: FastifyRequest, form: Form): ClientCredentials {
  const { authorization } = request.headers
  if (!authorization || !/^basic(\s|$)/i.test(authorization)) {
    return { clientId: requireParameter(form, 'client_id'), clientSecret: form.get('client_secret') }
  }
  const basic = basicCredentials(authorization)
  const named = form.get('client_id')
  if (form.has('client_secret') || (named !== undefined && named !== basic.clientId)) {
    throw new OAuthError('invalid_request', 'Send the client credentials either in the header or in the body.')
  }
  return basic
}
