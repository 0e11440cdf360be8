import { and, eq, isNull, sql } from 'drizzle-orm'
import { accountPermissions, type Caller, type CurrentCaller, credential } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { postgresOf } from '../../db/postgres/open.ts'
import { apiKeys, oauthFamilies, oauthGrants, roles, users } from '../../db/tables/index.ts'
import { dataVersion } from '../../db/version.ts'
import { Unauthorized } from './authenticate.ts'

/** For transactions: permissions and scopes may have changed while the write waited. */
export function currentCaller(db: Db): CurrentCaller {
  const { placeholder } = sql
  const account = { isOwner: users.isOwner, permissions: roles.permissions }
  const byUser = db
    .select(account)
    .from(users)
    .leftJoin(roles, eq(roles.id, users.roleId))
    .where(eq(users.id, placeholder('userId')))
    .prepare()
  const byKey = db
    .select({ ...account, scopes: apiKeys.scopes })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .leftJoin(roles, eq(roles.id, users.roleId))
    .where(eq(apiKeys.id, placeholder('id')))
    .prepare()
  const byFamily = db
    .select({ ...account, scopes: oauthGrants.scopes })
    .from(oauthFamilies)
    .innerJoin(oauthGrants, eq(oauthGrants.id, oauthFamilies.grantId))
    .innerJoin(users, eq(users.id, oauthGrants.userId))
    .leftJoin(roles, eq(roles.id, users.roleId))
    .where(and(eq(oauthFamilies.id, placeholder('id')), isNull(oauthFamilies.revokedAt)))
    .prepare()
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
    if (!found) throw new Unauthorized('The account or the credential of this request no longer exists.', true)
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
