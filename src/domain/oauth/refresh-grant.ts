import type { Scope } from '../../access/scopes.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { digest } from '../../lib/secret.ts'
import { OAuthError } from './errors.ts'
import { type Issued, issueAccess, issuePair } from './issue.ts'
import { parseScope, stillGranted } from './scope.ts'
import type { GrantRow, OAuthStore, RefreshRow } from './store.ts'
import { openSuccessor, sealSuccessor } from './successor.ts'

export interface RefreshRequest {
  clientId: string
  refreshToken: string
  /** A part of the token's scopes for the new access token; absent means all of them. */
  scope: string | undefined
  /** The canonical URL of the resource. */
  resource: string
}

interface Dependencies {
  db: Db
  clock: Clock
  store: OAuthStore
  graceSeconds: number
}

const refusal = (message: string) => new OAuthError('invalid_grant', message)

/** The scopes of the new access token, or what is wrong with the wish; subset is meant literally. */
function accessScopes(wish: string | undefined, token: RefreshRow, grant: GrantRow): Scope[] | OAuthError {
  const left = stillGranted(token.scopes, grant.scopes)
  if (wish === undefined) return left.length > 0 ? left : refusal('Nothing is left of what was granted.')
  try {
    const wanted = parseScope(wish)
    const beyond = wanted.find((scope) => !token.scopes.includes(scope))
    if (beyond) return new OAuthError('invalid_scope', `The scope ${beyond} was not granted with this token.`)
    const scopes = stillGranted(wanted, left)
    return scopes.length > 0 ? scopes : refusal('Nothing is left of what was granted.')
  } catch (error) {
    // The parser says what is wrong by throwing; here a refusal is a value, so that nothing written is undone.
    if (error instanceof OAuthError) return error
    throw error
  }
}

/** Rotates a refresh token (contract 7.7). */
export function refreshGrant({ db, clock, store, graceSeconds }: Dependencies) {
  /** Within the grace time the same successor once more, while nobody has used it. */
  function again(
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
    if (grant.resource !== request.resource)
      return new OAuthError('invalid_target', 'The resource is not the one granted.')
    const scopes = accessScopes(request.scope, token, grant)
    if (scopes instanceof OAuthError) return scopes
    const plain = openSuccessor(request.refreshToken, successor)
    return issueAccess(store, { grant, familyId: token.familyId, scopes, now }, plain)
  }

  function rotate(request: RefreshRequest): Issued | OAuthError {
    const now = clock()
    const hash = digest(request.refreshToken)
    const found = store.findRefresh(hash)
    if (!found) return refusal('The refresh token is not valid.')
    const { token, grant, revokedAt } = found
    const { familyId } = token
    if (revokedAt !== null) return refusal('The refresh token was revoked.')
    if (token.usedAt !== null) {
      const repeated = graceSeconds > 0 ? again(request, token, grant, now) : undefined
      if (repeated) return repeated
      // Whoever presents a spent token, it has leaked: the client is checked only after this.
      store.revokeFamily(familyId, now)
      return refusal('The refresh token was used before; its whole family is revoked.')
    }
    if (grant.clientId !== request.clientId) {
      store.revokeFamily(familyId, now)
      return refusal('The refresh token is not valid.')
    }
    if (token.expiresAt <= now) return refusal('The refresh token has expired.')
    if (grant.resource !== request.resource)
      return new OAuthError('invalid_target', 'The resource is not the one granted.')
    const scopes = accessScopes(request.scope, token, grant)
    if (scopes instanceof OAuthError) return scopes
    const issued = issuePair(store, { grant, familyId, scopes, now }, stillGranted(token.scopes, grant.scopes))
    const kept = graceSeconds > 0
    store.spendRefresh(hash, {
      usedAt: now,
      successor: kept ? sealSuccessor(request.refreshToken, issued.refreshToken) : null,
      successorHash: kept ? digest(issued.refreshToken) : null,
    })
    return issued
  }

  return async function refresh(request: RefreshRequest): Promise<Issued> {
    // The transaction answers instead of throwing: a refusal must not undo the revocation.
    const answer = await write(db, 'credentials', () => rotate(request))
    if (answer instanceof OAuthError) throw answer
    return answer
  }
}
