import { hash } from 'node:crypto'
import { inCatalogueOrder, mcpDefaultScopes, type Scope, scopeNames } from '../../access/scopes.ts'
import { english } from '../../messages/english.ts'
import { OAuthError } from './contract.ts'

export type ResourceName = 'v1' | 'mcp'

export function resourceTable(baseUrl: string) {
  const urls: Record<ResourceName, string> = { v1: `${baseUrl}/api/v1`, mcp: `${baseUrl}/api/mcp` }

  /** Scheme and host are case-insensitive (contract 7.4, step 5). */
  function findByUrl(text: string): ResourceName | undefined {
    const [, origin = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)(.*)$/is.exec(text) ?? []
    const canonical = origin.toLowerCase() + rest
    return (Object.keys(urls) as ResourceName[]).find((name) => urls[name] === canonical)
  }

  return { urls, findByUrl }
}

export type ResourceTable = ReturnType<typeof resourceTable>

const known: ReadonlySet<string> = new Set(scopeNames)

export function parseScope(text: string): Scope[] {
  const names = text.split(' ')
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined)
    throw new OAuthError(
      'invalid_scope',
      unknown === '' ? english.oauth.emptyScope : english.oauth.unknownScope({ scope: unknown }),
    )
  return inCatalogueOrder(names)
}

/** The REST API has no default scopes; MCP has (contract 7.4, step 7). */
export function requestedScopes(text: string | undefined, resource: ResourceName): Scope[] {
  if (text !== undefined) return parseScope(text)
  if (resource === 'mcp') return [...mcpDefaultScopes]
  throw new OAuthError('invalid_scope', english.oauth.noScope)
}

export const intersectScopes = (scopes: readonly string[], granted: readonly string[]): Scope[] =>
  inCatalogueOrder(scopes.filter((scope) => granted.includes(scope)))

/** RFC 7636 section 4.2: S256 gives 43 characters. */
export const isChallenge = (text: string) => /^[\w-]{43}$/.test(text)

export const isVerifier = (text: string) => /^[A-Za-z0-9._~-]{43,128}$/.test(text)

/** RFC 7636 section 4.6. Both are digests, so timing reveals nothing. */
export const matchesChallenge = (verifier: string, challenge: string) =>
  hash('sha256', verifier, 'base64url') === challenge

const MAX_LENGTH = 2048
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=[/?]|$)/
const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){1,2}(?=[/?]|$)/i

/** The parsed host must be the host that people read. */
function isWebAddress(uri: string): boolean {
  const [, scheme, authority = ''] = /^(https?):\/\/([^/?#]*)/.exec(uri) ?? []
  const url = URL.parse(uri)
  if (!scheme || !url || authority.includes('@') || authority.includes('*')) return false
  const host = authority.replace(/:\d{1,5}$/, '')
  if (host === '' || host !== url.hostname) return false
  return LOOPBACK.test(uri) || (scheme === 'https' && /^[a-z0-9.-]+$/.test(host))
}

function isPrivateUse(uri: string, schemes: readonly string[]): boolean {
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):./.exec(uri) ?? []
  return schemes.includes(scheme) && !/^[^/?]*:\/\/[^/?]*@/.test(uri)
}

/** Contract 7.3. */
export function isRedirectUri(uri: string, privateSchemes: readonly string[]): boolean {
  if (uri.length > MAX_LENGTH || !/^[\x21-\x7e]+$/.test(uri) || /[\\#]/.test(uri)) return false
  const path = uri.replace(/^[^:]*:\/\/[^/?]*/, '').replace(/\?.*$/, '')
  if (DOT_SEGMENT.test(path)) return false
  return isWebAddress(uri) || isPrivateUse(uri, privateSchemes)
}

const withoutPort = (uri: string) => uri.replace(LOOPBACK, (start) => start.replace(/:\d+$/, ''))

/** On loopback the port may differ (RFC 8252 section 7.3). */
export function matchesRedirectUri(registered: readonly string[], requested: string): boolean {
  if (registered.includes(requested)) return true
  if (!LOOPBACK.test(requested) || !isRedirectUri(requested, [])) return false
  return registered.some((uri) => LOOPBACK.test(uri) && withoutPort(uri) === withoutPort(requested))
}

export const redirectHost = (uri: string) => URL.parse(uri)?.host || uri.split(':', 1)[0]!

export const isLoopback = (uri: string) => LOOPBACK.test(uri)

export function withParameters(uri: string, parameters: Record<string, string | null | undefined>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value != null) query.set(name, value)
  return `${uri}${uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?'}${query}`
}
