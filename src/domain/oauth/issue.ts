import type { Scope } from '../../access/scopes.ts'
import { digest, newId, newSecret } from '../../lib/secret.ts'
import type { AccessTokens } from './access-token.ts'
import { lifetimes, type TokenAnswer } from './contract.ts'
import type { GrantRow, OAuthStore } from './store.ts'

/** What a transaction has decided to hand out; it is signed after the commit, because signing takes a turn of its own. */
export interface Issued {
  grant: GrantRow
  jti: string
  scopes: readonly Scope[]
  refreshToken: string
  now: number
}

interface Wish {
  grant: GrantRow
  familyId: number
  /** Scopes of the access token; the refresh token may keep more. */
  scopes: readonly Scope[]
  now: number
}

/** Records an access token, inside the transaction of a grant. */
function recordAccess(store: OAuthStore, { familyId, now }: Wish): string {
  const jti = newId(24)
  store.insertAccess({ jti, familyId, expiresAt: now + lifetimes.accessToken * 1000 })
  return jti
}

/** A new pair in a family. */
export function issuePair(store: OAuthStore, wish: Wish, refreshScopes: readonly Scope[]): Issued {
  const refreshToken = newSecret('pxr_')
  const { grant, familyId, scopes, now } = wish
  store.insertRefresh({
    hash: digest(refreshToken),
    familyId,
    scopes: [...refreshScopes],
    issuedAt: now,
    expiresAt: now + lifetimes.refreshToken * 1000,
  })
  return { grant, jti: recordAccess(store, wish), scopes, refreshToken, now }
}

/** A new access token beside a refresh token that was handed out before. */
export function issueAccess(store: OAuthStore, wish: Wish, refreshToken: string): Issued {
  const { grant, scopes, now } = wish
  return { grant, jti: recordAccess(store, wish), scopes, refreshToken, now }
}

export async function signed(
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
