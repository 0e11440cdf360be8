import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ProviderSettings } from '../../../src/domain/identities/contract.ts'
import { browserSession } from '../../support/browser-session.ts'
import { useOneProcess } from '../../support/engine.ts'
import { startFaultyProvider } from '../../support/faulty-provider.ts'
import { settingsFor } from '../../support/identity-provider.ts'
import { PASSWORD } from '../../support/pages.ts'
import { paxlog, sharedPaxlog } from '../../support/paxlog.ts'

const METADATA = '/.well-known/openid-configuration'

type Provider = Awaited<ReturnType<typeof startFaultyProvider>>
type Token = Parameters<Provider['prepare']>[1]

let provider: Provider
/** One instance for all tests of responses. */
let shared: Awaited<ReturnType<typeof sharedPaxlog>>
const lines: string[] = []

beforeAll(async () => {
  provider = await startFaultyProvider()
  const oidc = settingsFor(provider.issuer, { signUp: true })
  shared = await sharedPaxlog({ oidc, addressHeader: 'x-address', log: (line) => lines.push(line) })
  shared.user({ owner: true })
})
afterAll(async () => {
  await shared.close()
  await provider.stop()
})
beforeEach(() => provider.mend())

async function setUp(oidc: Partial<ProviderSettings> = {}) {
  const instance = await paxlog({ oidc: settingsFor(provider.issuer, { signUp: true, ...oidc }) })
  instance.user({ username: 'mira', owner: true })
  return { ...browserSession(instance.app), ...instance }
}

let browserCount = 0
/** A browser with a separate address, so that tests do not share a limit. */
const newBrowser = () => browserSession(shared.app, { headers: { 'x-address': `10.0.0.${++browserCount}` } })

/** Starts a sign-in, prepares the response of the provider, and returns with a code. */
async function signIn(token: Token = {}, browser = newBrowser(), params: Record<string, string> = {}) {
  const { location } = await browser.get('/login/oidc')
  await provider.prepare(location!, token)
  const state = new URL(location!).searchParams.get('state')!
  const query = new URLSearchParams({ code: 'a-code', state, ...params })
  const answer = await browser.get(`/login/oidc/callback?${query}`)
  return { ...answer, browser, state, signedIn: browser.jar.has('paxlog') }
}

const nowSeconds = () => Math.floor(Date.now() / 1000)

describe('response of the provider', () => {
  test('signs in if it is valid', async () => {
    expect(await signIn()).toMatchObject({ status: 303, signedIn: true })
  })

  test.each<[name: string, token: Token, message: string]>([
    ['another nonce', { claims: { nonce: 'another' } }, 'it belongs to another sign-in'],
    ['no nonce', { claims: { nonce: undefined } }, 'cannot be trusted'],
    ['another issuer', { claims: { iss: 'https://evil.example' } }, 'it was issued by another provider'],
    ['another audience', { claims: { aud: 'another-client' } }, 'it is meant for another application'],
    ['several audiences', { claims: { aud: ['paxlog', 'x'], azp: 'x' } }, 'it is meant for another application'],
    ['an expiry in the past', { claims: { exp: nowSeconds() - 600 } }, 'it has expired'],
    ['no subject', { claims: { sub: undefined } }, 'cannot be trusted'],
    ['a subject that differs from userinfo', { claims: { sub: 'eve' } }, 'cannot be trusted'],
    ['a key that is not published', { by: 'stranger' }, 'signed with a key that the provider does not publish'],
    ['a signature of other content', { by: 'changed' }, 'cannot be trusted'],
    ['no signature', { alg: 'none' }, 'cannot be trusted'],
    ['a signature with the client secret', { alg: 'HS256' }, 'configure RS256 or ES256 at the provider'],
  ])('with %s is rejected with a message', async (_name, token, message) => {
    const { status, html, signedIn } = await signIn(token)
    expect([status, signedIn]).toEqual([502, false])
    expect(html).toContain(message)
    expect(html).toContain('href="/login"')
  })

  test('with a long subject, another issuer or no code is rejected', async () => {
    const sub = 'x'.repeat(256)
    provider.spoil('/userinfo', provider.json({ sub }))
    expect(await signIn({ claims: { sub } })).toMatchObject({ status: 502, signedIn: false })
    provider.mend()
    expect(await signIn({}, newBrowser(), { iss: 'https://evil.example' })).toMatchObject({
      status: 502,
      signedIn: false,
    })
    expect(await signIn({}, newBrowser(), { code: '' })).toMatchObject({ signedIn: false })
  })

  test('with a wrong, missing, repeated or replayed state is rejected before the provider is called', async () => {
    const { browser, state } = await signIn()
    const before = provider.calls.length
    for (const query of [
      '',
      'code=a-code',
      'code=a-code&state=',
      `code=a-code&state=${'A'.repeat(60)}`,
      `code=a-code&state=${'A'.repeat(6000)}`,
      `code=a-code&state=${state}`,
      `code=a-code&state=x&state=${state}`,
      `code=a-code&state=${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}`,
    ]) {
      const { status, html } = await browser.get(`/login/oidc/callback?${query}`)
      expect([query, status]).toEqual([query, 400])
      expect(html).toContain('Start again.')
    }
    expect(provider.calls.length).toBe(before)
  })

  test.each<[name: string, path: string, status: number, body: unknown, message: string]>([
    ['a used code', '/token', 400, { error: 'invalid_grant' }, 'was already used or has expired'],
    ['an unknown client', '/token', 401, { error: 'invalid_client' }, 'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET'],
    ['a server error', '/token', 500, { error: 'server_error' }, 'does not respond'],
    ['no token', '/token', 200, {}, 'cannot be trusted'],
    ['a list', '/token', 200, [], 'cannot be trusted'],
    ['no access to userinfo', '/userinfo', 403, {}, 'did not return your profile'],
  ])('with %s shows a message', async (_name, path, code, body, message) => {
    provider.spoil(path, provider.json(body, code))
    const { html, signedIn } = await signIn()
    expect(signedIn).toBe(false)
    expect(html).toContain(message)
  })

  test('is rejected if it is too large, not JSON, a redirect or truncated', async () => {
    for (const [path, answer] of [
      ['/token', { large: 'x'.repeat(1024 * 1024) }],
      ['/userinfo', { sub: 'ada', large: 'x'.repeat(1024 * 1024) }],
    ] as const) {
      provider.spoil(path, provider.json(answer))
      const { html, signedIn } = await signIn()
      expect([signedIn, html.includes('it is larger than 1 MiB')]).toEqual([false, true])
      provider.mend()
    }
    for (const path of ['/token', '/userinfo']) {
      provider.spoil(path, (_request, response) => response.end('<html>'))
      expect(await signIn()).toMatchObject({ status: 502, signedIn: false })
      provider.spoil(path, (_request, response) => response.writeHead(302, { location: '/userinfo' }).end())
      expect(await signIn()).toMatchObject({ status: 502, signedIn: false })
      provider.spoil(path, (request) => request.socket.destroy())
      const { html, status } = await signIn()
      expect([status, html.includes('does not respond')]).toEqual([502, true])
      provider.mend()
    }
  })

  test('is never logged', async () => {
    await signIn({ by: 'stranger' })
    provider.spoil(
      '/token',
      provider.json({ error: 'invalid_client', error_description: 'a-code, an access token' }, 400),
    )
    await signIn()
    const log = lines.join('')
    expect(log).toContain('"reason":"untrusted","step":"token","cause":"OAUTH_KEY_SELECTION_FAILED"')
    expect(log).toContain('"reason":"settings"')
    expect(
      ['a-code', 'an access token', 'eyJ', 'the secret of the client'].filter((text) => log.includes(text)),
    ).toEqual([])
  })
})

describe('metadata of the provider', () => {
  test('is fetched once for concurrent requests and used while the provider is down', async () => {
    useOneProcess()
    const browser = await setUp()
    provider.calls.length = 0
    const answers = await Promise.all(Array.from({ length: 5 }, () => browser.get('/login/oidc')))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303])
    expect(provider.calls).toEqual([`GET ${METADATA}`])
    provider.spoil(METADATA, (request) => request.socket.destroy())
    expect((await browser.get('/login/oidc')).status).toBe(303)
  })

  test('is validated, and the error shows which setting is wrong', async () => {
    const startSignIn = async (oidc: Partial<ProviderSettings> = {}) =>
      (await (await setUp(oidc)).get('/login/oidc')).html
    const { issuer } = provider
    provider.spoil(METADATA, provider.json({ issuer: `${issuer}/realms/home` }))
    expect(await startSignIn()).toContain(`OIDC_ISSUER is ${issuer}, but Home calls itself ${issuer}/realms/home`)
    provider.spoil(METADATA, provider.json({ issuer: 'x'.repeat(10_000) }))
    expect((await startSignIn()).length).toBeLessThan(5000)
    provider.spoil(METADATA, (_request, response) => response.end('hello'))
    expect(await startSignIn()).toContain(`OIDC_ISSUER is ${issuer}, but there is no identity provider`)
    provider.spoil(METADATA, provider.json({ issuer, large: 'x'.repeat(1024 * 1024) }))
    expect(await startSignIn()).toContain('it is larger than 1 MiB')
    expect(await startSignIn({ issuer: 'http://127.0.0.1:1' })).toContain('Home does not respond')
  })

  test('is rejected if it contains an endpoint without https', async () => {
    provider.spoil(
      METADATA,
      provider.json({
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: 'http://10.11.12.13/token',
        jwks_uri: `${provider.issuer}/jwks`,
      }),
    )
    const browser = await setUp()
    const { status, html } = await signIn({}, browser)
    expect([status, html.includes('has an endpoint without https')]).toEqual([502, true])
  })

  test('times out after five seconds without delaying other requests', async () => {
    provider.spoil(METADATA, () => undefined)
    const { services, ...browser } = await setUp()
    await services.users.resetPassword('mira', PASSWORD)
    const startedAt = performance.now()
    const slow = browser.get('/login/oidc')
    expect((await browser.get('/login')).status).toBe(200)
    expect((await browser.signIn('mira', PASSWORD)).status).toBe(303)
    expect((await browser.get('/settings/security')).status).toBe(200)
    const { status, html } = await slow
    expect([status, html.includes('Home does not respond')]).toEqual([502, true])
    expect(performance.now() - startedAt).toBeGreaterThan(4_900)
  })
})

test('a new key of the provider is accepted immediately, and keys are fetched only when they change', async () => {
  useOneProcess()
  const browser = await setUp()
  provider.calls.length = 0
  const signedIn = async (token: Token = {}) => {
    browser.jar.clear()
    return (await signIn(token, browser)).signedIn
  }
  const keyFetches = () => provider.calls.filter((call) => call === 'GET /jwks').length
  expect([await signedIn(), await signedIn(), keyFetches()]).toEqual([true, true, 1])
  await provider.newKey()
  expect([await signedIn(), await signedIn(), keyFetches()]).toEqual([true, true, 2])
  expect([await signedIn({ by: 'stranger' }), await signedIn(), keyFetches()]).toEqual([false, true, 3])
  expect(provider.calls.filter((call) => call === `GET ${METADATA}`)).toHaveLength(1)
})

test('a second person with the same name gets a separate account', async () => {
  const browser = await setUp({ linkByUsername: true })
  await signIn({}, browser)
  expect((await browser.get('/')).html).toContain('Signed in as <strong>ada</strong>')
  browser.jar.clear()
  provider.spoil('/userinfo', provider.json({ sub: 'another', preferred_username: 'ada' }))
  await signIn({ claims: { sub: 'another' } }, browser)
  expect((await browser.get('/')).html).toContain('Signed in as <strong>ada-2</strong>')
})

test('requests are limited per address', async () => {
  const browser = await setUp()
  const statuses = []
  for (let count = 0; count < 61; count++) statuses.push((await browser.get('/login/oidc/callback')).status)
  expect([statuses[59], statuses[60]]).toEqual([400, 429])
})
