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

/** The error of a decision, with the scopes of the challenge if a scope is missing. */
function outcomeOf(decide: () => void) {
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
  test('allows a caller with the fixed scopes and their permissions', () => {
    expect(outcomeOf(() => requireFixedScopes(caller(['flight.read.own'], ['flight.read.own']), 'listFlights'))).toBe(
      'permitted',
    )
  })

  test('requires only a credential for getMe', () => {
    expect(outcomeOf(() => requireFixedScopes(caller([], []), 'getMe'))).toBe('permitted')
  })

  test('names all missing fixed scopes at once', () => {
    expect(outcomeOf(() => requireFixedScopes(caller([]), 'getFlightTrack'))).toEqual({
      code: 'insufficient_scope',
      message: 'This call also needs the scopes tracks.read, flight.read.own.',
      needed: ['tracks.read', 'flight.read.own'],
    })
  })

  test('lists every fixed scope in the challenge and names only the missing one', () => {
    expect(outcomeOf(() => requireFixedScopes(caller(['stats.read']), 'getStats'))).toEqual({
      code: 'insufficient_scope',
      message: 'This call also needs the scope flight.read.own.',
      needed: ['stats.read', 'flight.read.own'],
    })
  })

  test('adds scopes that follow from the query after the fixed scopes', () => {
    expect(outcomeOf(() => requireFixedScopes(caller([]), 'getStats', () => ({ otherUsers: true })))).toEqual({
      code: 'insufficient_scope',
      message: 'This call also needs the scopes stats.read, flight.read.own, flight.read.any.',
      needed: ['stats.read', 'flight.read.own', 'flight.read.any'],
    })
  })

  test('ignores missing conditional scopes', () => {
    const known = () => ({ otherUsers: true })
    expect(outcomeOf(() => requireFixedScopes(caller(['flight.read.own']), 'listFlights', known))).toBe('permitted')
  })

  test('checks the permission of the role after the fixed scopes', () => {
    expect(outcomeOf(() => requireFixedScopes(caller(scopeNames, []), 'listFlights'))).toEqual({
      code: 'forbidden',
      message: 'Your role does not permit this: it lacks flight.read.own.',
    })
    expect(outcomeOf(() => requireFixedScopes(caller([], []), 'listFlights'))).toMatchObject({
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
  ] as const)('leaves the role check to the target for %s', (id) => {
    expect(outcomeOf(() => requireFixedScopes(caller(scopeNames, []), id))).toBe('permitted')
    expect(outcomeOf(() => requireFixedScopes(caller([]), id))).toMatchObject({ code: 'insufficient_scope' })
  })

  test('checks the role for every other operation whose scopes need a permission', () => {
    for (const id of [
      'createFlight',
      'updateUser',
      'deleteUser',
      'deleteRole',
      'createShare',
      'importFlights',
    ] as const) {
      expect(outcomeOf(() => requireFixedScopes(caller(scopeNames, []), id))).toMatchObject({ code: 'forbidden' })
    }
  })
})

describe('authorize', () => {
  test('requires only the fixed scopes without a matching condition', () => {
    const narrow = caller(['flight.update.own'], ['flight.update.own'])
    expect(outcomeOf(() => authorize(narrow, 'updateFlight', none))).toBe('permitted')
  })

  test('B4: names every missing scope in one challenge, fixed scopes first', () => {
    const facts = { notPassenger: true, ownPassengersChange: false, otherPassengersChange: true, trackGiven: true }
    expect(outcomeOf(() => authorize(caller(['flight.update.own']), 'updateFlight', facts))).toEqual({
      code: 'insufficient_scope',
      message: 'This call also needs the scopes flight.update.any, flight.passengers.manage.any, tracks.write.',
      needed: ['flight.update.own', 'flight.update.any', 'flight.passengers.manage.any', 'tracks.write'],
    })
  })

  test('checks the fixed scopes again', () => {
    expect(outcomeOf(() => authorize(caller(['flight.update.any']), 'getPreferences', {}))).toEqual({
      code: 'insufficient_scope',
      message: 'This call also needs the scope profile.read.',
      needed: ['profile.read'],
    })
    expect(outcomeOf(() => authorize(caller(scopeNames, []), 'getFlight', { notPassenger: false }))).toMatchObject({
      code: 'forbidden',
    })
  })

  test('B5: accepts any in place of own, in the credential and in the role', () => {
    const anyOnly = caller(['flight.read.any'], ['flight.read.any'])
    expect(outcomeOf(() => authorize(anyOnly, 'getFlight', { notPassenger: false }))).toBe('permitted')
    expect(outcomeOf(() => authorize(anyOnly, 'getFlight', { notPassenger: true }))).toBe('permitted')
  })

  test('B9: returns forbidden without scopes if the role lacks the permission', () => {
    const narrowed = caller(scopeNames, ['flight.read.own'])
    expect(outcomeOf(() => authorize(narrowed, 'getFlight', { notPassenger: true }))).toEqual({
      code: 'forbidden',
      message: 'Your role does not permit this: it lacks flight.read.any.',
    })
  })

  test('reports a missing scope before a missing permission', () => {
    expect(outcomeOf(() => authorize(caller([], []), 'createUser', { otherRole: true }))).toEqual({
      code: 'insufficient_scope',
      message: 'This call also needs the scopes users.create, users.roles.assign.',
      needed: ['users.create', 'users.roles.assign'],
    })
  })

  test('requires the update permission for tracks.write', () => {
    const writer = (held: Permission[]) => () =>
      authorize(caller(scopeNames, held), 'createFlight', {
        notPassenger: false,
        severalWithCaller: false,
        severalWithoutCaller: false,
        trackGiven: true,
      })
    expect(outcomeOf(writer(['flight.create.own']))).toMatchObject({ code: 'forbidden' })
    expect(outcomeOf(writer(['flight.create.own', 'flight.update.own']))).toBe('permitted')
  })
})
