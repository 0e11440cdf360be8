import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { digest } from '../../lib/secret.ts'
import type { AccessTokens } from './access-token.ts'
import type { OAuthStore } from './store.ts'

interface Dependencies {
  db: Db
  clock: Clock
  store: OAuthStore
  tokens: AccessTokens
}

/** RFC 7009: a refresh token ends with its family, an access token alone; what is not the client's own stays. */
export function revocation({ db, clock, store, tokens }: Dependencies) {
  return async function revoke(clientId: string, token: string): Promise<void> {
    const claims = await tokens.verify(token)
    await write(db, 'credentials', () => {
      const refresh = store.findRefresh(digest(token))
      if (refresh?.grant.clientId === clientId) store.revokeFamily(refresh.token.familyId, clock())
      if (claims && store.findAccess(claims.jti)?.clientId === clientId) store.revokeAccess(claims.jti, clock())
    })
  }
}
