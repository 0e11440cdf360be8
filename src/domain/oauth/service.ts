import { operator } from '../../access/caller.ts'
import { inCatalogueOrder } from '../../access/scopes.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { isoInstant } from '../../lib/dates.ts'
import { notFound } from '../../lib/errors.ts'
import { digest } from '../../lib/secret.ts'
import type { ActivityService, Actor } from '../activity/service.ts'
import type { MemoryService } from '../memory/service.ts'
import { authorizeService } from './authorize.ts'
import { clientDocuments } from './client-documents.ts'
import { clientService } from './clients.ts'
import { type ClientMetadataMode, lifetimes } from './contract.ts'
import { grantService } from './grants.ts'
import { resourceTable } from './parameters.ts'
import { oauthStore } from './store.ts'
import { accessTokens, instanceKeys } from './tokens.ts'

export type OAuthService = ReturnType<typeof oauthService>

export type Connection = ReturnType<OAuthService['connections']['list']>[number]

interface Dependencies {
  db: Db
  clock: Clock
  baseUrl: string
  privateSchemes: readonly string[]
  graceSeconds: number
  clientMetadata: ClientMetadataMode
  memory: MemoryService
  activity: ActivityService
}

export function oauthService(dependencies: Dependencies) {
  const { db, clock, baseUrl, privateSchemes, graceSeconds, clientMetadata, memory, activity } = dependencies
  const store = oauthStore(db)
  const resources = resourceTable(baseUrl)
  const keys = instanceKeys(db, store, clock)
  const tokens = accessTokens(keys, clock, baseUrl)
  const documents = clientDocuments({ mode: clientMetadata, clock, memory, privateSchemes })

  /** RFC 7009: revokes the family of a refresh token or a single access token, if it belongs to the client. */
  async function revoke(clientId: string, token: string): Promise<void> {
    const claims = await tokens.verify(token)
    await write(db, 'credentials', () => {
      const refreshToken = store.findRefresh(digest(token))
      if (refreshToken?.grant.clientId === clientId) store.revokeFamily(refreshToken.token.familyId, clock())
      if (claims && store.findAccess(claims.jti)?.clientId === clientId) store.revokeAccess(claims.jti, clock())
    })
  }

  function listConnections(userId: string) {
    return store.grantsOf(userId).map(({ grant, name }) => ({
      id: grant.id,
      name,
      redirectHost: grant.redirectHost,
      resource: grant.resource,
      scopes: inCatalogueOrder(grant.scopes),
      approvedAt: isoInstant(grant.approvedAt),
      lastUsedAt: grant.lastUsedAt === null ? null : isoInstant(grant.lastUsedAt),
    }))
  }

  function revokeConnection(userId: string, id: number, by: Actor = operator): Promise<void> {
    return write(db, 'credentials', () => {
      const deleted = store.deleteGrant(userId, id)
      if (!deleted) throw notFound('connected application')
      store.markIdle(deleted.clientId, clock())
      const { name } = store.findClient(deleted.clientId)!
      activity.record(by, { kind: 'grant.ended', subject: id, name, concerns: [userId] })
    })
  }

  function purge(): Promise<void> {
    const now = clock()
    const longAgo = now - lifetimes.refreshToken * 1000
    const dayAgo = now - lifetimes.unusedClient * 1000
    return write(db, 'credentials', () => {
      store.purge({ now, longAgo, dayAgo })
      if (graceSeconds > 0) store.clearSuccessors(now - graceSeconds * 1000)
    })
  }

  return {
    resources,
    tokens,
    jwks: keys.publicSet,
    clients: clientService({ db, clock, store, privateSchemes }),
    authorize: authorizeService({ db, clock, issuer: baseUrl, resources, store, documents, activity }),
    clientMetadata,
    connections: { list: listConnections, revoke: revokeConnection },
    ...grantService({ db, clock, store, tokens, graceSeconds }),
    revoke,
    purge,
  }
}
