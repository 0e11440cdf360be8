import { operator } from '../../access/caller.ts'
import { inCatalogueOrder, type Scope } from '../../access/scopes.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { isoInstant } from '../../lib/dates.ts'
import { notFound } from '../../lib/errors.ts'
import type { ActivityService, Actor } from '../activity/service.ts'
import { clientStore } from './client-store.ts'
import type { OAuthStore } from './store.ts'

export interface Connection {
  id: number
  name: string
  redirectHost: string
  resource: string
  scopes: Scope[]
  approvedAt: string
  lastUsedAt: string | null
}

interface Dependencies {
  db: Db
  clock: Clock
  store: OAuthStore
  activity: ActivityService
}

export function connectionService({ db, clock, store, activity }: Dependencies) {
  const clients = clientStore(db)

  function list(userId: string): Connection[] {
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

  function revoke(userId: string, id: number, by: Actor = operator): Promise<void> {
    return write(db, 'credentials', () => {
      const deleted = store.deleteGrant(userId, id)
      if (!deleted) throw notFound('connected application')
      store.markIdle(deleted.clientId, clock())
      const { name } = clients.find(deleted.clientId)!
      activity.record(by, { kind: 'grant.ended', subject: id, name, concerns: [userId] })
    })
  }

  return { list, revoke }
}
