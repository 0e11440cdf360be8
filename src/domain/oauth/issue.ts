import type { Scope } from '../../access/scopes.ts'
import { digest, newId, newSecret } from '../../lib/secret.ts'
import type { AccessTokens } from './access-token.ts'
import { lifetimes, type TokenAnswer } from './contract.ts'
import type { GrantRow, OAuthStore } from './store.ts'

/** Signed after the commit, because signing is asynchronous. */
export interface Issued {
  grant: GrantRow
  jti: string
  scopes: readonly Scope[]
  refreshToken: string
  now: number
}

interface TokenRequest {
  grant: GrantRow
  familyId: number
  /** Scopes of the access token; the refresh token may have more. */
  scopes: readonly Scope[]
  now: number
}

/** Must run inside a transaction. */
function recordAccess(store: OAuthStore, { familyId, now }: TokenRequest): string {
  const jti = newId(24)
  store.insertAccess({ jti, familyId, expiresAt: now + lifetimes.accessToken * 1000 })
  return jti
}

export function issuePair(store: OAuthStore, request: TokenRequest, refreshScopes: readonly Scope[]): Issued {
  const refreshToken = newSecret('pxr_')
  const { grant, familyId, scopes, now } = request
  store.insertRefresh({
    hash: digest(refreshToken),
    familyId,
    scopes: [...refreshScopes],
    issuedAt: now,
    expiresAt: now + lifetimes.refreshToken * 1000,
  })
  return { grant, jti: recordAccess(store, request), scopes, refreshToken, now }
}

export function issueAccess(store: OAuthStore, request: TokenRequest, refreshToken: string): Issued {
  const { grant, scopes, now } = request
  return { grant, jti: recordAccess(store, request), scopes, refreshToken, now }
}

export async function signTokens(
  { grant, jti, scopes, refreshToken, now }: Issued,
  tokens: AccessTokens,
): Promise<TokenAnswer> {
  const issuedAt = Math.floor(now / 1000)
  const { clientId, userId, resource } = grant
  const access = await tokens.sign({
    jti,
    audience: resource,
    userId,
    clientId,
    scopes,
    issuedAt,
    expiresAt: issuedAt + lifetimes.accessToken,
  })
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: lifetimes.accessToken,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  }
}
