import { operator } from '../../access/caller.ts'
import type { Permission } from '../../access/permissions.ts'
import { grantableScopes, inCatalogueOrder, type Scope } from '../../access/scopes.ts'
import { trimmedText } from '../../contract/common.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError, invalid, notFound } from '../../lib/errors.ts'
import { digest, newApiKey } from '../../lib/secret.ts'
import type { ActivityService, Actor } from '../activity/service.ts'
import { credentialStore } from './store.ts'

const MOST_KEYS = 100

const KeyName = trimmedText({ min: 1, max: 100 })

interface KeyOwner {
  id: string
  permissions: ReadonlySet<Permission>
}

interface KeyRequest {
  name: string
  scopes: readonly string[]
  /** For a program made for AirTrail: legacy answers have objects (contract 6.3). */
  legacyObjects?: boolean
}

export type KeyService = ReturnType<typeof keyService>

export function keyService({ db, clock, activity }: { db: Db; clock: Clock; activity: ActivityService }) {
  const store = credentialStore(db)

  /** The only moment at which the key itself exists; the database keeps its digest. */
  async function create(owner: KeyOwner, request: KeyRequest, by: Actor = operator) {
    const refuse = (path: string, reason: string) => invalid('The key is not valid.', [path], reason)
    const { success, data: name } = KeyName.safeParse(request.name)
    if (!success) throw refuse('name', 'The name must have 1 to 100 characters, none of them U+0000.')
    if (request.scopes.length === 0) throw refuse('scopes', 'A key needs at least one scope.')
    const grantable = new Set<string>(grantableScopes(owner.permissions))
    const refused = request.scopes.filter((scope) => !grantable.has(scope))
    if (refused.length > 0) {
      throw new AppError('forbidden', `These scopes are unknown or beyond the role: ${refused.join(', ')}.`)
    }
    const scopes: Scope[] = inCatalogueOrder(request.scopes)
    const key = newApiKey()
    const id = await write(db, 'credentials', () => {
      if (store.countOf(owner.id) >= MOST_KEYS)
        throw refuse('name', `A user has at most ${MOST_KEYS} keys: delete one first.`)
      const { legacyObjects = false } = request
      const made = store.insert({
        userId: owner.id,
        name,
        hash: digest(key),
        scopes,
        legacyObjects,
        createdAt: clock(),
      })
      activity.record(by, { kind: 'key.created', subject: made, name, concerns: [owner.id] })
      return made
    })
    return { id, name, key, scopes }
  }

  const toKey = ({ createdAt, lastUsedAt, ...key }: ReturnType<typeof store.all>[number]) => ({
    ...key,
    scopes: inCatalogueOrder(key.scopes),
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
  })

  function end(id: number, by: Actor, userId?: string): Promise<void> {
    return write(db, 'credentials', () => {
      const gone = store.delete(id, userId)
      if (!gone) throw notFound('API key')
      activity.record(by, { kind: 'key.deleted', subject: id, name: gone.name, concerns: [gone.userId] })
    })
  }

  return {
    create,
    list: () => store.all().map(toKey),
    listOf: (userId: string) => store.ofUser(userId).map(toKey),
    remove: (id: number) => end(id, operator),
    /** Somebody else's key does not exist for this user. */
    removeOf: (owner: Actor, id: number) => end(id, owner, owner.userId),
  }
}
