import { describe, expect, test } from 'vitest'
import type { Permission } from '../../../src/access/permissions.ts'
import type { Scope } from '../../../src/access/scopes.ts'
import { expected, type Situation } from './oracle.ts'

/** Tests the oracle itself against sentences of the contract. */
const decide = (
  operation: Situation['operation'],
  scopes: Scope[],
  permissions: Permission[] | 'owner',
  rest: Omit<Situation, 'operation' | 'credential' | 'caller'> = {},
) => {
  const caller =
    permissions === 'owner' ? { isOwner: true, permissions: [] as Permission[] } : { isOwner: false, permissions }
  return expected({ operation, credential: scopes, caller, ...rest })
}
const ownFlight = { kind: 'flight', isPassenger: true } as const
const otherFlight = { kind: 'flight', isPassenger: false } as const
const missing = { kind: 'missing' } as const

describe('the oracle', () => {
  test('B10: returns 404 for a flight that the role cannot see, and 403 with both scopes if only the own scope is granted', () => {
    expect(decide('getFlight', ['flight.read.any'], ['flight.read.own'], { target: otherFlight }).status).toBe(404)
    expect(decide('getFlight', ['flight.read.own'], ['flight.read.any'], { target: otherFlight })).toEqual({
      status: 403,
      code: 'insufficient_scope',
      challenge: { scopes: 'flight.read.own flight.read.any', error: 'insufficient_scope' },
    })
  })

  test('hides a flight from a role without flight permissions, even if the caller is a passenger', () => {
    expect(decide('getFlight', ['flight.read.own'], [], { target: ownFlight }).status).toBe(404)
    expect(decide('updateFlight', ['flight.update.own'], ['flight.update.own'], { target: ownFlight }).status).toBe(200)
  })

  test('returns forbidden for a visible flight if the role does not permit the action', () => {
    const outcome = decide('deleteFlight', ['flight.delete.own'], ['flight.read.own'], { target: ownFlight })
    expect(outcome).toEqual({ status: 403, code: 'forbidden' })
    expect(decide('deleteFlight', ['flight.delete.own'], ['flight.delete.own'], { target: ownFlight }).status).toBe(204)
  })

  test('reports a missing fixed scope before 404, and a missing conditional scope after it', () => {
    expect(decide('getFlight', [], 'owner', { target: missing }).status).toBe(403)
    expect(decide('getFlight', ['flight.read.own'], [], { target: missing }).status).toBe(404)
  })

  test('names the scope for scope=all with the fixed scopes, and checks it after them', () => {
    const all = { conditions: ['otherUsers' as const] }
    expect(decide('getStats', [], 'owner', all).challenge?.scopes).toBe('stats.read flight.read.own flight.read.any')
    expect(decide('getStats', ['stats.read', 'flight.read.own'], [], all)).toEqual({ status: 403, code: 'forbidden' })
    expect(decide('getStats', ['stats.read', 'flight.read.any'], ['flight.read.any'], all).status).toBe(200)
  })

  test('B4: lists all scopes of an update in one challenge, fixed ones first', () => {
    const target = otherFlight
    const conditions = ['otherPassengersChange' as const, 'trackGiven' as const]
    expect(decide('updateFlight', ['flight.update.own'], 'owner', { target, conditions }).challenge?.scopes).toBe(
      'flight.update.own flight.update.any flight.passengers.manage.any tracks.write',
    )
  })

  test('requires scope and permission to delete your own account, and never allows it for the owner', () => {
    const other = { isOwner: false, permissions: [] }
    const self = { target: { kind: 'user', self: true, user: other } } as const
    expect(decide('deleteUser', ['users.delete'], [], self).code).toBe('forbidden')
    expect(decide('deleteUser', ['users.delete'], ['users.delete'], self).status).toBe(204)
    expect(decide('deleteUser', [], ['users.delete'], self).code).toBe('insufficient_scope')
    const theOwner = { target: { kind: 'user', self: true, user: { isOwner: true, permissions: [] } } } as const
    expect(decide('deleteUser', ['users.delete'], 'owner', theOwner).code).toBe('forbidden')
  })

  test('requires a strict superset of effective permissions for another user', () => {
    const statusFor = (permissions: Permission[]) =>
      decide('updateUser', ['users.update'], ['users.update', 'flight.read.any'], {
        target: { kind: 'user', self: false, user: { isOwner: false, permissions } },
      }).status
    expect(statusFor(['users.update', 'flight.read.own'])).toBe(200)
    expect(statusFor(['users.update', 'flight.read.any'])).toBe(403)
    expect(statusFor(['users.create'])).toBe(403)
  })

  test('requires users.roles.assign and every permission of the role to assign it', () => {
    const statusOfAssigning = (permissions: Permission[]) =>
      decide('createUser', ['users.create', 'users.roles.assign'], ['users.create', 'users.roles.assign'], {
        conditions: ['otherRole'],
        requestedChange: { permissions },
      }).status
    expect(statusOfAssigning(['users.create'])).toBe(201)
    expect(statusOfAssigning(['flight.read.own'])).toBe(403)
  })
})
