import { hkdfSync } from 'node:crypto'
import type { Scope } from '../../access/scopes.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { digest, newId, newSecret, seal, unseal } from '../../lib/secret.ts'
import { lifetimes, OAuthError } from './contract.ts'
import { intersectScopes, matchesChallenge, parseScope } from './parameters.ts'
import type { GrantRow, OAuthStore, RefreshRow } from './store.ts'
import type { AccessTokens } from './tokens.ts'

interface CodeRequest {
  clientId: string
  code: string
  verifier: string
  redirectUri: string | undefined
  resource: string
}

interface RefreshRequest {
  clientId: string
  refreshToken: string
  scope: string | undefined
  resource: string
}

/** Signed after the commit, because signing is asynchronous. */
interface Issued {
  grant: GrantRow
  jti: string
  /** Scopes of the access token; the refresh token may have more. */
  scopes: readonly Scope[]
  refreshToken: string
  now: number
}

const invalidGrant = (message: string) => new OAuthError('invalid_grant', message)
const noScopesLeft = () => invalidGrant('None of the granted scopes is left.')

function accessScopes({ scope, resource }: RefreshRequest, token: RefreshRow, grant: GrantRow): Scope[] | OAuthError {
  if (grant.resource !== resource) return new OAuthError('invalid_target', 'The resource is not the one granted.')
  try {
    const wanted = scope === undefined ? token.scopes : parseScope(scope)
    const notGranted = wanted.find((name) => !token.scopes.includes(name))
    if (notGranted) return new OAuthError('invalid_scope', `The scope ${notGranted} was not granted with this token.`)
    const scopes = intersectScopes(wanted, grant.scopes)
    return scopes.length > 0 ? scopes : noScopesLeft()
  } catch (error) {
    if (error instanceof OAuthError) return error
    throw error
  }
}

/** Only the holder of the used token can decrypt its successor. */
const successorKey = (token: string) => Buffer.from(hkdfSync('sha256', token, '', 'paxlog refresh successor', 32))

interface Dependencies {
  db: Db
  clock: Clock
  store: OAuthStore
  tokens: AccessTokens
  graceSeconds: number
}

/** Contract 7.7. */
export function grantService({ db, clock, store, tokens, graceSeconds }: Dependencies) {
  function insertAccess(familyId: number, now: number): string {
    const jti = newId(24)
    store.insertAccess({ jti, familyId, expiresAt: now + lifetimes.accessToken * 1000 })
    return jti
  }

  function insertRefresh(familyId: number, scopes: Scope[], now: number): string {
    const token = newSecret('pxr_')
    const expiresAt = now + lifetimes.refreshToken * 1000
    store.insertRefresh({ hash: digest(token), familyId, scopes, issuedAt: now, expiresAt })
    return token
  }

  function redeem({ clientId, code, verifier, redirectUri, resource }: CodeRequest): Issued | OAuthError {
    const now = clock()
    const hash = digest(code)
    const found = store.findCode(hash)
    if (!found) return invalidGrant('The code is not valid.')
    const { code: stored, grant } = found
    if (stored.spentAt !== null) {
      // The code leaked: revoke its tokens, regardless of the client.
      if (stored.familyId !== null) store.revokeFamily(stored.familyId, now)
      return invalidGrant('The code was already used.')
    }
    // A code can be presented only once, even by mistake.
    store.spendCode(hash, now)
    if (stored.expiresAt <= now) return invalidGrant('The code has expired.')
    if (grant.clientId !== clientId) return invalidGrant('The code is not valid.')
    if (redirectUri !== undefined && redirectUri !== stored.redirectUri) {
      return invalidGrant('The redirect_uri is not the one of the authorization request.')
    }
    if (!matchesChallenge(verifier, stored.codeChallenge)) return invalidGrant('The code_verifier does not match.')
    if (grant.resource !== resource) {
      return new OAuthError('invalid_target', 'The resource is not the one of the authorization request.')
    }
    const scopes = intersectScopes(stored.scopes, grant.scopes)
    if (scopes.length === 0) return noScopesLeft()
    const familyId = store.insertFamily(grant.id, now)
    store.bindCode(hash, familyId)
    const refreshToken = insertRefresh(familyId, scopes, now)
    return { grant, jti: insertAccess(familyId, now), scopes, refreshToken, now }
  }

  /** During the grace period, returns the same successor while it is unused. */
  function repeatSuccessor(
    request: RefreshRequest,
    token: RefreshRow,
    grant: GrantRow,
    now: number,
  ): Issued | OAuthError | undefined {
    const { usedAt, successor, successorHash } = token
    if (usedAt === null || now > usedAt + graceSeconds * 1000 || grant.clientId !== request.clientId) return undefined
    if (successor === null || successorHash === null) return undefined
    const next = store.findRefresh(successorHash)
    if (!next || next.token.usedAt !== null || next.revokedAt !== null) return undefined
    const scopes = accessScopes(request, token, grant)
    if (scopes instanceof OAuthError) return scopes
    const refreshToken = unseal(successorKey(request.refreshToken), successor)
    return { grant, jti: insertAccess(token.familyId, now), scopes, refreshToken, now }
  }

  function rotate(request: RefreshRequest): Issued | OAuthError {
    const now = clock()
    const hash = digest(request.refreshToken)
    const found = store.findRefresh(hash)
    if (!found) return invalidGrant('The refresh token is not valid.')
    const { token, grant, revokedAt } = found
    const { familyId } = token
    if (revokedAt !== null) return invalidGrant('The refresh token was revoked.')
    if (token.usedAt !== null) {
      const repeated = graceSeconds > 0 && repeatSuccessor(request, token, grant, now)
      if (repeated) return repeated
      // A reused token has leaked, regardless of the client.
      store.revokeFamily(familyId, now)
      return invalidGrant('The refresh token was used before; its whole family is revoked.')
    }
    if (grant.clientId !== request.clientId) {
      store.revokeFamily(familyId, now)
      return invalidGrant('The refresh token is not valid.')
    }
    if (token.expiresAt <= now) return invalidGrant('The refresh token has expired.')
    const scopes = accessScopes(request, token, grant)
    if (scopes instanceof OAuthError) return scopes
    const refreshToken = insertRefresh(familyId, intersectScopes(token.scopes, grant.scopes), now)
    const hasGrace = graceSeconds > 0
    store.spendRefresh(hash, {
      usedAt: now,
      successor: hasGrace ? seal(successorKey(request.refreshToken), refreshToken) : null,
      successorHash: hasGrace ? digest(refreshToken) : null,
    })
    return { grant, jti: insertAccess(familyId, now), scopes, refreshToken, now }
  }

  /** The work returns errors, because throwing would roll back revocations and spent codes. */
  async function issue(work: () => Issued | OAuthError) {
    const issued = await write(db, 'credentials', work)
    if (issued instanceof OAuthError) throw issued
    const { grant, jti, scopes, refreshToken, now } = issued
    const { clientId, userId, resource: audience } = grant
    const issuedAt = Math.floor(now / 1000)
    const expiresAt = issuedAt + lifetimes.accessToken
    return {
      access_token: await tokens.sign({ jti, audience, userId, clientId, scopes, issuedAt, expiresAt }),
      token_type: 'Bearer',
      expires_in: lifetimes.accessToken,
      refresh_token: refreshToken,
      scope: scopes.join(' '),
    }
  }

  return {
    exchangeCode: (request: CodeRequest) => issue(() => redeem(request)),
    refresh: (request: RefreshRequest) => issue(() => rotate(request)),
  }
}
