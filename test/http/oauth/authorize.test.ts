import { beforeEach, describe, expect, test } from 'vitest'
import { unusedTime } from '../../support/app-pool.ts'
import { browserSession, csrfIn } from '../../support/browser-session.ts'
import { oauthClient, pkce } from '../../support/oauth-client.ts'
import { type Paxlog, paxlog, type TestUser } from '../../support/paxlog.ts'
import { runNow } from '../../support/write-now.ts'

const REDIRECT = 'https://board.example/cb'
const ISSUER = 'http://localhost:3000'

let app: Paxlog
let user: TestUser
let client: Awaited<ReturnType<typeof oauthClient>>
let now: number
let challenge: string
let verifier: string

beforeEach(async () => {
  now = unusedTime()
  app = await paxlog({ now: () => now })
  app.user({ owner: true })
  user = app.user({ displayName: 'Mira & Co' })
  client = await oauthClient(app, { redirect_uris: [REDIRECT, 'http://127.0.0.1/cb', 'http://[::1]/cb'] })
  ;({ challenge, verifier } = pkce())
})

async function browser(who: TestUser | null = user) {
  const session = browserSession(app.app)
  if (who) session.jar.set('paxlog', await app.services.sessions.start(who.id))
  return session
}

type Change = Record<string, string | undefined>

function address(change: Change = {}, more = ''): string {
  const query = new URLSearchParams()
  const parameters: Change = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: REDIRECT,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${ISSUER}/api/v1`,
    scope: 'flight.read.own stats.read',
    state: 'st a&b=ü%',
    ...change,
  }
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value)
  return `/oauth/authorize?${query}${more}`
}

/** Sends the authorization request and returns the consent page with the values its form needs. */
async function consentPage(session: ReturnType<typeof browserSession>, change: Change = {}) {
  const { status, location } = await session.get(address(change))
  expect(status).toBe(303)
  const page = await session.get(location!)
  const id = new URL(location!, ISSUER).searchParams.get('id')!
  const csrf = /action="\/oauth\/consent"[^>]*>.*?name="csrf" value="([\w-]+)"/s.exec(page.html)?.[1] ?? ''
  return { page, id, csrf, location: location! }
}

const redirectParameters = (location: string | undefined) => Object.fromEntries(new URL(location!).searchParams)

describe('GET /oauth/authorize', () => {
  test.each<[string, Change, string]>([
    ['A1: an unknown client', { client_id: 'client_nobody' }, ''],
    ['A6: no redirect_uri', { redirect_uri: undefined }, ''],
    ['A6: no client_id', { client_id: undefined }, ''],
    ['A7: two redirect_uris', {}, `&redirect_uri=${encodeURIComponent(REDIRECT)}`],
    ['A7: two client_ids', {}, '&client_id=x'],
    ['A2: a different case', { redirect_uri: 'https://board.example/CB' }, ''],
    ['A2: a trailing slash', { redirect_uri: `${REDIRECT}/` }, ''],
    ['A2: an additional query', { redirect_uri: `${REDIRECT}?x=1` }, ''],
    ['A2: an encoded slash', { redirect_uri: 'https://board.example%2Fcb' }, ''],
    ['A2: the default port', { redirect_uri: 'https://board.example:443/cb' }, ''],
    ['A2: a dot segment', { redirect_uri: 'https://board.example/x/../cb' }, ''],
    ['A2: a fragment', { redirect_uri: `${REDIRECT}#x` }, ''],
    ['A5: a different port of an https address', { redirect_uri: 'https://board.example:8443/cb' }, ''],
    ['A5: a different path on loopback', { redirect_uri: 'http://127.0.0.1:5000/other' }, ''],
    ['A4: a different loopback name', { redirect_uri: 'http://localhost:5000/cb' }, ''],
  ])('%s shows an error page without a link back', async (_what, change, more) => {
    const { status, html, location, headers } = await (await browser()).get(address(change, more))
    expect([status, location]).toEqual([400, undefined])
    expect(html).toContain('invalid_request')
    expect(html).not.toContain('Return to')
    expect(headers['content-type']).toContain('text/html')
  })

  test.each<[string, Change, string, string]>([
    ['A7: state twice', {}, '&state=x', 'invalid_request'],
    ['A7: scope twice', {}, '&scope=x', 'invalid_request'],
    ['A7: resource twice', {}, '&resource=x', 'invalid_target'],
    ['A10: no response_type', { response_type: undefined }, '', 'invalid_request'],
    ['A10: response_type token', { response_type: 'token' }, '', 'unsupported_response_type'],
    ['A10: response_type code id_token', { response_type: 'code id_token' }, '', 'unsupported_response_type'],
    ['A12 S10: no code_challenge', { code_challenge: undefined }, '', 'invalid_request'],
    ['A13: no method', { code_challenge_method: undefined }, '', 'invalid_request'],
    ['A14: method plain', { code_challenge_method: 'plain' }, '', 'invalid_request'],
    ['A14: method s256', { code_challenge_method: 's256' }, '', 'invalid_request'],
    ['A15: a short challenge', { code_challenge: 'x'.repeat(42) }, '', 'invalid_request'],
    ['A15: a padded challenge', { code_challenge: `${'x'.repeat(42)}=` }, '', 'invalid_request'],
    ['A16: no scope for the REST API', { scope: undefined }, '', 'invalid_scope'],
    ['A17: an unknown scope', { scope: 'flight.read.own bogus' }, '', 'invalid_scope'],
    ['A17: two spaces', { scope: 'flight.read.own  stats.read' }, '', 'invalid_scope'],
    ['A18: no resource', { resource: undefined }, '', 'invalid_target'],
    ['A18: a foreign resource', { resource: 'https://evil.example/api/v1' }, '', 'invalid_target'],
    ['A18: a trailing slash', { resource: `${ISSUER}/api/v1/` }, '', 'invalid_target'],
    ['A21: a state over 4096 characters', { state: 's'.repeat(4097) }, '', 'invalid_request'],
  ])('A22 A23 S6: %s shows an error page with a link back', async (_what, change, more, code) => {
    const { status, html, location } = await (await browser(null)).get(address(change, more))
    expect([status, location]).toEqual([400, undefined])
    const link = /href="(https:\/\/board\.example\/cb\?[^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
    const answer = redirectParameters(link)
    expect(answer).toMatchObject({ error: code, iss: ISSUER })
    expect(answer.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  })

  test('redirects errors to the callback of an application that the user has approved before', async () => {
    const wrong = { scope: 'everything' }
    expect((await (await browser()).get(address(wrong))).status).toBe(400)
    await client.connect(user, { resource: 'mcp' })
    const { status, location } = await (await browser()).get(address(wrong))
    expect(status).toBe(303)
    expect(location).toMatch(/^https:\/\/board\.example\/cb\?/)
    expect(redirectParameters(location)).toMatchObject({ error: 'invalid_scope', state: 'st a&b=ü%', iss: ISSUER })
    // Not without a session, not for another user, and not for an unregistered redirect URI.
    expect((await (await browser(null)).get(address(wrong))).status).toBe(400)
    expect((await (await browser(app.user())).get(address(wrong))).status).toBe(400)
    expect((await (await browser()).get(address({ ...wrong, redirect_uri: 'https://evil.example/cb' }))).status).toBe(
      400,
    )
    const [grant] = app.services.oauth.connections.list(user.id)
    await app.services.oauth.connections.revoke(user.id, grant!.id)
    expect((await (await browser()).get(address(wrong))).status).toBe(400)
  })

  test('A8 A9 A11 A29: ignores empty and unknown parameters', async () => {
    const { location } = await (await browser()).get(
      address({ state: '', prompt: 'none', nonce: 'x', response_mode: 'fragment' }),
    )
    expect(location).toMatch(/^\/oauth\/consent\?id=/)
  })

  test('A18: ignores the case of scheme and host of the resource', async () => {
    const { status } = await (await browser()).get(address({ resource: 'HTTP://LOCALHOST:3000/api/v1' }))
    expect(status).toBe(303)
  })

  test('A3 A4: accepts any port of a loopback address and binds the code to the requested address', async () => {
    const session = await browser()
    for (const uri of ['http://127.0.0.1:54321/cb', 'http://[::1]:8080/cb']) {
      const { id, csrf } = await consentPage(session, { redirect_uri: uri })
      const answer = await session.post('/oauth/consent', { id, csrf, decision: 'approve', scope: 'stats.read' })
      expect(answer.location).toMatch(uri)
      const code = redirectParameters(answer.location).code!
      const other = await client.exchange(code, verifier, { redirect_uri: 'http://127.0.0.1/cb' })
      expect(other.body.error).toBe('invalid_grant')
    }
  })

  test('redirects to the sign-in page without a session', async () => {
    const { status, location } = await (await browser(null)).get(address())
    expect(status).toBe(303)
    expect(location).toMatch(/^\/login\?next=%2Foauth%2Fconsent%3Fid%3D/)
  })

  test('A26: rejects other methods, and A25: sends no CORS headers', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await (await browser()).send(method, address())
      expect(status).toBe(405)
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  test('A27: returns 429 as a page or JSON for the 61st request in a minute, never a redirect', async () => {
    const session = await browser()
    for (let count = 0; count < 60; count++) expect((await session.get(address())).status).toBe(303)
    const page = await session.get(address(), { accept: 'text/html' })
    expect([page.status, page.location]).toEqual([429, undefined])
    expect(page.html).toContain('temporarily_unavailable')
    expect(Number(page.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    const json = await session.get(address())
    expect(JSON.parse(json.html).error).toBe('temporarily_unavailable')
    now += Number(json.headers['retry-after']) * 1000
    expect((await session.get(address())).status).toBe(303)
  })
})

describe('the consent page', () => {
  test('C1 C10 C11: shows the application, the scopes and the user, and sends page headers', async () => {
    const { page } = await consentPage(await browser())
    expect(page.status).toBe(200)
    for (const text of [
      'Trip board',
      'unverified',
      'board.example',
      `${ISSUER}/api/v1`,
      'Mira &amp; Co',
      'Read flights you are on',
    ]) {
      expect(page.html).toContain(text)
    }
    expect(page.html).toMatch(/value="flight\.read\.own" checked/)
    expect(page.html).not.toMatch(/value="flight\.create\.own" checked/)
    expect(page.html).not.toContain('value="roles.manage"')
    expect(page.headers['x-frame-options']).toBe('DENY')
    expect(page.headers['referrer-policy']).toBe('no-referrer')
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.headers['cross-origin-opener-policy']).toBeUndefined()
    expect(page.headers['content-security-policy']).toContain("form-action 'self' https://board.example;")
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  test('allows http: in form-action for IPv6 loopback, which CSP cannot express', async () => {
    const { page } = await consentPage(await browser(), { redirect_uri: 'http://[::1]:9/cb' })
    expect(page.headers['content-security-policy']).toContain("form-action 'self' http:;")
    expect(page.html).toContain('your own computer')
  })

  test('C12: escapes a hostile client name', async () => {
    const name = `<script>alert(1)</script>$${'{x}'}`
    const hostile = await oauthClient(app, { client_name: name })
    const { page } = await consentPage(await browser(), { client_id: hostile.id })
    expect(page.html).not.toContain('<script>alert')
    expect(page.html).toContain('&lt;script>alert(1)')
  })

  test('A20 A21 A24: redirects with code, state and issuer after approval', async () => {
    const session = await browser()
    const { id, csrf } = await consentPage(session)
    const answer = await session.post('/oauth/consent', { id, csrf, decision: 'approve', scope: ['stats.read'] })
    expect(answer.status).toBe(303)
    expect(redirectParameters(answer.location)).toEqual({
      code: expect.stringMatching(/^pxc_/),
      state: 'st a&b=ü%',
      iss: ISSUER,
    })
    const { body } = await client.exchange(redirectParameters(answer.location).code!, verifier)
    expect(body.scope).toBe('stats.read')
  })

  test('C8 S1: redirects with access_denied, state and issuer after denial', async () => {
    const session = await browser()
    const { id, csrf } = await consentPage(session)
    const answer = await session.post('/oauth/consent', { id, csrf, decision: 'deny', scope: 'stats.read' })
    expect(redirectParameters(answer.location)).toMatchObject({
      error: 'access_denied',
      state: 'st a&b=ü%',
      iss: ISSUER,
    })
  })

  test('C7: treats approval without scopes as denial', async () => {
    const session = await browser()
    const { id, csrf } = await consentPage(session)
    const answer = await session.post('/oauth/consent', { id, csrf, decision: 'approve' })
    expect(redirectParameters(answer.location).error).toBe('access_denied')
  })

  test('C6 S9: rejects a scope that the role does not allow with invalid_scope', async () => {
    const session = await browser()
    const { id, csrf } = await consentPage(session)
    const scope = ['flight.read.own', 'roles.manage']
    const answer = await session.post('/oauth/consent', { id, csrf, decision: 'approve', scope })
    expect(redirectParameters(answer.location).error).toBe('invalid_scope')
  })

  test('allows more scopes within the role, and C24: checks the role at approval', async () => {
    const session = await browser()
    const wide = await consentPage(session)
    const scope = ['flight.read.own', 'flight.create.own']
    const answer = await session.post('/oauth/consent', { id: wide.id, csrf: wide.csrf, decision: 'approve', scope })
    expect((await client.exchange(redirectParameters(answer.location).code!, verifier)).body.scope).toBe(
      'flight.read.own flight.create.own',
    )
    ;({ challenge, verifier } = pkce())
    const late = await consentPage(session)
    runNow(app.db, "update roles set permissions = '[]' where id = 'role-user'")
    const rejected = await session.post('/oauth/consent', { id: late.id, csrf: late.csrf, decision: 'approve', scope })
    expect(redirectParameters(rejected.location).error).toBe('invalid_scope')
  })

  test.each([
    ['api/v1', false],
    ['api/mcp', true],
  ] as const)('A28: asks for consent to %s again, with earlier scopes preselected: %s', async (path, isPreselected) => {
    const session = await browser()
    const resource = `${ISSUER}/${path}`
    const first = await consentPage(session, { resource })
    const scope = ['flight.create.own']
    await session.post('/oauth/consent', { id: first.id, csrf: first.csrf, decision: 'approve', scope })
    const { html } = (await consentPage(session, { resource })).page
    const ticked = [...html.matchAll(/name="scope" value="([^"]+)" checked/g)].map(([, name]) => name)
    expect(ticked).toEqual(['flight.read.own', ...(isPreselected ? ['flight.create.own'] : []), 'stats.read'])
    const marked = [...html.matchAll(/<code>([^<]+)<\/code><span class="quiet"> granted before/g)].map(
      ([, name]) => name,
    )
    expect(marked).toEqual(isPreselected ? [] : ['flight.create.own'])
  })

  test('grants fewer scopes than before when the client requests fewer', async () => {
    const session = await browser()
    for (const scope of ['flight.read.own stats.read', 'flight.read.own']) {
      ;({ challenge, verifier } = pkce())
      const { page, id, csrf } = await consentPage(session, { scope })
      const ticked = [...page.html.matchAll(/name="scope" value="([^"]+)" checked/g)].map(([, name]) => name!)
      const answer = await session.post('/oauth/consent', { id, csrf, decision: 'approve', scope: ticked })
      expect((await client.exchange(redirectParameters(answer.location).code!, verifier)).body.scope).toBe(scope)
    }
  })

  test('does not offer scopes beyond the role', async () => {
    const { page } = await consentPage(await browser(), { scope: 'profile.read users.delete' })
    expect(page.html).not.toContain('value="users.delete"')
    expect(page.html).toContain('It also asked for permissions that your role cannot grant: users.delete.')
  })

  test('C2: returns 403 for a missing, wrong or foreign CSRF token and keeps the request open', async () => {
    const session = await browser()
    const { id, csrf } = await consentPage(session)
    const second = await consentPage(session)
    for (const wrong of ['', 'x', second.csrf, csrfIn((await (await browser()).get('/')).html)]) {
      const answer = await session.post('/oauth/consent', { id, csrf: wrong, decision: 'approve', scope: 'stats.read' })
      expect([answer.status, answer.location]).toEqual([403, undefined])
    }
    const cross = { 'sec-fetch-site': 'cross-site' }
    expect(
      (await session.post('/oauth/consent', { id, csrf, decision: 'approve', scope: 'stats.read' }, cross)).status,
    ).toBe(403)
    expect((await session.post('/oauth/consent', { id, csrf, decision: 'approve', scope: 'stats.read' })).status).toBe(
      303,
    )
  })

  test('C2 S14: accepts one decision per request', async () => {
    const session = await browser()
    const { id, csrf } = await consentPage(session)
    const form = { id, csrf, decision: 'approve', scope: 'stats.read' }
    expect((await session.post('/oauth/consent', form)).status).toBe(303)
    expect((await session.post('/oauth/consent', form)).status).toBe(400)
  })

  test('C2 S14: accepts only the first of two concurrent decisions in two processes', async () => {
    const { authorize } = app.services.oauth
    const { id } = await authorize.begin(new URL(address(), ISSUER).searchParams, 'browser')
    // Both processes read the request before either decides.
    const read = () => authorize.pendingFor(id, 'browser', user.id)
    const [first, second] = [await read(), await read()]
    const { permissions } = app.services.users.findByName(user.username)!
    const approve = (request: typeof first) =>
      authorize.decide(request, { id: user.id, permissions }, { approve: true, scopes: ['flight.read.own'] })
    expect(redirectParameters(await approve(first)).code).toMatch(/^pxc_/)
    await expect(approve(second)).rejects.toThrow('was already answered')
  })

  test('C5: ignores form fields other than the decision', async () => {
    const session = await browser()
    const { id, csrf } = await consentPage(session)
    const answer = await session.post('/oauth/consent', {
      id,
      csrf,
      decision: 'approve',
      scope: 'stats.read',
      client_id: 'x',
      redirect_uri: 'https://evil.example/',
      state: 'y',
    })
    expect(answer.location).toMatch(/^https:\/\/board\.example\/cb\?/)
    expect(redirectParameters(answer.location).state).toBe('st a&b=ü%')
  })

  test('C23: answers two open requests independently', async () => {
    const session = await browser()
    const other = await oauthClient(app, { redirect_uris: ['https://other.example/cb'] })
    const first = await consentPage(session)
    await consentPage(session, { client_id: other.id, redirect_uri: 'https://other.example/cb' })
    const form = { id: first.id, csrf: first.csrf, decision: 'approve', scope: 'stats.read' }
    expect((await session.post('/oauth/consent', form)).location).toMatch(/^https:\/\/board\.example/)
  })

  test('is limited to one browser, the first user who opens it, and ten minutes', async () => {
    const session = await browser()
    const { location } = await consentPage(session)
    expect((await (await browser()).get(location)).status).toBe(400)
    const otherUser = await browser(app.user())
    otherUser.jar.set('paxlog-oauth', session.jar.get('paxlog-oauth')!)
    expect((await otherUser.get(location)).status).toBe(400)
    expect((await session.get(location)).status).toBe(200)
    now += 601_000
    expect((await session.get(location)).status).toBe(400)
  })

  test('lets another user sign in and answer', async () => {
    const session = await browser()
    const { page, location } = await consentPage(session)
    const csrf = /action="\/logout"[^>]*>.*?name="csrf" value="([\w-]+)"/s.exec(page.html)![1]!
    const out = await session.post('/logout', { csrf, next: location })
    expect(out.location).toBe(`/login?next=${encodeURIComponent(location)}`)
    session.jar.set('paxlog', await app.services.sessions.start(app.user().id))
    expect((await session.get(location)).status).toBe(200)
  })

  test('redirects to the sign-in page and back', async () => {
    const session = await browser()
    const { location, id } = await consentPage(session)
    session.jar.delete('paxlog')
    const login = `/login?next=${encodeURIComponent(location)}`
    expect((await session.get(location)).location).toBe(login)
    expect((await session.post('/oauth/consent', { id })).location).toBe(login)
  })
})
