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
  readonly code: OAuthCode

  constructor(code: OAuthCode, description: string) {
    super(toAscii(description))
    this.name = 'OAuthError'
    this.code = code
  }
}
