import { describe, expect, test } from 'vitest'
import { MissingScope } from '../../../src/access/authorize.ts'
import { Unauthorized } from '../../../src/domain/credentials/authenticate.ts'
import { challengeFor } from '../../../src/http/shared/challenge.ts'
import { AppError, forbidden, notFound } from '../../../src/lib/errors.ts'

const metadataUrl = 'https://fly.example/.well-known/oauth-protected-resource/api/v1'
const of = (error: AppError) => challengeFor(error, { metadataUrl, scopes: () => ['tracks.read', 'flight.read.own'] })

describe('a challenge', () => {
  test('B1: without a credential names the metadata and the fixed scopes, and no error', () => {
    expect(of(new Unauthorized('Send one.', false))).toBe(
      `Bearer resource_metadata="${metadataUrl}", scope="tracks.read flight.read.own"`,
    )
  })

  test('B2: for a refused credential adds invalid_token', () => {
    expect(of(new Unauthorized('It is unknown.', true))).toBe(
      `Bearer resource_metadata="${metadataUrl}", scope="tracks.read flight.read.own", error="invalid_token", error_description="It is unknown."`,
    )
    expect(of(new AppError('unauthorized', 'The account is gone.'))).toContain('error="invalid_token"')
  })

  test('B3: for a missing scope is the one of the contract, to the letter', () => {
    expect(of(new MissingScope(['tracks.write'], ['flight.update.own', 'tracks.write']))).toBe(
      `Bearer resource_metadata="${metadataUrl}", scope="flight.update.own tracks.write", error="insufficient_scope", error_description="This call also needs the scope tracks.write."`,
    )
  })

  test('B9: is absent for every other refusal', () => {
    expect([of(forbidden('No.')), of(notFound('role')), of(new AppError('bad_request', 'No.'))]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('B13: holds neither quotes nor backslashes nor line breaks in a value, and each parameter once', () => {
    const value = of(new Unauthorized('A "quote", a \\ and\r\nSet-Cookie: x=1; ü', true))!
    expect(value).toContain(`error_description="A 'quote', a ' and  Set-Cookie: x=1;  "`)
    const names = [...value.matchAll(/(\w+)="[^"\\\r\n]*"(?:, |$)/g)].map(([, name]) => name)
    expect(names).toEqual(['resource_metadata', 'scope', 'error', 'error_description'])
  })
})
