import { describe, expect, test } from 'vitest'
import { builtInRoles, effectivePermissions, type Permission, permissions } from '../../src/access/permissions.ts'
import {
  grantableScopes,
  inCatalogueOrder,
  permissionFor,
  presetScopes,
  scopeNames,
  scopes,
  usableScopes,
} from '../../src/access/scopes.ts'

/** Contract 2.2: name, permission, kind and description. */
const catalogue = [
  ['flight.read.own', 'flight.read.own', 'read', 'Read flights you are on'],
  ['flight.read.any', 'flight.read.any', 'read', "Read everybody's flights"],
  ['flight.create.own', 'flight.create.own', 'write', 'Add flights you are on'],
  ['flight.create.any', 'flight.create.any', 'write', 'Add flights you are not on'],
  ['flight.update.own', 'flight.update.own', 'write', 'Change flights you are on'],
  ['flight.update.any', 'flight.update.any', 'write', "Change everybody's flights"],
  ['flight.delete.own', 'flight.delete.own', 'write', 'Delete flights you are on'],
  ['flight.delete.any', 'flight.delete.any', 'write', "Delete everybody's flights"],
  ['flight.export.own', 'flight.export.own', 'read', 'Export your flights'],
  ['flight.export.any', 'flight.export.any', 'read', "Export everybody's flights"],
  ['flight.passengers.manage.own', 'flight.passengers.manage.own', 'write', 'Change who is on your flights'],
  ['flight.passengers.manage.any', 'flight.passengers.manage.any', 'write', 'Change who is on any flight'],
  ['users.directory.read', 'users.directory.read', 'read', 'List the users'],
  ['roles.manage', 'roles.manage', 'write', 'Read and change roles'],
  ['profile.read', null, 'read', 'Read your profile and preferences'],
  ['preferences.write', null, 'write', 'Change your preferences'],
  ['reference_data.read', null, 'read', 'Look up airports, airlines and aircraft types'],
  ['custom_fields.read', null, 'read', 'Read the custom-field definitions'],
  ['stats.read', 'flight.read.own', 'read', 'Read statistics'],
  ['tracks.read', 'flight.read.own', 'read', 'Read flight tracks'],
  ['tracks.write', 'flight.update.own', 'write', 'Store and remove flight tracks'],
  ['visited_countries.read', 'flight.read.own', 'read', 'Read your visited countries'],
  ['visited_countries.write', 'flight.read.own', 'write', 'Change your visited countries'],
  ['shares.read', 'flight.share.own', 'read', 'Read your public shares'],
  ['shares.write', 'flight.share.own', 'write', 'Create, change and remove your public shares'],
  ['flight.import.own', 'flight.import.own', 'write', 'Import flights into your log'],
  ['flight.import.any', 'flight.import.any', 'write', 'Restore flights of all users'],
  ['users.create', 'users.create', 'write', 'Create accounts'],
  ['users.update', 'users.update', 'write', 'Change accounts'],
  ['users.delete', 'users.delete', 'write', 'Delete accounts'],
  ['users.roles.assign', 'users.roles.assign', 'write', 'Give roles to users'],
  ['data.airports.manage', 'data.airports.manage', 'write', 'Manage custom airports'],
  ['data.airlines.manage', 'data.airlines.manage', 'write', 'Manage custom airlines'],
  ['data.aircraft.manage', 'data.aircraft.manage', 'write', 'Manage custom aircraft types'],
  ['custom_fields.manage', 'custom_fields.manage', 'write', 'Manage custom-field definitions'],
] as const

const held = (names: readonly Permission[]) => new Set(effectivePermissions(names))
const roleNamed = (id: string) => held(builtInRoles.find((role) => role.id === id)!.permissions)

const scopesWithoutPermission = ['profile.read', 'preferences.write', 'reference_data.read', 'custom_fields.read']

describe('scopes', () => {
  test('match the 35 scopes of the contract in order', () => {
    expect(scopes.map(({ name, permission, kind, description }) => [name, permission, kind, description])).toEqual(
      catalogue,
    )
    expect(scopeNames).toEqual(catalogue.map(([name]) => name))
    expect(scopeNames).toHaveLength(35)
  })

  test('name an existing permission or null', () => {
    for (const name of scopeNames) expect([null, ...permissions]).toContain(permissionFor(name))
  })

  test('belong to one of the seven groups of the key form', () => {
    expect([...new Set(scopes.map(({ group }) => group))].sort()).toEqual([
      'administration',
      'allFlights',
      'personalData',
      'profile',
      'referenceData',
      'tracksAndStatistics',
      'yourFlights',
    ])
  })
})

describe('usable scopes of a credential', () => {
  test.each([
    'flight.read',
    'flight.create',
    'flight.update',
    'flight.delete',
    'flight.import',
    'flight.export',
    'flight.passengers.manage',
  ] as const)('B5: %s.any covers the own scope, and not vice versa', (action) => {
    expect([...usableScopes([`${action}.any`])].sort()).toEqual([`${action}.any`, `${action}.own`])
    expect([...usableScopes([`${action}.own`])]).toEqual([`${action}.own`])
  })

  test('include nothing else without an own and any pair', () => {
    for (const name of scopeNames.filter((scope) => !scope.endsWith('.any'))) {
      expect([...usableScopes([name])]).toEqual([name])
    }
  })

  test('are unique, in catalogue order, and exclude unknown names', () => {
    expect(inCatalogueOrder(['shares.write', 'gone.scope', 'flight.read.own', 'shares.write'])).toEqual([
      'flight.read.own',
      'shares.write',
    ])
  })
})

describe('grantable scopes of a role', () => {
  test('are all scopes for the owner', () => {
    expect(grantableScopes(new Set(permissions))).toEqual(scopeNames)
  })

  test('exclude scopes that need a permission for an empty role', () => {
    expect(grantableScopes(new Set())).toEqual(scopeNames.filter((name) => scopesWithoutPermission.includes(name)))
  })

  test('depend only on the permission of each scope', () => {
    for (const permission of permissions) {
      const effective = held([permission])
      const expected = catalogue.filter(
        ([name, backing]) => scopesWithoutPermission.includes(name) || effective.has(backing as Permission),
      )
      expect(grantableScopes(effective)).toEqual(expected.map(([name]) => name))
    }
  })

  test('cover own flights, the directory and personal data for the role User', () => {
    expect(grantableScopes(roleNamed('role-user'))).toEqual([
      'flight.read.own',
      'flight.create.own',
      'flight.update.own',
      'flight.delete.own',
      'flight.export.own',
      'flight.passengers.manage.own',
      'users.directory.read',
      'profile.read',
      'preferences.write',
      'reference_data.read',
      'custom_fields.read',
      'stats.read',
      'tracks.read',
      'tracks.write',
      'visited_countries.read',
      'visited_countries.write',
      'shares.read',
      'shares.write',
      'flight.import.own',
    ])
  })

  test('are all scopes except roles.manage for the role Administrator', () => {
    expect(grantableScopes(roleNamed('role-administrator'))).toEqual(
      scopeNames.filter((name) => name !== 'roles.manage'),
    )
  })
})

describe('presets', () => {
  test.each(['role-user', 'role-administrator'])('"read only" excludes data of other users for %s', (role) => {
    expect(presetScopes('read', roleNamed(role))).toEqual([
      'flight.read.own',
      'flight.export.own',
      'profile.read',
      'reference_data.read',
      'custom_fields.read',
      'stats.read',
      'tracks.read',
      'visited_countries.read',
      'shares.read',
    ])
  })

  test('"read only" contains only grantable scopes', () => {
    expect(presetScopes('read', new Set())).toEqual(['profile.read', 'reference_data.read', 'custom_fields.read'])
  })

  test('"add" adds flights, and changes and deletes none', () => {
    for (const id of ['role-user', 'role-administrator']) {
      const added = presetScopes('add', roleNamed(id)).filter(
        (name) => !presetScopes('read', roleNamed(id)).includes(name),
      )
      expect(added).toEqual(['flight.create.own', 'flight.passengers.manage.own', 'flight.import.own'])
    }
    expect(presetScopes('add', new Set())).toEqual(presetScopes('read', new Set()))
  })

  test('"full access" contains every grantable scope', () => {
    for (const id of ['role-user', 'role-administrator']) {
      expect(presetScopes('all', roleNamed(id))).toEqual(grantableScopes(roleNamed(id)))
    }
  })
})
