import type { Caller } from '../../access/caller.ts'
import { effectivePermissions, type Permission } from '../../access/permissions.ts'
import { forbidden } from '../../lib/errors.ts'

const missingOf = (caller: Caller, wanted: Iterable<Permission>) =>
  effectivePermissions(wanted).filter((permission) => !caller.permissions.has(permission))

/** Whether the caller could give all of these away. */
export const holdsAll = (caller: Caller, wanted: Iterable<Permission>): boolean =>
  missingOf(caller, wanted).length === 0

/** Nobody gives away what they do not hold (contract 2.6). */
export function requireHeld(caller: Caller, wanted: Iterable<Permission>): void {
  const missing = missingOf(caller, wanted)
  if (missing.length > 0) {
    throw forbidden(`You can only give or change permissions that you hold yourself; you lack ${missing.join(', ')}.`)
  }
}

interface Account {
  id: string
  isOwner: boolean
  permissions: ReadonlySet<Permission>
}

/** May the caller act on this other account? Only when it can do less than the caller in every way. */
export function mayActOn(caller: Caller, account: Account): boolean {
  if (account.isOwner) return false
  if (caller.isOwner) return true
  if (account.id === caller.userId) return false
  const { permissions } = account
  return caller.permissions.size > permissions.size && permissions.isSubsetOf(caller.permissions)
}
