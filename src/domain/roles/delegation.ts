import type { Caller } from '../../access/caller.ts'
import { effectivePermissions, type Permission } from '../../access/permissions.ts'
import { forbidden } from '../../lib/errors.ts'

const missingPermissions = (caller: Caller, wanted: Iterable<Permission>) =>
  effectivePermissions(wanted).filter((permission) => !caller.permissions.has(permission))

export const holdsAll = (caller: Caller, wanted: Iterable<Permission>): boolean =>
  missingPermissions(caller, wanted).length === 0

/** Contract 2.6. */
export function requireHeld(caller: Caller, wanted: Iterable<Permission>): void {
  const missing = missingPermissions(caller, wanted)
  if (missing.length > 0) {
    throw forbidden(`You can only grant or change permissions that you have. You lack ${missing.join(', ')}.`)
  }
}

interface Account {
  id: string
  isOwner: boolean
  permissions: ReadonlySet<Permission>
}

/** True only if the caller's permissions are a strict superset. */
export function canActOn(caller: Caller, account: Account): boolean {
  if (account.isOwner) return false
  if (caller.isOwner) return true
  if (account.id === caller.userId) return false
  const { permissions } = account
  return caller.permissions.size > permissions.size && permissions.isSubsetOf(caller.permissions)
}
