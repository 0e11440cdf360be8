export const authMethods = ['none', 'client_secret_post', 'client_secret_basic'] as const
export type AuthMethod = (typeof authMethods)[number]

export const grantTypes = ['authorization_code', 'refresh_token'] as const
export type GrantType = (typeof grantTypes)[number]

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

export interface TokenAnswer {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}
