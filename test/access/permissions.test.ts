import { describe, expect, test } from 'vitest'
import { accountPermissions } from '../../src/access/caller.ts'
import {
  builtInRoles,
  effectivePermissions,
  groupPermissions,
  isPermission,
  permissions,
} from '../../src/access/permissions.ts'
import { english } from '../../src/messages/english.ts'

describe('permissions', () => {
  test('match the 25 permissions of the contract in order', () => {
    expect(permissions).toEqual([
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
    ])
    expect(permissions).toHaveLength(25)
  })

  test('are recognised, unlike scopes without a permission and inherited property names', () => {
    expect(permissions.every(isPermission)).toBe(true)
    expect(['profile.read', 'stats.read', '', 'toString', '__proto__', 'FLIGHT.READ.OWN'].filter(isPermission)).toEqual(
      [],
    )
  })
})

describe('permission descriptions', () => {
  test('are unique and belong to a group', () => {
    expect(new Set(permissions.map((name) => english.permissions[name])).size).toBe(permissions.length)
    const grouped = groupPermissions(permissions)
    expect(grouped.flatMap(({ held }) => held).toSorted()).toEqual(permissions.toSorted())
    expect(grouped.map(({ group }) => group)).toEqual(['ownFlights', 'allFlights', 'accountsAndRoles', 'sharedData'])
  })

  test('omit empty groups', () => {
    expect(groupPermissions(['roles.manage'])).toEqual([{ group: 'accountsAndRoles', held: ['roles.manage'] }])
  })
})

describe('effective permissions', () => {
  test.each([
    'flight.read',
    'flight.create',
    'flight.update',
    'flight.delete',
    'flight.import',
    'flight.export',
    'flight.passengers.manage',
  ] as const)('add own for a role with %s.any, in catalogue order', (action) => {
    expect(effectivePermissions([`${action}.any`])).toEqual([`${action}.own`, `${action}.any`])
  })

  test('never extend own to any', () => {
    for (const permission of permissions.filter((name) => !name.endsWith('.any'))) {
      expect(effectivePermissions([permission])).toEqual([permission])
    }
  })

  test('are unique and in catalogue order', () => {
    expect(effectivePermissions(['roles.manage', 'flight.read.own', 'roles.manage', 'flight.read.any'])).toEqual([
      'flight.read.own',
      'flight.read.any',
      'roles.manage',
    ])
  })

  test('are all 25 permissions for the owner', () => {
    expect([...accountPermissions(true, [])]).toEqual([...permissions])
    expect([...accountPermissions(false, [])]).toEqual([])
    expect([...accountPermissions(false, ['flight.delete.any'])]).toEqual(['flight.delete.own', 'flight.delete.any'])
  })
})

describe('built-in roles', () => {
  test('are User (default) and Administrator with the permissions of the contract', () => {
    expect(builtInRoles).toEqual([
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
    ])
    expect(builtInRoles.map((role) => role.permissions.length)).toEqual([9, 17])
  })

  test('do not include roles.manage', () => {
    expect(builtInRoles.some((role) => role.permissions.includes('roles.manage'))).toBe(false)
  })
})
