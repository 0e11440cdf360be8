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

/** An application that a user has let in, once for each resource. */
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

  /** The grant, its codes and all its tokens are gone. */
  function revoke(userId: string, id: number, by: Actor = operator): Promise<void> {
    return write(db, 'credentials', () => {
      const gone = store.deleteGrant(userId, id)
      if (!gone) throw notFound('connected application')
      store.leaveIdle(gone.clientId, clock())
      const { name } = clients.find(gone.clientId)!
      activity.record(by, { kind: 'grant.ended', subject: id, name, concerns: [userId] })
    })
  }

  return { list, revoke }
}
