export const authMethods = ['none', 'client_secret_post', 'client_secret_basic'] as const
export type AuthMethod = (typeof authMethods)[number]

export const grantTypes = ['authorization_code', 'refresh_token'] as const
export type GrantType = (typeof grantTypes)[number]

/** `local` also allows http and addresses that are not public. */
export const clientMetadataModes = ['on', 'off', 'local'] as const
export type ClientMetadataMode = (typeof clientMetadataModes)[number]

export const applicationTypes: readonly unknown[] = ['web', 'native']

/** Lifetimes of contract 7.1, in seconds. */
export const lifetimes = {
  accessToken: 3600,
  refreshToken: 30 * 24 * 3600,
  code: 60,
  pendingRequest: 600,
  unusedClient: 24 * 3600,
} as const

export interface ClientCredentials {
  clientId: string
  clientSecret: string | undefined
}

/** Error codes of RFC 6749, 7009, 7591 and 8707 with their statuses. */
export const oauthStatus = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  access_denied: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
} as const

export type OAuthCode = keyof typeof oauthStatus

/** RFC 6749 section 5.2 allows only these characters in a description. */
const toAscii = (text: string) => text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?')

export class OAuthError extends Error {
  override name = 'OAuthError'
  readonly code: OAuthCode

  constructor(code: OAuthCode, description: string) {
    super(toAscii(description))
    this.code = code
  }
}
