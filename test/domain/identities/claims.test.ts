import { describe, expect, test } from 'vitest'
import { openAttempt, sealAttempt, secretsOf } from '../../../src/domain/identities/attempt.ts'
import { claimValues, displayName, numberedUsername, toValidUsername } from '../../../src/domain/identities/claims.ts'
import { toIdentityError } from '../../../src/domain/identities/provider.ts'
import { newToken } from '../../../src/lib/secret.ts'
import { settingsFor } from '../../support/identity-provider.ts'

describe('a username from claims', () => {
  test.each([
    [{ preferred_username: 'ada.l_o-v' }, 'ada.l_o-v'],
    [{ preferred_username: 'ada@example.org' }, 'ada-example.org'],
    [{ preferred_username: 'Ada Lovelace, Countess of' }, 'Ada-Lovelace--Counte'],
    [{ preferred_username: '😀😀' }, '--0'],
    [{ preferred_username: '  ', email: 'a@example.org' }, 'a00'],
    [{ preferred_username: 7, email: '@' }, '000'],
    [{}, 'user'],
    [{ preferred_username: 'x'.repeat(1_000_000) }, 'x'.repeat(20)],
  ])('%j is %s', (claims, name) => expect(toValidUsername(claims)).toBe(name))

  test('has at most 20 characters with a number appended', () => {
    expect(['ada', 'x'.repeat(20)].map((name) => numberedUsername(name, 12))).toEqual([
      'ada-12',
      `${'x'.repeat(17)}-12`,
    ])
    expect(numberedUsername('ada', 1)).toBe('ada')
  })
})

test('the display name is the truncated name claim, or undefined', () => {
  const names = [' Ada ', 'Al', 5, '', 'x'.repeat(101), '😀'.repeat(150), 'A\0da']
  expect(names.map((name) => displayName({ name }))).toEqual([
    'Ada',
    undefined,
    undefined,
    undefined,
    'x'.repeat(100),
    '😀'.repeat(100),
    undefined,
  ])
})

test('the values of a claim are its strings, found by name or by dotted path', () => {
  const claims = { groups: ['a', 7, 'b', '', 'x'.repeat(201), null], realm: { roles: ['c'] }, 'a.b': 'd', one: 'e f' }
  const values = (claim: string) => claimValues(claims, claim)
  expect(values('groups')).toEqual(['a', 'b'])
  expect(values('realm.roles')).toEqual(['c'])
  expect(values('a.b')).toEqual(['d'])
  expect(values('one')).toEqual(['e f'])
  for (const missing of ['none', 'realm', 'realm.roles.0.x', '__proto__', 'constructor.name', 'groups.length']) {
    expect(values(missing)).toEqual([])
  }
  expect(claimValues({ groups: Array.from({ length: 5000 }, String) }, 'groups')).toHaveLength(1000)
})

test('a sign-in attempt can be opened only unchanged, in time and with the secret of its browser', () => {
  const [secret, now] = [newToken(), Date.now()]
  const attempt = { purpose: 'link', userId: 'ada', at: now } as const
  const state = sealAttempt(secret, attempt)
  expect(openAttempt(secret, state, now + 600_000)).toEqual(attempt)
  expect(openAttempt(secret, state, now + 600_001)).toBeUndefined()
  expect(openAttempt(secret, state, now - 1)).toBeUndefined()
  expect(openAttempt(newToken(), state, now)).toBeUndefined()
  for (const other of [
    '',
    'A',
    `${state}=`,
    `${state} `,
    `${state.slice(0, 9)}\n${state.slice(9)}`,
    state.slice(2),
    `${state.slice(0, -4)}AAAA`,
  ]) {
    expect(openAttempt(secret, other, now)).toBeUndefined()
  }
  const long = sealAttempt(secret, { purpose: 'sign-in', next: `/${'x'.repeat(1000)}`, at: now })
  expect(openAttempt(secret, long, now)).toEqual({ purpose: 'sign-in', at: now })
  const { nonce, verifier } = secretsOf(secret, state)
  expect(new Set([nonce, verifier, secretsOf(secret, long).nonce, secretsOf(newToken(), state).nonce]).size).toBe(4)
})

test('network errors name the setting that may be wrong', () => {
  const settings = settingsFor('https://id.example.org')
  const failed = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) })
  const sentence = (code: string) => toIdentityError(failed(code), 'discovery', settings).message
  expect(sentence('ENOTFOUND')).toBe('OIDC_ISSUER is https://id.example.org, but that host is unknown.')
  expect(sentence('DEPTH_ZERO_SELF_SIGNED_CERT')).toContain('but the certificate there is not accepted')
  expect(sentence('ECONNREFUSED')).toBe('Home does not respond. Try again later.')
  expect(toIdentityError(failed('ENOTFOUND'), 'token', settings).kind).toBe('unreachable')
  expect(toIdentityError('thrown', 'token', settings).kind).toBe('untrusted')
})
