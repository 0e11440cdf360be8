import { type Permission, withImplied } from './permissions.ts'

type ScopeKind = 'read' | 'write'

/** In the order of forms (contract 10.5). */
const scopeGroups = [
  'Profile',
  'Your flights',
  'All flights',
  'Tracks and statistics',
  'Reference data',
  'Personal data',
  'Administration',
] as const

type ScopeGroup = (typeof scopeGroups)[number]

interface ScopeEntry {
  name: string
  permission: Permission | null
  kind: ScopeKind
  description: string
  group: ScopeGroup
}

const scope = <Name extends string>(
  name: Name,
  permission: Permission | null,
  kind: ScopeKind,
  group: ScopeGroup,
  description: string,
) => ({ name, permission, kind, group, description })

/** Lists of scopes use this order. */
export const scopes = [
  scope('flight.read.own', 'flight.read.own', 'read', 'Your flights', 'Read flights you are on'),
  scope('flight.read.any', 'flight.read.any', 'read', 'All flights', "Read everybody's flights"),
  scope('flight.create.own', 'flight.create.own', 'write', 'Your flights', 'Add flights you are on'),
  scope('flight.create.any', 'flight.create.any', 'write', 'All flights', 'Add flights you are not on'),
  scope('flight.update.own', 'flight.update.own', 'write', 'Your flights', 'Change flights you are on'),
  scope('flight.update.any', 'flight.update.any', 'write', 'All flights', "Change everybody's flights"),
  scope('flight.delete.own', 'flight.delete.own', 'write', 'Your flights', 'Delete flights you are on'),
  scope('flight.delete.any', 'flight.delete.any', 'write', 'All flights', "Delete everybody's flights"),
  scope('flight.export.own', 'flight.export.own', 'read', 'Your flights', 'Export your flights'),
  scope('flight.export.any', 'flight.export.any', 'read', 'All flights', "Export everybody's flights"),
  scope(
    'flight.passengers.manage.own',
    'flight.passengers.manage.own',
    'write',
    'Your flights',
    'Change who is on your flights',
  ),
  scope(
    'flight.passengers.manage.any',
    'flight.passengers.manage.any',
    'write',
    'All flights',
    'Change who is on any flight',
  ),
  scope('users.directory.read', 'users.directory.read', 'read', 'Administration', 'List the users'),
  scope('roles.manage', 'roles.manage', 'write', 'Administration', 'Read and change roles'),
  scope('profile.read', null, 'read', 'Profile', 'Read your profile and preferences'),
  scope('preferences.write', null, 'write', 'Profile', 'Change your preferences'),
  scope('reference_data.read', null, 'read', 'Reference data', 'Look up airports, airlines and aircraft types'),
  scope('custom_fields.read', null, 'read', 'Reference data', 'Read the custom-field definitions'),
  scope('stats.read', 'flight.read.own', 'read', 'Tracks and statistics', 'Read statistics'),
  scope('tracks.read', 'flight.read.own', 'read', 'Tracks and statistics', 'Read flight tracks'),
  scope('tracks.write', 'flight.update.own', 'write', 'Tracks and statistics', 'Store and remove flight tracks'),
  scope('visited_countries.read', 'flight.read.own', 'read', 'Personal data', 'Read your visited countries'),
  scope('visited_countries.write', 'flight.read.own', 'write', 'Personal data', 'Change your visited countries'),
  scope('shares.read', 'flight.share.own', 'read', 'Personal data', 'Read your public shares'),
  scope('shares.write', 'flight.share.own', 'write', 'Personal data', 'Create, change and remove your public shares'),
  scope('flight.import.own', 'flight.import.own', 'write', 'Your flights', 'Import flights into your log'),
  scope('flight.import.any', 'flight.import.any', 'write', 'All flights', 'Restore flights of all users'),
  scope('users.create', 'users.create', 'write', 'Administration', 'Create accounts'),
  scope('users.update', 'users.update', 'write', 'Administration', 'Change accounts'),
  scope('users.delete', 'users.delete', 'write', 'Administration', 'Delete accounts'),
  scope('users.roles.assign', 'users.roles.assign', 'write', 'Administration', 'Give roles to users'),
  scope('data.airports.manage', 'data.airports.manage', 'write', 'Administration', 'Manage custom airports'),
  scope('data.airlines.manage', 'data.airlines.manage', 'write', 'Administration', 'Manage custom airlines'),
  scope('data.aircraft.manage', 'data.aircraft.manage', 'write', 'Administration', 'Manage custom aircraft types'),
  scope('custom_fields.manage', 'custom_fields.manage', 'write', 'Administration', 'Manage custom-field definitions'),
] as const

export type Scope = (typeof scopes)[number]['name']

export const scopeNames: readonly Scope[] = scopes.map((scope) => scope.name)

const byName = new Map<string, ScopeEntry>(scopes.map((scope) => [scope.name, scope]))
const names: ReadonlySet<string> = new Set(scopeNames)

export const permissionFor = (scope: Scope): Permission | null => byName.get(scope)!.permission

export const usableScopes = (listed: Iterable<Scope>): Set<Scope> => withImplied(listed, names)

/** Drops duplicates and stored names that are no longer known. */
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

export const describeScope = (scope: Scope): string => byName.get(scope)!.description

export function groupScopes(listed: readonly Scope[]): { group: ScopeGroup; scopes: Scope[] }[] {
  return scopeGroups
    .map((group) => ({ group, scopes: listed.filter((scope) => byName.get(scope)!.group === group) }))
    .filter((entry) => entry.scopes.length > 0)
}

type ScopePreset = 'read' | 'all'

/** Excludes data of other users (contract 17.12). */
const isReadOfOwnData = ({ kind, group }: ScopeEntry): boolean =>
  kind === 'read' && group !== 'All flights' && group !== 'Administration'

export function presetScopes(preset: ScopePreset, permissions: ReadonlySet<Permission>): Scope[] {
  return grantableScopes(permissions).filter((scope) => preset === 'all' || isReadOfOwnData(byName.get(scope)!))
}
