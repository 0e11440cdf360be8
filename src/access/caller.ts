import { effectivePermissions, isPermission, type Permission, permissions } from './permissions.ts'
import { type Scope, scopeNames, usableScopes } from './scopes.ts'

export interface Credential {
  kind: 'apiKey' | 'oauth' | 'session' | 'operator'
  /** Key or token family, for limits per credential. */
  id: string
  scopes: readonly Scope[]
  usable: ReadonlySet<Scope>
  legacyObjects: boolean
}

/** How a caller reached the service, for the activity log (contract 16.13). */
export interface Via {
  surface: 'v1' | 'legacy' | 'mcp' | 'page' | 'cli'
  credential: string | null
  /** Recorded for pages only. */
  address: string | null
  device?: string | undefined
}

export const viaPage = (address: string | null, device?: string): Via => ({
  surface: 'page',
  credential: null,
  address,
  ...(device && { device }),
})

export interface Caller {
  userId: string
  username: string
  displayName: string
  role: { id: string; name: string } | null
  isOwner: boolean
  /** Including implied permissions; all of them for the owner. */
  permissions: ReadonlySet<Permission>
  credential: Credential
  via: Via
}

/** Reloads the permissions and scopes of the caller. Throws if the account or credential no longer exists. */
export type CurrentCaller = (caller: Caller) => Caller

export function credential(
  kind: Credential['kind'],
  id: string,
  granted: readonly Scope[],
  { legacyObjects = false, usable = usableScopes(granted) }: Partial<Pick<Credential, 'legacyObjects' | 'usable'>> = {},
): Credential {
  return { kind, id, scopes: granted, usable, legacyObjects }
}

/** Stored names that are no longer known are ignored. */
export function accountPermissions(isOwner: boolean, stored: readonly string[] | null): ReadonlySet<Permission> {
  return new Set(isOwner ? permissions : effectivePermissions((stored ?? []).filter(isPermission)))
}

/** The command line has no role, but limits and formats apply to it. */
export const operator: Caller = {
  userId: '',
  username: 'operator',
  displayName: 'Operator',
  role: null,
  isOwner: true,
  permissions: new Set(permissions),
  credential: credential('operator', 'operator', scopeNames),
  via: { surface: 'cli', credential: null, address: null },
}
