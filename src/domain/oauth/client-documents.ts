import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../../lib/clock.ts'
import { isObject } from '../../lib/objects.ts'
import { english } from '../../messages/english.ts'
import type { MemoryService } from '../memory/service.ts'
import { cleanName, redirectUrisOf } from './clients.ts'
import { type ClientMetadataMode, OAuthError } from './contract.ts'
import { fetchDocument, localNetwork, MAX_DOCUMENT_BYTES, publicNetwork, unusableDocument } from './fetch-document.ts'

const MAX_URL_LENGTH = 2048
const MAX_DOCUMENTS = 1000
const MAX_FETCHES_PER_MINUTE = 10
const MIN_CACHE_SECONDS = 300
const MAX_CACHE_SECONDS = 24 * 3600
const FAILURE_CACHE_SECONDS = 60

/** The parts of a client id metadata document that Paxlog uses. */
export interface ClientDocument {
  name: string
  website: string | null
  redirectUris: string[]
}

type Cached = { expiresAt: number } & ({ document: ClientDocument } | { failure: string })

interface Dependencies {
  mode: ClientMetadataMode
  clock: Clock
  memory: MemoryService
  privateSchemes: readonly string[]
}

/** Ids of registered clients contain no colon. */
const isUrl = (clientId: string) => clientId.includes(':')

function documentUrl(clientId: string, mode: ClientMetadataMode): URL {
  if (mode === 'off') {
    throw new OAuthError('invalid_request', english.oauth.noUrlClients)
  }
  const isLocal = mode === 'local'
  const url = clientId.length <= MAX_URL_LENGTH ? URL.parse(clientId) : null
  const isAllowed =
    url !== null &&
    // Excludes other spellings of hosts and paths, so that users read the host that is contacted.
    url.href === clientId &&
    (url.protocol === 'https:' || (isLocal && url.protocol === 'http:')) &&
    url.pathname !== '/' &&
    url.username + url.password === '' &&
    !clientId.includes('#') &&
    !url.hostname.endsWith('.') &&
    (isLocal || url.port === '')
  if (isAllowed) return url
  throw new OAuthError('invalid_request', english.oauth.urlClient({ max: MAX_URL_LENGTH }))
}

/** Seconds that a response is fresh (RFC 9111 section 4.2), within the limits of contract 17.10. */
export function cacheSeconds(headers: IncomingHttpHeaders, now: number): number {
  const { 'cache-control': control = '', age, expires, date } = headers
  const maxAge = /(?:^|[\s,])max-age="?(\d+)/i.exec(control)?.[1]
  const freshSeconds =
    maxAge === undefined
      ? (Date.parse(expires ?? '') - (date === undefined ? now : Date.parse(date))) / 1000
      : Number(maxAge) - (Number(age) || 0)
  if (Number.isNaN(freshSeconds) || /(?:^|[\s,])no-(?:store|cache)/i.test(control)) return MIN_CACHE_SECONDS
  return Math.min(MAX_CACHE_SECONDS, Math.max(MIN_CACHE_SECONDS, freshSeconds))
}

/** Shown as text, never as a link. */
function websiteOf(uri: unknown): string | null {
  const url = typeof uri === 'string' ? URL.parse(uri) : null
  const isShown = url?.protocol === 'https:' && url.username + url.password === '' && url.href.length <= MAX_URL_LENGTH
  return isShown ? url.href : null
}

function parseObject(content: Buffer): Record<string, unknown> {
  let value: unknown
  try {
    value = isUtf8(content) ? JSON.parse(content.toString()) : undefined
  } catch {
    // Reported below.
  }
  if (!isObject(value)) throw unusableDocument(english.oauth.documentNotObject)
  return value
}

function parseDocument(content: Buffer, url: URL, privateSchemes: readonly string[]): ClientDocument {
  const metadata = parseObject(content)
  if (metadata.client_id !== url.href) throw unusableDocument(english.oauth.documentClientId)
  const { token_endpoint_auth_method: authMethod = 'none' } = metadata
  if (authMethod !== 'none') throw unusableDocument(english.oauth.documentAuthMethod)
  if (Object.hasOwn(metadata, 'client_secret')) throw unusableDocument(english.oauth.documentSecret)
  return {
    redirectUris: redirectUrisOf(metadata, privateSchemes),
    name: cleanName(metadata.client_name, url.host),
    website: websiteOf(metadata.client_uri),
  }
}

/** Clients that are identified by the URL of their metadata (contract 17.10). */
export function clientDocuments({ mode, clock, memory, privateSchemes }: Dependencies) {
  const network = mode === 'local' ? localNetwork : publicNetwork
  const cache = memory.store<Cached>('client documents', {
    maxBytes: MAX_DOCUMENTS * MAX_DOCUMENT_BYTES,
    maxEntries: MAX_DOCUMENTS,
    sizeOf: () => MAX_DOCUMENT_BYTES,
    ttlMs: MAX_CACHE_SECONDS * 1000,
  })
  const limiter = memory.limiter('client documents', {
    limit: MAX_FETCHES_PER_MINUTE,
    windowMs: 60_000,
    capacity: 10_000,
  })

  async function load(url: URL): Promise<Cached> {
    try {
      const { content, headers } = await fetchDocument(url, network)
      const document = parseDocument(content, url, privateSchemes)
      return { document, expiresAt: clock() + cacheSeconds(headers, clock()) * 1000 }
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      return { failure: error.message, expiresAt: clock() + FAILURE_CACHE_SECONDS * 1000 }
    }
  }

  async function find(clientId: string, userId: string): Promise<ClientDocument> {
    const url = documentUrl(clientId, mode)
    let cached = cache.get(clientId)
    if (!cached || cached.expiresAt <= clock()) {
      const wait = limiter.take(userId)
      if (wait > 0) {
        throw new OAuthError('invalid_request', english.oauth.tooManyApplications({ seconds: wait }))
      }
      cached = await load(url)
      cache.set(clientId, cached)
    }
    if ('failure' in cached) throw new OAuthError('invalid_request', cached.failure)
    return cached.document
  }

  return { isUrl, find, check: (clientId: string): void => void documentUrl(clientId, mode) }
}

export type ClientDocuments = ReturnType<typeof clientDocuments>
