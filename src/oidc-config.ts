import type { ProviderSettings } from './domain/identities/contract.ts'
import { loopbackNames } from './lib/loopback.ts'
import { settingIn } from './lib/setting-file.ts'

/** A provider that is reached over the network without https could be anybody. */
export const issuer = (text: string): string | undefined => {
  const url = /[?#@\\\s]/.test(text) ? null : URL.parse(text)
  const safe = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopbackNames.includes(url.hostname))
  return safe ? text : undefined
}

export const scopeList = (text: string): string | undefined =>
  /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(text) && text.split(' ').includes('openid')
    ? text
    : undefined

interface OidcValues {
  OIDC_ISSUER: string | undefined
  OIDC_CLIENT_ID: string | undefined
  OIDC_CLIENT_SECRET: string | undefined
  OIDC_CLIENT_SECRET_FILE: string | undefined
  OIDC_NAME: string | undefined
  OIDC_SCOPES: string
  OIDC_SIGN_UP: boolean
  OIDC_LINK_BY_USERNAME: boolean
  OIDC_ROLE_CLAIM: string | undefined
}

/** What belongs together: without an issuer the others count for nothing. */
export function oidcOf(value: OidcValues, faults: string[]): ProviderSettings | undefined {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_CLIENT_SECRET_FILE: file } = value
  if (OIDC_ISSUER === undefined) return undefined
  if (OIDC_CLIENT_ID === undefined) {
    faults.push('OIDC_CLIENT_ID is not set, but OIDC_ISSUER is: set it to the id that the provider gave to Paxlog.')
  }
  if (OIDC_CLIENT_SECRET !== undefined && file !== undefined) {
    faults.push('OIDC_CLIENT_SECRET and OIDC_CLIENT_SECRET_FILE are both set, but only one of them may be.')
  }
  return {
    issuer: OIDC_ISSUER,
    clientId: OIDC_CLIENT_ID ?? '',
    clientSecret:
      OIDC_CLIENT_SECRET ?? (file === undefined ? undefined : settingIn('OIDC_CLIENT_SECRET_FILE', file, faults)),
    name: value.OIDC_NAME ?? new URL(OIDC_ISSUER).host,
    scopes: value.OIDC_SCOPES,
    signUp: value.OIDC_SIGN_UP,
    linkByUsername: value.OIDC_LINK_BY_USERNAME,
    roleClaim: value.OIDC_ROLE_CLAIM,
  }
}
