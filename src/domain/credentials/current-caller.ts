import { accountPermissions, type Caller, type CurrentCaller, credential } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { postgresOf } from '../../db/postgres/open.ts'
import { dataVersion } from '../../db/version.ts'
import { english } from '../../messages/english.ts'
import { Unauthorized } from './authenticate.ts'
import { callerStore } from './store.ts'

/** For transactions: permissions and scopes may have changed while the write waited. */
export function currentCaller(db: Db): CurrentCaller {
  const { byUser, byKey, byFamily } = callerStore(db)
  const versions = dataVersion(db)
  /** With PostgreSQL another process may have just committed. */
  const isVersionReliable = !postgresOf(db)
  const checked = new WeakMap<Caller, { version: number; current: Caller }>()

  function find({ userId, credential: { kind, id, scopes } }: Caller) {
    const number = Number(id.split(' ')[1])
    if (kind === 'session') {
      const found = byUser.get({ userId })
      return found && { ...found, scopes }
    }
    return kind === 'apiKey' ? byKey.get({ id: number }) : byFamily.get({ id: number })
  }

  return (caller) => {
    const { kind, id, scopes, legacyObjects } = caller.credential
    if (kind === 'operator') return caller
    const version = isVersionReliable ? versions.of('credentials') : undefined
    const known = checked.get(caller)
    if (known && known.version === version) return known.current
    const found = find(caller)
    if (!found) throw new Unauthorized(english.users.accountGone, true)
    const granted = found.scopes as readonly string[]
    const permissions = accountPermissions(found.isOwner, found.permissions)
    const remaining = scopes.filter((scope) => granted.includes(scope))
    const current = {
      ...caller,
      isOwner: found.isOwner,
      permissions,
      ...(remaining.length < scopes.length && { credential: credential(kind, id, remaining, { legacyObjects }) }),
    }
    if (version !== undefined) checked.set(caller, { version, current })
    return current
  }
}
