import { operator } from '../../access/caller.ts'
import type { Permission } from '../../access/permissions.ts'
import { grantableScopes, inCatalogueOrder, type Scope } from '../../access/scopes.ts'
import { trimmedText } from '../../contract/common.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { isoInstant } from '../../lib/dates.ts'
import { AppError, invalid, notFound } from '../../lib/errors.ts'
import { digest, newApiKey } from '../../lib/secret.ts'
import { english } from '../../messages/english.ts'
import type { ActivityService, Actor } from '../activity/service.ts'
import { credentialStore } from './store.ts'

const MAX_KEYS = 100

const KeyName = trimmedText({ min: 1, max: 100 })

interface KeyOwner {
  id: string
  permissions: ReadonlySet<Permission>
}

interface KeyRequest {
  name: string
  scopes: readonly string[]
  legacyObjects?: boolean
}

export type KeyService = ReturnType<typeof keyService>

export function keyService({ db, clock, activity }: { db: Db; clock: Clock; activity: ActivityService }) {
  const store = credentialStore(db)

  /** The key is returned only here; the database stores its digest. */
  async function create(owner: KeyOwner, request: KeyRequest, by: Actor = operator) {
    const keyError = (path: string, reason: string) => invalid(english.keys.notValid, [path], reason)
    const { success, data: name } = KeyName.safeParse(request.name)
    if (!success) throw keyError('name', english.keys.name)
    if (request.scopes.length === 0) throw keyError('scopes', english.keys.needsScope)
    const grantable = new Set<string>(grantableScopes(owner.permissions))
    const notGrantable = request.scopes.filter((scope) => !grantable.has(scope))
    if (notGrantable.length > 0) {
      throw new AppError('forbidden', english.keys.notGrantable({ scopes: notGrantable.join(', ') }))
    }
    const scopes: Scope[] = inCatalogueOrder(request.scopes)
    const key = newApiKey()
    const id = await write(db, 'credentials', () => {
      if (store.countOf(owner.id) >= MAX_KEYS) throw keyError('name', english.keys.tooMany({ max: MAX_KEYS }))
      const { legacyObjects = false } = request
      const keyId = store.insert({
        userId: owner.id,
        name,
        hash: digest(key),
        scopes,
        legacyObjects,
        createdAt: clock(),
      })
      activity.record(by, { kind: 'key.created', subject: keyId, name, concerns: [owner.id] })
      return keyId
    })
    return { id, name, key, scopes }
  }

  const toKey = ({ createdAt, lastUsedAt, ...key }: ReturnType<typeof store.all>[number]) => ({
    ...key,
    scopes: inCatalogueOrder(key.scopes),
    createdAt: isoInstant(createdAt),
    lastUsedAt: lastUsedAt === null ? null : isoInstant(lastUsedAt),
  })

  function removeKey(id: number, by: Actor, userId?: string): Promise<void> {
    return write(db, 'credentials', () => {
      const deleted = store.delete(id, userId)
      if (!deleted) throw notFound('API key')
      activity.record(by, { kind: 'key.deleted', subject: id, name: deleted.name, concerns: [deleted.userId] })
    })
  }

  return {
    create,
    list: () => store.all().map(toKey),
    listOf: (userId: string) => store.ofUser(userId).map(toKey),
    remove: (id: number) => removeKey(id, operator),
    removeOf: (owner: Actor, id: number) => removeKey(id, owner, owner.userId),
  }
}
