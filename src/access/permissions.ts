/** What a role may hold, in the order used wherever permissions are listed. */
export const permissions = [
  'flight.read.own',
  'flight.read.any',
  'flight.create.own',
  'flight.create.any',
  'flight.update.own',
  'flight.update.any',
  'flight.delete.own',
  'flight.delete.any',
  'flight.import.own',
  'flight.import.any',
  'flight.export.own',
  'flight.export.any',
  'flight.passengers.manage.own',
  'flight.passengers.manage.any',
  'flight.share.own',
  'users.directory.read',
  'users.create',
  'users.update',
  'users.delete',
  'users.roles.assign',
  'data.airports.manage',
  'data.aircraft.manage',
  'data.airlines.manage',
  'custom_fields.manage',
  'roles.manage',
] as const

export type Permission = (typeof permissions)[number]

const known: ReadonlySet<string> = new Set(permissions)

export const isPermission = (text: string): text is Permission => known.has(text)

/** `X.any` includes `X.own`, for permissions and scopes alike; nothing else implies anything. */
export function withImplied<Name extends string>(held: Iterable<Name>, catalogue: ReadonlySet<string>): Set<Name> {
  const all = new Set<Name>(held)
  for (const name of held) {
    if (!name.endsWith('.any')) continue
    const own = `${name.slice(0, -'.any'.length)}.own`
    if (catalogue.has(own)) all.add(own as Name)
  }
  return all
}

/** The role's permissions with every implied one, in catalogue order. */
export function effectivePermissions(held: Iterable<Permission>): Permission[] {
  const all = withImplied(held, known)
  return permissions.filter((permission) => all.has(permission))
}

interface BuiltInRole {
  id: string
  name: string
  isDefault: boolean
  permissions: Permission[]
}

/** The roles of a new installation; afterwards they are ordinary roles. */
export const builtInRoles: BuiltInRole[] = [
  {
    id: 'role-user',
    name: 'User',
    isDefault: true,
    permissions: [
      'flight.read.own',
      'flight.create.own',
      'flight.update.own',
      'flight.delete.own',
      'flight.import.own',
      'flight.export.own',
      'flight.passengers.manage.own',
      'flight.share.own',
      'users.directory.read',
    ],
  },
  {
    id: 'role-administrator',
    name: 'Administrator',
    isDefault: false,
    permissions: [
      'flight.read.any',
      'flight.create.any',
      'flight.update.any',
      'flight.delete.any',
      'flight.import.any',
      'flight.export.any',
      'flight.passengers.manage.any',
      'flight.share.own',
      'users.directory.read',
      'users.create',
      'users.update',
      'users.delete',
      'users.roles.assign',
      'data.airports.manage',
      'data.aircraft.manage',
      'data.airlines.manage',
      'custom_fields.manage',
    ],
  },
]
