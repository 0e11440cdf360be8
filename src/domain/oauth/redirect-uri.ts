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

/** The host, or the scheme of a private-use URI, for display. */
export const redirectHost = (uri: string) => URL.parse(uri)?.host || uri.split(':', 1)[0]!

export const isLoopback = (uri: string) => LOOPBACK.test(uri)

export function withParameters(uri: string, parameters: Record<string, string | null | undefined>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value != null) query.set(name, value)
  return `${uri}${uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?'}${query}`
}
