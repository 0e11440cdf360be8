import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Scope } from '../../access/scopes.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { digest } from '../../lib/secret.ts'
import { OAuthError } from './errors.ts'
import { type Issued, issueAccess, issuePair } from './issue.ts'
import { intersectScopes, parseScope } from './scope.ts'
import type { GrantRow, OAuthStore, RefreshRow } from './store.ts'

export interface RefreshRequest {
  clientId: string
  refreshToken: string
  /** A subset of the token's scopes; absent means all. */
  scope: string | undefined
  resource: string
}

interface Dependencies {
  db: Db
  clock: Clock
  store: OAuthStore
  graceSeconds: number
}

const invalidGrant = (message: string) => new OAuthError('invalid_grant', message)

/** A value instead of an exception, so that the transaction is not rolled back. */
function accessScopes(requested: string | undefined, token: RefreshRow, grant: GrantRow): Scope[] | OAuthError {
  const remaining = intersectScopes(token.scopes, grant.scopes)
  if (requested === undefined)
    return remaining.length > 0 ? remaining : invalidGrant('None of the granted scopes is left.')
  try {
    const wanted = parseScope(requested)
    const notGranted = wanted.find((scope) => !token.scopes.includes(scope))
    if (notGranted) return new OAuthError('invalid_scope', `The scope ${notGranted} was not granted with this token.`)
    const scopes = intersectScopes(wanted, remaining)
    return scopes.length > 0 ? scopes : invalidGrant('None of the granted scopes is left.')
  } catch (error) {
    if (error instanceof OAuthError) return error
    throw error
  }
}

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Only the holder of the used token can decrypt its successor. */
const deriveKey = (token: string) => Buffer.from(hkdfSync('sha256', token, '', 'paxlog refresh successor', 32))

function sealSuccessor(usedToken: string, successor: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, deriveKey(usedToken), nonce)
  const sealed = Buffer.concat([cipher.update(successor, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

function openSuccessor(usedToken: string, sealed: Buffer): string {
  const decipher = createDecipheriv(ALGORITHM, deriveKey(usedToken), sealed.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}

/** Rotates a refresh token (contract 7.7). */
export function refreshGrant({ db, clock, store, graceSeconds }: Dependencies) {
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
    if (!found) return invalidGrant('The refresh token is not valid.')
    const { token, grant, revokedAt } = found
    const { familyId } = token
    if (revokedAt !== null) return invalidGrant('The refresh token was revoked.')
    if (token.usedAt !== null) {
      const repeated = graceSeconds > 0 ? repeatSuccessor(request, token, grant, now) : undefined
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
    if (grant.resource !== request.resource)
      return new OAuthError('invalid_target', 'The resource is not the one granted.')
    const scopes = accessScopes(request.scope, token, grant)
    if (scopes instanceof OAuthError) return scopes
    const issued = issuePair(store, { grant, familyId, scopes, now }, intersectScopes(token.scopes, grant.scopes))
    const hasGrace = graceSeconds > 0
    store.spendRefresh(hash, {
      usedAt: now,
      successor: hasGrace ? sealSuccessor(request.refreshToken, issued.refreshToken) : null,
      successorHash: hasGrace ? digest(issued.refreshToken) : null,
    })
    return issued
  }

  return async function refresh(request: RefreshRequest): Promise<Issued> {
    // Returns errors, because throwing would roll back the revocation.
    const answer = await write(db, 'credentials', () => rotate(request))
    if (answer instanceof OAuthError) throw answer
    return answer
  }
}
