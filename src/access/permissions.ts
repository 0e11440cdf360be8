const permissionGroups = ['ownFlights', 'allFlights', 'accountsAndRoles', 'sharedData'] as const

type PermissionGroup = (typeof permissionGroups)[number]

/** Lists of permissions use this order. */
const catalogue = {
  'flight.read.own': 'ownFlights',
  'flight.read.any': 'allFlights',
  'flight.create.own': 'ownFlights',
  'flight.create.any': 'allFlights',
  'flight.update.own': 'ownFlights',
  'flight.update.any': 'allFlights',
  'flight.delete.own': 'ownFlights',
  'flight.delete.any': 'allFlights',
  'flight.import.own': 'ownFlights',
  'flight.import.any': 'allFlights',
  'flight.export.own': 'ownFlights',
  'flight.export.any': 'allFlights',
  'flight.passengers.manage.own': 'ownFlights',
  'flight.passengers.manage.any': 'allFlights',
  'flight.share.own': 'ownFlights',
  'users.directory.read': 'accountsAndRoles',
  'users.create': 'accountsAndRoles',
  'users.update': 'accountsAndRoles',
  'users.delete': 'accountsAndRoles',
  'users.roles.assign': 'accountsAndRoles',
  'data.airports.manage': 'sharedData',
  'data.aircraft.manage': 'sharedData',
  'data.airlines.manage': 'sharedData',
  'custom_fields.manage': 'sharedData',
  'roles.manage': 'accountsAndRoles',
} as const satisfies Record<string, PermissionGroup>

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

export function groupPermissions(listed: readonly Permission[]): { group: PermissionGroup; held: Permission[] }[] {
  return permissionGroups
    .map((group) => ({ group, held: listed.filter((permission) => catalogue[permission] === group) }))
    .filter(({ held }) => held.length > 0)
}
