import { effectivePermissions, type Permission, permissions } from './permissions.ts'
import { type Scope, scopeNames, usableScopes } from './scopes.ts'

export interface Credential {
  kind: 'apiKey' | 'oauth' | 'session' | 'operator'
  /** Identifies the key or the token family, for limits per credential. */
  id: string
  /** As granted, in catalogue order. */
  scopes: readonly Scope[]
  /** With every scope that a granted one includes. */
  usable: ReadonlySet<Scope>
  /** Objects in legacy answers, for a program made for AirTrail; a property of API keys (contract 6.3). */
  legacyObjects: boolean
}

/** The way by which a caller came, for the record of who did what (contract 16.13). */
export interface Via {
  surface: 'v1' | 'legacy' | 'mcp' | 'page' | 'cli'
  /** The name of the key or of the application. */
  credential: string | null
  /** Kept for pages only. */
  address: string | null
  /** The browser in a few words, for sign-ins. */
  device?: string | undefined
}

export const viaPage = (address: string | null, device?: string): Via => ({
  surface: 'page',
  credential: null,
  address,
  ...(device && { device }),
})

/** The user behind a request, as the database has it at this moment. */
export interface Caller {
  userId: string
  username: string
  displayName: string
  role: { id: string; name: string } | null
  isOwner: boolean
  /** Effective: the role's permissions with those they include; all of them for the owner. */
  permissions: ReadonlySet<Permission>
  credential: Credential
  via: Via
}

/** The caller with the rights that the database gives now. Fails if the account or the credential has gone. */
export type CurrentCaller = (caller: Caller) => Caller

export function credential(
  kind: Credential['kind'],
  id: string,
  granted: readonly Scope[],
  { legacyObjects = false, usable = usableScopes(granted) }: Partial<Pick<Credential, 'legacyObjects' | 'usable'>> = {},
): Credential {
  return { kind, id, scopes: granted, usable, legacyObjects }
}

/** What an account may do now: the owner everything, others what their role says. */
export function accountPermissions(isOwner: boolean, rolePermissions: Iterable<Permission>): ReadonlySet<Permission> {
  return new Set(isOwner ? permissions : effectivePermissions(rolePermissions))
}

/** The command line: it stands outside roles, but limits and formats apply to it too. */
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
