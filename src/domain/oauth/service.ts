import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { digest } from '../../lib/secret.ts'
import type { ActivityService } from '../activity/service.ts'
import { accessTokens } from './access-token.ts'
import { authorizeService } from './authorize.ts'
import { clientService } from './clients.ts'
import { type CodeRequest, codeGrant } from './code-grant.ts'
import { connectionService } from './connections.ts'
import type { TokenAnswer } from './contract.ts'
import { signTokens } from './issue.ts'
import { createPurge } from './purge.ts'
import { type RefreshRequest, refreshGrant } from './refresh-grant.ts'
import { resourceTable } from './resource.ts'
import { instanceKeys } from './signing-keys.ts'
import { oauthStore } from './store.ts'

export type OAuthService = ReturnType<typeof oauthService>

interface Dependencies {
  db: Db
  clock: Clock
  baseUrl: string
  privateSchemes: readonly string[]
  graceSeconds: number
  activity: ActivityService
}

export function oauthService({ db, clock, baseUrl, privateSchemes, graceSeconds, activity }: Dependencies) {
  const store = oauthStore(db)
  const resources = resourceTable(baseUrl)
  const keys = instanceKeys({ db, clock })
  const tokens = accessTokens({ keys, clock, issuer: baseUrl })
  const exchange = codeGrant({ db, clock, store })
  const refresh = refreshGrant({ db, clock, store, graceSeconds })

  /** RFC 7009: revokes the family of a refresh token or a single access token, if it belongs to the client. */
  async function revoke(clientId: string, token: string): Promise<void> {
    const claims = await tokens.verify(token)
    await write(db, 'credentials', () => {
      const refreshToken = store.findRefresh(digest(token))
      if (refreshToken?.grant.clientId === clientId) store.revokeFamily(refreshToken.token.familyId, clock())
      if (claims && store.findAccess(claims.jti)?.clientId === clientId) store.revokeAccess(claims.jti, clock())
    })
  }

  return {
    resources,
    tokens,
    jwks: keys.publicSet,
    clients: clientService({ db, clock, privateSchemes }),
    authorize: authorizeService({ db, clock, issuer: baseUrl, resources, store, activity }),
    connections: connectionService({ db, clock, store, activity }),
    exchangeCode: async (request: CodeRequest): Promise<TokenAnswer> => signTokens(await exchange(request), tokens),
    refresh: async (request: RefreshRequest): Promise<TokenAnswer> => signTokens(await refresh(request), tokens),
    revoke,
    purge: createPurge({ db, clock }),
  }
}
