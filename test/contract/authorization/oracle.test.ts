import { describe, expect, test } from 'vitest'
import type { Permission } from '../../../src/access/permissions.ts'
import type { Scope } from '../../../src/access/scopes.ts'
import { expected, type Situation } from './oracle.ts'

/** Sentences of the contract, as cases: the judge is judged before it judges. */
const judge = (
  operation: Situation['operation'],
  scopes: Scope[],
  permissions: Permission[] | 'owner',
  rest: Omit<Situation, 'operation' | 'credential' | 'caller'> = {},
) => {
  const caller =
    permissions === 'owner' ? { isOwner: true, permissions: [] as Permission[] } : { isOwner: false, permissions }
  return expected({ operation, credential: scopes, caller, ...rest })
}
const own = { kind: 'flight', aboard: true } as const
const others = { kind: 'flight', aboard: false } as const
const missing = { kind: 'missing' } as const

describe('the oracle', () => {
  test('B10: a flight that the role cannot see is 404; role with any but only the own scope is 403 with both', () => {
    expect(judge('getFlight', ['flight.read.any'], ['flight.read.own'], { target: others }).status).toBe(404)
    expect(judge('getFlight', ['flight.read.own'], ['flight.read.any'], { target: others })).toEqual({
      status: 403,
      code: 'insufficient_scope',
      challenge: { scopes: 'flight.read.own flight.read.any', error: 'insufficient_scope' },
    })
  })

  test('a flight is invisible to a role without any flight permission, also when the caller is on it', () => {
    expect(judge('getFlight', ['flight.read.own'], [], { target: own }).status).toBe(404)
    expect(judge('updateFlight', ['flight.update.own'], ['flight.update.own'], { target: own }).status).toBe(200)
  })

  test('a visible flight on which the role does not permit the action is forbidden', () => {
    const verdict = judge('deleteFlight', ['flight.delete.own'], ['flight.read.own'], { target: own })
    expect(verdict).toEqual({ status: 403, code: 'forbidden' })
    expect(judge('deleteFlight', ['flight.delete.own'], ['flight.delete.own'], { target: own }).status).toBe(204)
  })

  test('a missing fixed scope comes before the 404, a missing conditional one after it', () => {
    expect(judge('getFlight', [], 'owner', { target: missing }).status).toBe(403)
    expect(judge('getFlight', ['flight.read.own'], [], { target: missing }).status).toBe(404)
  })

  test('scope=all is named in the challenge already at the fixed scopes, and decides after them', () => {
    const all = { conditions: ['otherUsers' as const] }
    expect(judge('getStats', [], 'owner', all).challenge?.scopes).toBe('stats.read flight.read.own flight.read.any')
    expect(judge('getStats', ['stats.read', 'flight.read.own'], [], all)).toEqual({ status: 403, code: 'forbidden' })
    expect(judge('getStats', ['stats.read', 'flight.read.any'], ['flight.read.any'], all).status).toBe(200)
  })

  test('B4: one challenge lists all scopes of an update, fixed ones first', () => {
    const target = others
    const conditions = ['passengersChangeNotAboard' as const, 'trackMember' as const]
    expect(judge('updateFlight', ['flight.update.own'], 'owner', { target, conditions }).challenge?.scopes).toBe(
      'flight.update.own flight.update.any flight.passengers.manage.any tracks.write',
    )
  })

  test('deleting the own account takes scope and permission like any other, and never concerns the owner', () => {
    const nobody = { isOwner: false, permissions: [] }
    const self = { target: { kind: 'user', self: true, user: nobody } } as const
    expect(judge('deleteUser', ['users.delete'], [], self).code).toBe('forbidden')
    expect(judge('deleteUser', ['users.delete'], ['users.delete'], self).status).toBe(204)
    expect(judge('deleteUser', [], ['users.delete'], self).code).toBe('insufficient_scope')
    const theOwner = { target: { kind: 'user', self: true, user: { isOwner: true, permissions: [] } } } as const
    expect(judge('deleteUser', ['users.delete'], 'owner', theOwner).code).toBe('forbidden')
  })

  test('acting on another user takes a strict superset of effective permissions', () => {
    const on = (permissions: Permission[]) =>
      judge('updateUser', ['users.update'], ['users.update', 'flight.read.any'], {
        target: { kind: 'user', self: false, user: { isOwner: false, permissions } },
      }).status
    expect(on(['users.update', 'flight.read.own'])).toBe(200)
    expect(on(['users.update', 'flight.read.any'])).toBe(403)
    expect(on(['users.create'])).toBe(403)
  })

  test('giving a role takes users.roles.assign and every permission of the role', () => {
    const give = (permissions: Permission[]) =>
      judge('createUser', ['users.create', 'users.roles.assign'], ['users.create', 'users.roles.assign'], {
        conditions: ['otherRole'],
        wish: { permissions },
      }).status
    expect(give(['users.create'])).toBe(201)
    expect(give(['flight.read.own'])).toBe(403)
  })
})
