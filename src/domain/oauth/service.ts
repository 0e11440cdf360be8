import type { Db } from '../../db/open.ts'
import type { Clock } from '../../lib/clock.ts'
import type { ActivityService } from '../activity/service.ts'
import { accessTokens } from './access-token.ts'
import { authorizeService } from './authorize.ts'
import { clientService } from './clients.ts'
import { type CodeRequest, codeGrant } from './code-grant.ts'
import { connectionService } from './connections.ts'
import type { TokenAnswer } from './contract.ts'
import { signed } from './issue.ts'
import { purger } from './purge.ts'
import { type RefreshRequest, refreshGrant } from './refresh-grant.ts'
import { resourceTable } from './resource.ts'
import { revocation } from './revoke.ts'
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

/** The authorization server, put together from one file a grant and one file a check. */
export function oauthService({ db, clock, baseUrl, privateSchemes, graceSeconds, activity }: Dependencies) {
  const store = oauthStore(db)
  const resources = resourceTable(baseUrl)
  const keys = instanceKeys({ db, clock })
  const tokens = accessTokens({ keys, clock, issuer: baseUrl })
  const exchange = codeGrant({ db, clock, store })
  const refresh = refreshGrant({ db, clock, store, graceSeconds })

  return {
    resources,
    tokens,
    jwks: keys.publicSet,
    clients: clientService({ db, clock, privateSchemes }),
    authorize: authorizeService({ db, clock, issuer: baseUrl, resources, store, activity }),
    connections: connectionService({ db, clock, store, activity }),
    exchangeCode: async (request: CodeRequest): Promise<TokenAnswer> => signed(await exchange(request), tokens),
    refresh: async (request: RefreshRequest): Promise<TokenAnswer> => signed(await refresh(request), tokens),
    revoke: revocation({ db, clock, store, tokens }),
    purge: purger({ db, clock }),
  }
}
