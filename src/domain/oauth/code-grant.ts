import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { digest } from '../../lib/secret.ts'
import { OAuthError } from './errors.ts'
import { type Issued, issuePair } from './issue.ts'
import { matchesChallenge } from './pkce.ts'
import { intersectScopes } from './scope.ts'
import type { OAuthStore } from './store.ts'

export interface CodeRequest {
  clientId: string
  code: string
  verifier: string
  /** Optional in OAuth 2.1. */
  redirectUri: string | undefined
  resource: string
}

const invalidGrant = (message: string) => new OAuthError('invalid_grant', message)

/** Contract 7.7. */
export function codeGrant({ db, clock, store }: { db: Db; clock: Clock; store: OAuthStore }) {
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
    if (scopes.length === 0) return invalidGrant('None of the granted scopes is left.')
    const familyId = store.insertFamily(grant.id, now)
    store.bindCode(hash, familyId)
    return issuePair(store, { grant, familyId, scopes, now }, scopes)
  }

  return async function exchange(request: CodeRequest): Promise<Issued> {
    // Returns errors, because throwing would roll back the spent code.
    const answer = await write(db, 'credentials', () => redeem(request))
    if (answer instanceof OAuthError) throw answer
    return answer
  }
}
