import { english } from '../messages/english.ts'
import { type Permission, withImplied } from './permissions.ts'

type ScopeKind = 'read' | 'write'

/** In the order of forms (contract 10.5). */
const scopeGroups = [
  'profile',
  'yourFlights',
  'allFlights',
  'tracksAndStatistics',
  'referenceData',
  'personalData',
  'administration',
] as const

type ScopeGroup = (typeof scopeGroups)[number]

interface ScopeEntry {
  name: string
  permission: Permission | null
  kind: ScopeKind
  description: string
  group: ScopeGroup
}

/** Most scopes need the permission with the same name. */
const scope = <Name extends keyof typeof english.scopes>(
  name: Name,
  kind: ScopeKind,
  group: ScopeGroup,
  permission: Permission | null = name as string as Permission,
) => ({ name, kind, group, description: english.scopes[name], permission })

/** Lists of scopes use this order. */
export const scopes = [
  scope('flight.read.own', 'read', 'yourFlights'),
  scope('flight.read.any', 'read', 'allFlights'),
  scope('flight.create.own', 'write', 'yourFlights'),
  scope('flight.create.any', 'write', 'allFlights'),
  scope('flight.update.own', 'write', 'yourFlights'),
  scope('flight.update.any', 'write', 'allFlights'),
  scope('flight.delete.own', 'write', 'yourFlights'),
  scope('flight.delete.any', 'write', 'allFlights'),
  scope('flight.export.own', 'read', 'yourFlights'),
  scope('flight.export.any', 'read', 'allFlights'),
  scope('flight.passengers.manage.own', 'write', 'yourFlights'),
  scope('flight.passengers.manage.any', 'write', 'allFlights'),
  scope('users.directory.read', 'read', 'administration'),
  scope('roles.manage', 'write', 'administration'),
  scope('profile.read', 'read', 'profile', null),
  scope('preferences.write', 'write', 'profile', null),
  scope('reference_data.read', 'read', 'referenceData', null),
  scope('custom_fields.read', 'read', 'referenceData', null),
  scope('stats.read', 'read', 'tracksAndStatistics', 'flight.read.own'),
  scope('tracks.read', 'read', 'tracksAndStatistics', 'flight.read.own'),
  scope('tracks.write', 'write', 'tracksAndStatistics', 'flight.update.own'),
  scope('visited_countries.read', 'read', 'personalData', 'flight.read.own'),
  scope('visited_countries.write', 'write', 'personalData', 'flight.read.own'),
  scope('shares.read', 'read', 'personalData', 'flight.share.own'),
  scope('shares.write', 'write', 'personalData', 'flight.share.own'),
  scope('flight.import.own', 'write', 'yourFlights'),
  scope('flight.import.any', 'write', 'allFlights'),
  scope('users.create', 'write', 'administration'),
  scope('users.update', 'write', 'administration'),
  scope('users.delete', 'write', 'administration'),
  scope('users.roles.assign', 'write', 'administration'),
  scope('data.airports.manage', 'write', 'administration'),
  scope('data.airlines.manage', 'write', 'administration'),
  scope('data.aircraft.manage', 'write', 'administration'),
  scope('custom_fields.manage', 'write', 'administration'),
] as const

export type Scope = (typeof scopes)[number]['name']

export const scopeNames: readonly Scope[] = scopes.map((scope) => scope.name)

const byName = new Map<string, ScopeEntry>(scopes.map((scope) => [scope.name, scope]))
const names: ReadonlySet<string> = new Set(scopeNames)

export const permissionFor = (scope: Scope): Permission | null => byName.get(scope)!.permission

export const usableScopes = (listed: Iterable<Scope>): Set<Scope> => withImplied(listed, names)

export function inCatalogueOrder(listed: Iterable<string>): Scope[] {
  const wanted = new Set(listed)
  return scopeNames.filter((scope) => wanted.has(scope))
}

export function grantableScopes(permissions: ReadonlySet<Permission>): Scope[] {
  return scopeNames.filter((scope) => {
    const permission = permissionFor(scope)
    return permission === null || permissions.has(permission)
  })
}

/** The default for MCP clients, in this order (contract 2.2). */
export const mcpDefaultScopes: readonly Scope[] = [
  'profile.read',
  'flight.read.own',
  'reference_data.read',
  'stats.read',
  'tracks.read',
  'visited_countries.read',
  'shares.read',
  'custom_fields.read',
]

export function groupScopes(listed: readonly Scope[]): { group: ScopeGroup; scopes: Scope[] }[] {
  return scopeGroups
    .map((group) => ({ group, scopes: listed.filter((scope) => byName.get(scope)!.group === group) }))
    .filter((entry) => entry.scopes.length > 0)
}

/** In the order of the key form. */
export const scopePresets = ['read', 'add', 'all'] as const

export type ScopePreset = (typeof scopePresets)[number]

/** Adding with companions needs the second scope, which changes no flight without `flight.update.own`. */
const addScopes: ReadonlySet<string> = new Set<Scope>([
  'flight.create.own',
  'flight.passengers.manage.own',
  'flight.import.own',
])

/** Excludes data of other users (contract 17.12). */
const isReadOfOwnData = ({ kind, group }: ScopeEntry): boolean =>
  kind === 'read' && group !== 'allFlights' && group !== 'administration'

export function presetScopes(preset: ScopePreset, permissions: ReadonlySet<Permission>): Scope[] {
  return grantableScopes(permissions).filter(
    (scope) => preset === 'all' || isReadOfOwnData(byName.get(scope)!) || (preset === 'add' && addScopes.has(scope)),
  )
}
