import { describe, expect, test } from 'vitest'
import { authorize, MissingScope, requireFixedScopes } from '../../src/access/authorize.ts'
import { accountPermissions, type Caller, credential } from '../../src/access/caller.ts'
import type { Permission } from '../../src/access/permissions.ts'
import { permissions } from '../../src/access/permissions.ts'
import { type Scope, scopeNames } from '../../src/access/scopes.ts'
import { AppError } from '../../src/lib/errors.ts'

const caller = (scopes: readonly Scope[], held: readonly Permission[] = permissions): Caller => ({
  userId: 'u',
  username: 'user',
  displayName: 'User',
  role: { id: 'r', name: 'Role' },
  isOwner: false,
  permissions: accountPermissions(false, held),
  credential: credential('apiKey', '1', scopes),
  via: { surface: 'v1', credential: 'Key', address: null },
})

/** The refusal of a decision: its code and, for a missing scope, what the challenge will list. */
function refusal(decide: () => void) {
  try {
    decide()
  } catch (error) {
    if (error instanceof MissingScope) return { code: error.code, message: error.message, needed: [...error.needed] }
    if (error instanceof AppError) return { code: error.code, message: error.message }
    throw error
  }
  return 'permitted'
}

const none = { ownPassengersChange: false, otherPassengersChange: false, notPassenger: false, trackGiven: false }

describe('requireFixedScopes', () => {
  test('lets a caller with the fixed scopes and their permissions through', () => {
    expect(refusal(() => requireFixedScopes(caller(['flight.read.own'], ['flight.read.own']), 'listFlights'))).toBe(
      'permitted',
    )
  })

  test('asks nothing but a credential for getMe', () => {
    expect(refusal(() => requireFixedScopes(caller([], []), 'getMe'))).toBe('permitted')
  })

  test('names all missing fixed scopes at once', () => {
    expect(refusal(() => requireFixedScopes(caller([]), 'getFlightTrack'))).toEqual({
      code: 'insufficient_scope',
      message: 'This call also needs the scopes tracks.read, flight.read.own.',
      needed: ['tracks.read', 'flight.read.own'],
    })
  })

  test('lists every fixed scope in the challenge, also those that are held, and names the missing one', () => {
    expect(refusal(() => requireFixedScopes(caller(['stats.read']), 'getStats'))).toEqual({
      code: 'insufficient_scope',
      message: 'This call also needs the scope flight.read.own.',
      needed: ['stats.read', 'flight.read.own'],
    })
  })

  test('adds what the query already tells to the challenge, after the fixed scopes', () => {
    expect(refusal(() => requireFixedScopes(caller([]), 'getStats', () => ({ otherUsers: true })))).toEqual({
      code: 'insufficient_scope',
      message: 'This call also needs the scopes stats.read, flight.read.own, flight.read.any.',
      needed: ['stats.read', 'flight.read.own', 'flight.read.any'],
    })
  })

  test('does not refuse for a conditional scope: that is decided with the target', () => {
    const known = () => ({ otherUsers: true })
    expect(refusal(() => requireFixedScopes(caller(['flight.read.own']), 'listFlights', known))).toBe('permitted')
  })

  test('refuses a role that does not back a fixed scope, after the scopes', () => {
    expect(refusal(() => requireFixedScopes(caller(scopeNames, []), 'listFlights'))).toEqual({
      code: 'forbidden',
      message: 'Your role does not permit this: it lacks flight.read.own.',
    })
    expect(refusal(() => requireFixedScopes(caller([], []), 'listFlights'))).toMatchObject({
      code: 'insufficient_scope',
    })
  })

  test.each([
    'getFlight',
    'updateFlight',
    'deleteFlight',
    'getFlightTrack',
    'putFlightTrack',
    'deleteFlightTrack',
  ] as const)('leaves the role to the target for %s', (id) => {
    expect(refusal(() => requireFixedScopes(caller(scopeNames, []), id))).toBe('permitted')
    expect(refusal(() => requireFixedScopes(caller([]), id))).toMatchObject({ code: 'insufficient_scope' })
  })

  test('judges the role at once for every other operation that has a backed scope', () => {
    for (const id of [
      'createFlight',
      'updateUser',
      'deleteUser',
      'deleteRole',
      'createShare',
      'importFlights',
    ] as const) {
      expect(refusal(() => requireFixedScopes(caller(scopeNames, []), id))).toMatchObject({ code: 'forbidden' })
    }
  })
})

describe('authorize', () => {
  test('needs only the fixed scopes when no condition holds', () => {
    const narrow = caller(['flight.update.own'], ['flight.update.own'])
    expect(refusal(() => authorize(narrow, 'updateFlight', none))).toBe('permitted')
  })

  test('B4: names every missing scope of a call in one challenge, fixed ones first, then in the order of the row', () => {
    const facts = { notPassenger: true, ownPassengersChange: false, otherPassengersChange: true, trackGiven: true }
    expect(refusal(() => authorize(caller(['flight.update.own']), 'updateFlight', facts))).toEqual({
      code: 'insufficient_scope',
      message: 'This call also needs the scopes flight.update.any, flight.passengers.manage.any, tracks.write.',
      needed: ['flight.update.own', 'flight.update.any', 'flight.passengers.manage.any', 'tracks.write'],
    })
  })

  test('checks the fixed part again: a surface without the hook is still safe', () => {
    expect(refusal(() => authorize(caller(['flight.update.any']), 'getPreferences', {}))).toEqual({
      code: 'insufficient_scope',
      message: 'This call also needs the scope profile.read.',
      needed: ['profile.read'],
    })
    expect(refusal(() => authorize(caller(scopeNames, []), 'getFlight', { notPassenger: false }))).toMatchObject({
      code: 'forbidden',
    })
  })

  test('B5: any stands for own, in the credential and in the role', () => {
    const anyOnly = caller(['flight.read.any'], ['flight.read.any'])
    expect(refusal(() => authorize(anyOnly, 'getFlight', { notPassenger: false }))).toBe('permitted')
    expect(refusal(() => authorize(anyOnly, 'getFlight', { notPassenger: true }))).toBe('permitted')
  })

  test('B9: a scope that the role does not back is forbidden, without naming scopes', () => {
    const narrowed = caller(scopeNames, ['flight.read.own'])
    expect(refusal(() => authorize(narrowed, 'getFlight', { notPassenger: true }))).toEqual({
      code: 'forbidden',
      message: 'Your role does not permit this: it lacks flight.read.any.',
    })
  })

  test('a missing scope wins over a missing permission', () => {
    expect(refusal(() => authorize(caller([], []), 'createUser', { otherRole: true }))).toEqual({
      code: 'insufficient_scope',
      message: 'This call also needs the scopes users.create, users.roles.assign.',
      needed: ['users.create', 'users.roles.assign'],
    })
  })

  test('tracks.write is backed by the permission to update', () => {
    const writer = (held: Permission[]) => () =>
      authorize(caller(scopeNames, held), 'createFlight', {
        notPassenger: false,
        severalWithCaller: false,
        severalWithoutCaller: false,
        trackGiven: true,
      })
    expect(refusal(writer(['flight.create.own']))).toMatchObject({ code: 'forbidden' })
    expect(refusal(writer(['flight.create.own', 'flight.update.own']))).toBe('permitted')
  })
})
