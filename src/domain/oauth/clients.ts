import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { digest, newSecret, sameDigest } from '../../lib/secret.ts'
import { english } from '../../messages/english.ts'
import {
  type AuthMethod,
  applicationTypes,
  authMethods,
  type ClientCredentials,
  grantTypes,
  OAuthError,
} from './contract.ts'
import { isRedirectUri, redirectHost } from './parameters.ts'
import type { ClientRow, OAuthStore } from './store.ts'

const MAX_URIS = 10
const MAX_URIS_LENGTH = 4096
const MAX_NAME_LENGTH = 100
/** Registration is public, so unapproved clients are limited. */
export const MAX_UNAPPROVED = 1000

interface Dependencies {
  db: Db
  clock: Clock
  store: OAuthStore
  privateSchemes: readonly string[]
}

type Metadata = Readonly<Record<string, unknown>>

const invalidMetadata = (message: string) => new OAuthError('invalid_client_metadata', message)

/** Invisible and bidirectional characters could make a name misleading. */
export function cleanName(name: unknown, fallback: string): string {
  const text = typeof name === 'string' ? name.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '') : ''
  return [...text.trim()].slice(0, MAX_NAME_LENGTH).join('').trim() || fallback
}

function requireList(metadata: Metadata, name: string, allowed: readonly string[], needed: string): void {
  const value = metadata[name]
  if (value === undefined) return
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw invalidMetadata(`${name} must be a list of strings.`)
  }
  if (!value.includes(needed) || value.some((item) => !allowed.includes(item))) {
    throw invalidMetadata(`${name} must be ${allowed.join(', ')}, with ${needed} among them.`)
  }
}

function authMethodOf({ token_endpoint_auth_method: method = 'none' }: Metadata): AuthMethod {
  if (authMethods.includes(method as AuthMethod)) return method as AuthMethod
  throw invalidMetadata(`token_endpoint_auth_method must be one of ${authMethods.join(', ')}.`)
}

function applicationTypeOf({ application_type: type }: Metadata): unknown {
  if (type === undefined || applicationTypes.includes(type)) return type
  throw invalidMetadata(`application_type must be one of ${applicationTypes.join(', ')}.`)
}

export function redirectUrisOf(metadata: Metadata, privateSchemes: readonly string[]): string[] {
  const invalidUri = (message: string) => new OAuthError('invalid_redirect_uri', message)
  const uris = metadata.redirect_uris
  if (!Array.isArray(uris) || uris.length === 0) throw invalidUri(english.oauth.redirectList)
  const distinct = [...new Set(uris)]
  if (distinct.length > MAX_URIS) throw invalidUri(english.oauth.redirectCount({ max: MAX_URIS }))
  for (const uri of distinct) {
    if (typeof uri === 'string' && uri.includes('#')) throw invalidUri(english.oauth.redirectFragment)
    if (typeof uri !== 'string' || !isRedirectUri(uri, privateSchemes)) {
      throw invalidUri(english.oauth.redirectHttps)
    }
  }
  if (distinct.join('').length > MAX_URIS_LENGTH) {
    throw invalidUri(english.oauth.redirectLength({ max: MAX_URIS_LENGTH }))
  }
  return distinct
}

export function clientService({ db, clock, store, privateSchemes }: Dependencies) {
  /** RFC 7591. URLs in the metadata are never fetched. */
  async function register(metadata: Metadata) {
    const redirectUris = redirectUrisOf(metadata, privateSchemes)
    const name = cleanName(metadata.client_name, redirectHost(redirectUris[0]!))
    const authMethod = authMethodOf(metadata)
    const applicationType = applicationTypeOf(metadata)
    requireList(metadata, 'grant_types', grantTypes, 'authorization_code')
    requireList(metadata, 'response_types', ['code'], 'code')
    const id = `client_${randomBytes(18).toString('base64url')}`
    const secret = authMethod === 'none' ? undefined : newSecret('pxs_')
    const now = clock()
    const secretHash = secret === undefined ? null : digest(secret)
    await write(db, 'credentials', () => {
      store.insertClient({ id, name, redirectUris, authMethod, secretHash, createdAt: now, idleSince: now })
      store.limitUnapproved(id, MAX_UNAPPROVED)
    })
    return {
      client_id: id,
      client_id_issued_at: Math.floor(now / 1000),
      client_name: name,
      redirect_uris: redirectUris,
      token_endpoint_auth_method: authMethod,
      grant_types: grantTypes,
      response_types: ['code'],
      ...(applicationType !== undefined && { application_type: applicationType }),
      ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
    }
  }

  /** A secret of a public client is ignored. */
  function authenticate({ clientId, clientSecret }: ClientCredentials): ClientRow {
    const client = store.findClient(clientId)
    if (!client) throw new OAuthError('invalid_client', english.oauth.unknownClient)
    const { secretHash } = client
    if (secretHash !== null && (clientSecret === undefined || !sameDigest(digest(clientSecret), secretHash))) {
      throw new OAuthError('invalid_client', 'The client secret is missing or wrong.')
    }
    return client
  }

  return { register, authenticate, find: store.findClient }
}
