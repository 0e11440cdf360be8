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

/** Most scopes need the permission with the same name. */
const scope = <Name extends string>(
  name: Name,
  kind: ScopeKind,
  group: ScopeGroup,
  description: string,
  permission: Permission | null = name as string as Permission,
) => ({ name, kind, group, description, permission })

/** Lists of scopes use this order. */
export const scopes = [
  scope('flight.read.own', 'read', 'Your flights', 'Read flights you are on'),
  scope('flight.read.any', 'read', 'All flights', "Read everybody's flights"),
  scope('flight.create.own', 'write', 'Your flights', 'Add flights you are on'),
  scope('flight.create.any', 'write', 'All flights', 'Add flights you are not on'),
  scope('flight.update.own', 'write', 'Your flights', 'Change flights you are on'),
  scope('flight.update.any', 'write', 'All flights', "Change everybody's flights"),
  scope('flight.delete.own', 'write', 'Your flights', 'Delete flights you are on'),
  scope('flight.delete.any', 'write', 'All flights', "Delete everybody's flights"),
  scope('flight.export.own', 'read', 'Your flights', 'Export your flights'),
  scope('flight.export.any', 'read', 'All flights', "Export everybody's flights"),
  scope('flight.passengers.manage.own', 'write', 'Your flights', 'Change who is on your flights'),
  scope('flight.passengers.manage.any', 'write', 'All flights', 'Change who is on any flight'),
  scope('users.directory.read', 'read', 'Administration', 'List the users'),
  scope('roles.manage', 'write', 'Administration', 'Read and change roles'),
  scope('profile.read', 'read', 'Profile', 'Read your profile and preferences', null),
  scope('preferences.write', 'write', 'Profile', 'Change your preferences', null),
  scope('reference_data.read', 'read', 'Reference data', 'Look up airports, airlines and aircraft types', null),
  scope('custom_fields.read', 'read', 'Reference data', 'Read the custom-field definitions', null),
  scope('stats.read', 'read', 'Tracks and statistics', 'Read statistics', 'flight.read.own'),
  scope('tracks.read', 'read', 'Tracks and statistics', 'Read flight tracks', 'flight.read.own'),
  scope('tracks.write', 'write', 'Tracks and statistics', 'Store and remove flight tracks', 'flight.update.own'),
  scope('visited_countries.read', 'read', 'Personal data', 'Read your visited countries', 'flight.read.own'),
  scope('visited_countries.write', 'write', 'Personal data', 'Change your visited countries', 'flight.read.own'),
  scope('shares.read', 'read', 'Personal data', 'Read your public shares', 'flight.share.own'),
  scope('shares.write', 'write', 'Personal data', 'Create, change and remove your public shares', 'flight.share.own'),
  scope('flight.import.own', 'write', 'Your flights', 'Import flights into your log'),
  scope('flight.import.any', 'write', 'All flights', 'Restore flights of all users'),
  scope('users.create', 'write', 'Administration', 'Create accounts'),
  scope('users.update', 'write', 'Administration', 'Change accounts'),
  scope('users.delete', 'write', 'Administration', 'Delete accounts'),
  scope('users.roles.assign', 'write', 'Administration', 'Give roles to users'),
  scope('data.airports.manage', 'write', 'Administration', 'Manage custom airports'),
  scope('data.airlines.manage', 'write', 'Administration', 'Manage custom airlines'),
  scope('data.aircraft.manage', 'write', 'Administration', 'Manage custom aircraft types'),
  scope('custom_fields.manage', 'write', 'Administration', 'Manage custom-field definitions'),
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

export const describeScope = (scope: Scope): string => byName.get(scope)!.description

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
  kind === 'read' && group !== 'All flights' && group !== 'Administration'

export function presetScopes(preset: ScopePreset, permissions: ReadonlySet<Permission>): Scope[] {
  return grantableScopes(permissions).filter(
    (scope) => preset === 'all' || isReadOfOwnData(byName.get(scope)!) || (preset === 'add' && addScopes.has(scope)),
  )
}
