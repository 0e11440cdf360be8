import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { digest } from '../../lib/secret.ts'
import { OAuthError } from './errors.ts'
import { type Issued, issuePair } from './issue.ts'
import { verifies } from './pkce.ts'
import { stillGranted } from './scope.ts'
import type { OAuthStore } from './store.ts'

export interface CodeRequest {
  clientId: string
  code: string
  verifier: string
  /** Optional in OAuth 2.1; compared when sent. */
  redirectUri: string | undefined
  /** The canonical URL of the resource. */
  resource: string
}

const refusal = (message: string) => new OAuthError('invalid_grant', message)

/** Exchanges a code for the first tokens of a new family (contract 7.7). */
export function codeGrant({ db, clock, store }: { db: Db; clock: Clock; store: OAuthStore }) {
  function redeem({ clientId, code, verifier, redirectUri, resource }: CodeRequest): Issued | OAuthError {
    const now = clock()
    const hash = digest(code)
    const found = store.findCode(hash)
    if (!found) return refusal('The code is not valid.')
    const { code: stored, grant } = found
    if (stored.spentAt !== null) {
      // Somebody else has the code: whatever came of it must end, whoever presents it now.
      if (stored.familyId !== null) store.revokeFamily(stored.familyId, now)
      return refusal('The code was already used.')
    }
    // One presentation is all a code gets, right or wrong.
    store.spendCode(hash, now)
    if (stored.expiresAt <= now) return refusal('The code has expired.')
    if (grant.clientId !== clientId) return refusal('The code is not valid.')
    if (redirectUri !== undefined && redirectUri !== stored.redirectUri) {
      return refusal('The redirect_uri is not the one of the authorization request.')
    }
    if (!verifies(verifier, stored.codeChallenge)) return refusal('The code_verifier does not match.')
    if (grant.resource !== resource) {
      return new OAuthError('invalid_target', 'The resource is not the one of the authorization request.')
    }
    const scopes = stillGranted(stored.scopes, grant.scopes)
    if (scopes.length === 0) return refusal('Nothing is left of what was granted.')
    const familyId = store.insertFamily(grant.id, now)
    store.bindCode(hash, familyId)
    return issuePair(store, { grant, familyId, scopes, now }, scopes)
  }

  return async function exchange(request: CodeRequest): Promise<Issued> {
    // The transaction answers instead of throwing: a refusal must not undo what it has written.
    const answer = await write(db, 'credentials', () => redeem(request))
    if (answer instanceof OAuthError) throw answer
    return answer
  }
}
