const permissionGroups = ['Own flights', 'All flights', 'Accounts and roles', 'Shared data'] as const

type PermissionGroup = (typeof permissionGroups)[number]

/** Lists of permissions use this order. */
const catalogue = {
  'flight.read.own': ['Own flights', 'Read flights they are on'],
  'flight.read.any': ['All flights', "Read everybody's flights"],
  'flight.create.own': ['Own flights', 'Add flights they are on'],
  'flight.create.any': ['All flights', 'Add flights they are not on'],
  'flight.update.own': ['Own flights', 'Change flights they are on'],
  'flight.update.any': ['All flights', "Change everybody's flights"],
  'flight.delete.own': ['Own flights', 'Delete flights they are on'],
  'flight.delete.any': ['All flights', "Delete everybody's flights"],
  'flight.import.own': ['Own flights', 'Import flights into their log'],
  'flight.import.any': ['All flights', 'Restore flights of all users'],
  'flight.export.own': ['Own flights', 'Export their flights'],
  'flight.export.any': ['All flights', "Export everybody's flights"],
  'flight.passengers.manage.own': ['Own flights', 'Change who is on their flights'],
  'flight.passengers.manage.any': ['All flights', 'Change who is on any flight'],
  'flight.share.own': ['Own flights', 'Publish their flights by a public link'],
  'users.directory.read': ['Accounts and roles', 'See who has an account'],
  'users.create': ['Accounts and roles', 'Create accounts'],
  'users.update': ['Accounts and roles', 'Change accounts with fewer permissions'],
  'users.delete': ['Accounts and roles', 'Delete accounts with fewer permissions'],
  'users.roles.assign': ['Accounts and roles', 'Give roles to users'],
  'data.airports.manage': ['Shared data', 'Manage custom airports'],
  'data.aircraft.manage': ['Shared data', 'Manage custom aircraft types'],
  'data.airlines.manage': ['Shared data', 'Manage custom airlines'],
  'custom_fields.manage': ['Shared data', 'Manage custom fields'],
  'roles.manage': ['Accounts and roles', 'Read and change roles'],
} as const satisfies Record<string, [group: PermissionGroup, description: string]>

export type Permission = keyof typeof catalogue

export const permissions = Object.keys(catalogue) as [Permission, ...Permission[]]

const known: ReadonlySet<string> = new Set(permissions)

export const isPermission = (text: string): text is Permission => known.has(text)

/** `X.any` includes `X.own`, for permissions and scopes alike. */
export function withImplied<Name extends string>(held: Iterable<Name>, catalogue: ReadonlySet<string>): Set<Name> {
  const all = new Set<Name>(held)
  for (const name of held) {
    if (!name.endsWith('.any')) continue
    const own = `${name.slice(0, -'.any'.length)}.own`
    if (catalogue.has(own)) all.add(own as Name)
  }
  return all
}

export function effectivePermissions(held: Iterable<Permission>): Permission[] {
  const all = withImplied(held, known)
  return permissions.filter((permission) => all.has(permission))
}

/** Created in a new installation; afterwards they are ordinary roles. */
export const builtInRoles = [
  {
    id: 'role-user',
    name: 'User',
    isDefault: true,
    permissions: permissions.filter((name) => name.endsWith('.own') || name === 'users.directory.read'),
  },
  {
    id: 'role-administrator',
    name: 'Administrator',
    isDefault: false,
    permissions: permissions.filter(
      (name) => name === 'flight.share.own' || (!name.endsWith('.own') && name !== 'roles.manage'),
    ),
  },
]

export const describePermission = (permission: Permission): string => catalogue[permission][1]

export function groupPermissions(listed: readonly Permission[]): { group: PermissionGroup; held: Permission[] }[] {
  return permissionGroups
    .map((group) => ({ group, held: listed.filter((permission) => catalogue[permission][0] === group) }))
    .filter(({ held }) => held.length > 0)
}
