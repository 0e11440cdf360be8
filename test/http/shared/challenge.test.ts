import { describe, expect, test } from 'vitest'
import { MissingScope } from '../../../src/access/authorize.ts'
import { Unauthorized } from '../../../src/domain/credentials/authenticate.ts'
import { challengeFor } from '../../../src/http/shared/challenge.ts'
import { AppError, forbidden, notFound } from '../../../src/lib/errors.ts'

const metadataUrl = 'https://fly.example/.well-known/oauth-protected-resource/api/v1'
const challengeOf = (error: AppError) =>
  challengeFor(error, { metadataUrl, scopes: () => ['tracks.read', 'flight.read.own'] })

describe('a challenge', () => {
  test('B1: names the metadata and the fixed scopes without an error when no credential is sent', () => {
    expect(challengeOf(new Unauthorized('Send one.', false))).toBe(
      `Bearer resource_metadata="${metadataUrl}", scope="tracks.read flight.read.own"`,
    )
  })

  test('B2: adds invalid_token for a rejected credential', () => {
    expect(challengeOf(new Unauthorized('It is unknown.', true))).toBe(
      `Bearer resource_metadata="${metadataUrl}", scope="tracks.read flight.read.own", error="invalid_token", error_description="It is unknown."`,
    )
    expect(challengeOf(new AppError('unauthorized', 'The account is gone.'))).toContain('error="invalid_token"')
  })

  test('B3: matches the contract exactly for a missing scope', () => {
    expect(challengeOf(new MissingScope(['tracks.write'], ['flight.update.own', 'tracks.write']))).toBe(
      `Bearer resource_metadata="${metadataUrl}", scope="flight.update.own tracks.write", error="insufficient_scope", error_description="This call also needs the scope tracks.write."`,
    )
  })

  test('B9: is absent for every other error', () => {
    expect([
      challengeOf(forbidden('No.')),
      challengeOf(notFound('role')),
      challengeOf(new AppError('bad_request', 'No.')),
    ]).toEqual([undefined, undefined, undefined])
  })

  test('B13: contains no quotes, backslashes or line breaks in values, and each parameter once', () => {
    const value = challengeOf(new Unauthorized('A "quote", a \\ and\r\nSet-Cookie: x=1; ü', true))!
    expect(value).toContain(`error_description="A 'quote', a ' and  Set-Cookie: x=1;  "`)
    const names = [...value.matchAll(/(\w+)="[^"\\\r\n]*"(?:, |$)/g)].map(([, name]) => name)
    expect(names).toEqual(['resource_metadata', 'scope', 'error', 'error_description'])
  })
})
