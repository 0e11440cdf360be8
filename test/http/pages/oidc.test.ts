import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import type { ProviderSettings } from '../../../src/domain/identities/contract.ts'
import { hashPassword } from '../../../src/domain/users/password.ts'
import { browserSession, withoutCsrf } from '../../support/browser-session.ts'
import { fieldsIn } from '../../support/form-fields.ts'
import { settingsFor, startIdentityProvider } from '../../support/identity-provider.ts'
import { holdWriteLock, otherConnection } from '../../support/other-connection.ts'
import { PASSWORD } from '../../support/pages.ts'
import { type PaxlogOptions, paxlog } from '../../support/paxlog.ts'
import { runNow } from '../../support/write-now.ts'

const SECURITY = '/settings/security'

let provider: Awaited<ReturnType<typeof startIdentityProvider>>

/** Hashed once because hashing is slow. */
let passwordHash: string

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD)
  provider = await startIdentityProvider('http://localhost:3000/login/oidc/callback')
})
afterAll(() => provider.stop())

type Browser = ReturnType<typeof browserSession>

const pathOf = (address: string) => address.slice('http://localhost:3000'.length)

/** Follows the redirects to the provider and back. */
async function signInAtProvider(
  browser: Browser,
  started: { status: number; location: string | undefined },
  login: string,
) {
  expect(started.status).toBe(303)
  return browser.get(pathOf(await provider.signIn(started.location!, login)))
}

const signInAs = async (browser: Browser, login: string, next = '') =>
  signInAtProvider(browser, await browser.get(`/login/oidc${next && `?next=${encodeURIComponent(next)}`}`), login)

/** An instance with the owner mira and the provider of this file. */
async function withProvider(oidc: Partial<ProviderSettings> = {}, options: PaxlogOptions = {}) {
  const instance = await paxlog({ oidc: settingsFor(provider.issuer, oidc), ...options })
  const { services, app, db } = instance
  /** Creates an account with a password. */
  function account(username: string, more: { owner?: true } = {}): string {
    const { id } = instance.user({ username, ...more })
    runNow(db, 'update users set password_hash = ? where id = ?', passwordHash, id)
    return id
  }
  const owner = { id: account('mira', { owner: true }) }
  const roleNameOf = (username: string) => services.users.findByName(username)?.roleName
  /** Returns a browser that is signed in. */
  async function signedInAs(username: string) {
    const browser = browserSession(app)
    browser.jar.set('paxlog', await services.sessions.start(services.users.findByName(username)!.id))
    return browser
  }
  return { ...instance, owner, account, roleNameOf, signedInAs, browser: browserSession(app) }
}

describe('sign-in with the identity provider', () => {
  test('waits for the write lock in the callback without delaying reads', async () => {
    const { browser, request, dataDir } = await withProvider({ signUp: true })
    const { location } = await browser.get('/login/oidc')
    const callback = pathOf(await provider.signIn(location!, 'ben'))
    const other = otherConnection(dataDir)
    holdWriteLock(other)
    let hasResponded = false
    const answer = browser.get(callback).finally(() => {
      hasResponded = true
    })
    for (let round = 0; round < 5; round++) {
      expect((await request({ url: '/health' })).status).toBe(200)
      await wait(20)
    }
    expect(hasResponded).toBe(false)
    other.exec('rollback')
    expect(await answer).toMatchObject({ status: 303, location: '/' })
  })

  test('starts with PKCE, an opaque state, a nonce and the exact redirect URI', async () => {
    const { browser } = await withProvider({ scopes: 'openid profile groups' })
    const { html } = await browser.get('/login?next=%2Fsettings%2Fsecurity')
    expect(html).toContain('href="/login/oidc?next=%2Fsettings%2Fsecurity">Sign in with Home</a>')
    const { location } = await browser.get('/login/oidc?next=%2Fsettings%2Fsecurity')
    const { origin, searchParams } = new URL(location!)
    expect(origin).toBe(provider.issuer)
    const { state, nonce, code_challenge, ...rest } = Object.fromEntries(searchParams)
    expect(rest).toEqual({
      client_id: 'paxlog',
      redirect_uri: 'http://localhost:3000/login/oidc/callback',
      response_type: 'code',
      scope: 'openid profile groups',
      code_challenge_method: 'S256',
    })
    expect([nonce!.length, code_challenge!.length]).toEqual([43, 43])
    expect(Buffer.from(state!, 'base64url').toString('latin1')).not.toContain('settings')
    expect(browser.attributes.get('paxlog-oidc')).toContain('HttpOnly')
    expect(browser.attributes.get('paxlog-oidc')).toContain('SameSite=Lax')
    const again = new URL((await browser.get('/login/oidc')).location!).searchParams
    expect(again.get('state')).not.toBe(state)
    expect(again.get('nonce')).not.toBe(nonce)
  })

  test('creates an account for a new person if configured and recognises them by subject', async () => {
    const { browser, app, services, db } = await withProvider({ signUp: true, scopes: 'openid profile email' })
    provider.setPeople({ 'sub-1': { preferred_username: 'Zoë Ångström 🛩 of the long name', name: 'Zoë Ångström' } })
    const answer = await signInAs(browser, 'sub-1', '/settings/security')
    expect(answer).toMatchObject({ status: 303, location: '/settings/security' })
    const account = services.users.findByName('Zo---ngstr-m---of-th')!
    expect(account).toMatchObject({ displayName: 'Zoë Ångström', roleName: 'User', isOwner: false })
    // Sign-ins and new accounts are recorded.
    const kinds = db.$client.prepare('select kind from activity where actor_id = ? order by id').pluck()
    expect(kinds.all(account.id)).toEqual(['user.created', 'sign_in'])
    const { html } = await browser.get(SECURITY)
    expect(html).toContain('This is your only way to sign in, so it cannot be unlinked.')
    expect(html).not.toContain('Current password')
    // A new name does not change the account of a subject.
    provider.setPeople({
      'sub-1': { preferred_username: 'renamed' },
      'sub-2': { preferred_username: account.username },
    })
    await signInAs(browserSession(app), 'sub-1')
    expect(services.users.findByName('renamed')).toBeUndefined()
    const other = browserSession(app)
    await signInAs(other, 'sub-2')
    expect((await other.get('/')).html).toContain('Signed in as <strong>Zo---ngstr-m---of--2</strong>')
  })

  test('restores a form that was sent after the session expired', async () => {
    const { browser, services } = await withProvider({ signUp: true })
    provider.setPeople({ typist: { preferred_username: 'typist', name: 'Typist' } })
    await signInAs(browser, 'typist')
    const fields = fieldsIn((await browser.get('/flights/new')).html, '/flights/new')
    await services.sessions.end(browser.jar.get('paxlog')!)
    const ended = await browser.post('/flights/new', { ...fields, flightNumber: 'LX2084', note: 'typed before' })
    expect(ended.location).toBe('/login?next=%2Fflights%2Fnew%3Fkept%3D1')
    const link = /href="(\/login\/oidc\?[^"]+)"/.exec((await browser.get(ended.location!)).html)![1]!
    const back = await signInAtProvider(browser, await browser.get(link), 'typist')
    expect(back).toMatchObject({ status: 303, location: '/flights/new?kept=1' })
    const { html } = await browser.get(back.location!)
    expect(fieldsIn(html, '/flights/new')).toMatchObject({ flightNumber: 'LX2084', note: 'typed before' })
  })

  test('derives usernames from claims: the part before @, padded, numbered if taken', async () => {
    const { app, services } = await withProvider({ signUp: true, scopes: 'openid profile email' })
    provider.setPeople({
      a: { preferred_username: null, email: 'jo.doe@example.org' },
      b: { preferred_username: 'x', name: ' Y ' },
      c: { preferred_username: 'JO.DOE' },
      d: { preferred_username: 'Jo.doe' },
      e: { preferred_username: 42, email: 7 },
    })
    for (const login of 'abcde') await signInAs(browserSession(app), login)
    const names = services.users.list(operator).map(({ username, displayName }) => `${username} ${displayName}`)
    expect(names).toEqual([
      'jo.doe jo.doe',
      'JO.DOE-2 JO.DOE-2',
      'Jo.doe-3 Jo.doe-3',
      'mira mira',
      'user user',
      'x00 x00',
    ])
  })

  test('is rejected without an account and explains what to do', async () => {
    const { browser, services, account } = await withProvider()
    account('noor')
    provider.setPeople({ noor: {} })
    const { status, html } = await signInAs(browser, 'noor', '/settings/security')
    expect(status).toBe(403)
    expect(html).toContain('No account is linked to your user at Home.')
    expect(html).toContain('href="/login?next=%2Fsettings%2Fsecurity"')
    expect(browser.jar.has('paxlog')).toBe(false)
    expect(services.users.list(operator)).toHaveLength(2)
  })

  test('links by name if configured: once, to one person, and never the owner', async () => {
    const { app, account, services } = await withProvider({ linkByUsername: true })
    const id = account('Noor')
    provider.setPeople({
      one: { preferred_username: 'noor' },
      two: { preferred_username: 'noor' },
      three: { preferred_username: 'mira' },
    })
    const first = browserSession(app)
    expect(await signInAs(first, 'one')).toMatchObject({ status: 303, location: '/' })
    expect((await first.get('/')).html).toContain('Signed in as <strong>Noor</strong>')
    expect((await signInAs(browserSession(app), 'two')).status).toBe(403)
    expect((await signInAs(browserSession(app), 'three')).status).toBe(403)
    expect(services.identities.linkOf(id)).toBeDefined()
    expect(services.identities.linkOf(services.users.owner()!.id)).toBeUndefined()
  })

  test('redirects signed-in users, redirects to the setup without an owner, and returns 404 without a provider', async () => {
    const { signedInAs } = await withProvider()
    const signedIn = await signedInAs('mira')
    expect(await signedIn.get('/login/oidc?next=%2Fdocs')).toMatchObject({ status: 303, location: '/docs' })
    const { app } = await paxlog({ oidc: settingsFor(provider.issuer) })
    expect(await browserSession(app).get('/login/oidc')).toMatchObject({ status: 303, location: '/setup' })
    const without = await paxlog()
    without.user({ owner: true })
    const plain = browserSession(without.app)
    expect((await plain.get('/login')).html).not.toContain('/login/oidc')
    expect((await plain.get('/login/oidc')).status).toBe(404)
    expect((await plain.get('/login/oidc/callback?code=x&state=y')).status).toBe(404)
  })

  test('never redirects to another site, and accepts a response once and in one browser only', async () => {
    const { app, browser } = await withProvider({ signUp: true })
    provider.setPeople({})
    expect((await signInAs(browser, 'ada', '//evil.example/')).location).toBe('/')
    const victim = browserSession(app)
    const started = await victim.get('/login/oidc')
    const callback = pathOf(await provider.signIn(started.location!, 'ada'))
    const attacker = browserSession(app)
    await attacker.get('/login/oidc')
    const rejected = await attacker.get(callback)
    expect(rejected.status).toBe(400)
    expect(rejected.html).toContain('This sign-in was started in another browser, has expired, or was already used.')
    expect(attacker.jar.has('paxlog')).toBe(false)
    expect((await victim.get(callback)).status).toBe(303)
    const replayed = browserSession(app)
    replayed.jar.set('paxlog-oidc', victim.jar.get('paxlog-oidc')!)
    expect((await replayed.get(callback)).status).toBe(400)
    expect(replayed.jar.has('paxlog')).toBe(false)
  })

  test('supports two tabs of one browser and expires after ten minutes', async () => {
    let now = Date.now()
    const { browser } = await withProvider({ signUp: true }, { now: () => now })
    provider.setPeople({})
    const [one, two, three] = [
      await browser.get('/login/oidc?next=%2Fdocs'),
      await browser.get('/login/oidc'),
      await browser.get('/login/oidc'),
    ]
    expect((await signInAtProvider(browser, two!, 'ada')).location).toBe('/')
    expect((await signInAtProvider(browser, one!, 'ada')).location).toBe('/docs')
    now += 601_000
    expect((await signInAtProvider(browser, three!, 'ada')).status).toBe(400)
  })

  test('starts a new session and ends the previous one', async () => {
    const { app, browser, services } = await withProvider({ signUp: true })
    provider.setPeople({})
    const started = await browser.get('/login/oidc')
    await signInAs(browser, 'ada')
    const before = browser.jar.get('paxlog')!
    await signInAtProvider(browser, started, 'ada')
    expect(browser.jar.get('paxlog')).not.toBe(before)
    expect(services.sessions.find(before)).toBeUndefined()
    expect((await browserSession(app).get('/')).status).toBe(303)
  })

  test('shows an error if the provider returns one', async () => {
    const { browser } = await withProvider()
    const state = async () => new URL((await browser.get('/login/oidc')).location!).searchParams.get('state')
    const iss = encodeURIComponent(provider.issuer)
    for (const [error, message] of [
      ['access_denied', 'The sign-in with Home was denied or cancelled.'],
      ['invalid_scope', 'Home does not support a scope in OIDC_SCOPES.'],
      ['temporarily_unavailable', 'Home returned the error temporarily_unavailable.'],
      ['%3Cscript%3E', 'Home returned the error unknown.'],
    ]) {
      const { html, status } = await browser.get(
        `/login/oidc/callback?error=${error}&error_description=token&state=${await state()}&iss=${iss}`,
      )
      expect(html).toContain(message)
      expect(status).toBeGreaterThanOrEqual(400)
    }
  })

  test('shows which setting is wrong', async () => {
    const { browser } = await withProvider({ clientSecret: 'not this one' })
    const { status, html } = await signInAs(browser, 'ada')
    expect(status).toBe(502)
    expect(html).toContain('Home rejected this instance. Check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.')
    const wrongIssuer = await withProvider({ issuer: `${provider.issuer}/elsewhere` })
    const started = await wrongIssuer.browser.get('/login/oidc')
    expect(started.status).toBe(502)
    expect(started.html).toContain(`OIDC_ISSUER is ${provider.issuer}/elsewhere, but there is no identity provider`)
  })
})

describe('role claim', () => {
  test('sets the first matching role by name at every sign-in, and changes nothing without a match', async () => {
    const { app, services, roleNameOf, role } = await withProvider({
      signUp: true,
      scopes: 'openid profile groups',
      roleClaim: 'groups',
    })
    const crew = role(['flight.read.own'], 'Crew')
    const map = (id: string, oauthMappings: string[]) =>
      services.roles.update(operator, id, { ...services.roles.get(operator, id), oauthMappings })
    await map(crew, ['cabin', 'cockpit'])
    await map('role-administrator', ['staff'])
    const signInWith = async (groups: unknown) => {
      provider.setPeople({ ada: { groups } })
      const browser = browserSession(app)
      await signInAs(browser, 'ada')
      return roleNameOf('ada')
    }
    expect(await signInWith(['nothing', 'cockpit'])).toBe('Crew')
    expect(await signInWith(['cockpit', 'staff'])).toBe('Administrator')
    expect(await signInWith([])).toBe('Administrator')
    expect(await signInWith({ cabin: true })).toBe('Administrator')
    expect(await signInWith('cabin')).toBe('Crew')
    expect(await signInWith(undefined)).toBe('Crew')
    // The first role of an account is not recorded as a change.
    const changes = [...services.activity.history(0)].filter(({ kind }) => kind === 'user.changed')
    expect(changes.map(({ actor, surface, summary }) => [actor?.username, surface, summary])).toEqual(
      ['Administrator', 'Crew'].map(() => ['ada', 'page', 'ada changed the account ada.']),
    )
  })

  test('supports nested claims, applies to the next request, and never changes the owner', async () => {
    const { app, services, roleNameOf, signedInAs } = await withProvider({
      signUp: true,
      scopes: 'openid profile groups',
      roleClaim: 'groups.paxlog.roles',
    })
    const roleId = 'role-administrator'
    await services.roles.update(operator, roleId, { ...services.roles.get(operator, roleId), oauthMappings: ['boss'] })
    provider.setPeople({})
    const open = browserSession(app)
    await signInAs(open, 'ada')
    expect((await open.get('/')).html).not.toContain('Administration')
    provider.setPeople({ ada: { groups: { paxlog: { roles: ['boss'] } } } })
    await signInAs(browserSession(app), 'ada')
    expect(roleNameOf('ada')).toBe('Administrator')
    expect((await open.get('/')).html).toContain('Administration')

    const mira = await signedInAs('mira')
    await signInAtProvider(mira, await mira.submit(SECURITY, `${SECURITY}/oidc/link`, {}), 'ada-and-mira')
    provider.setPeople({ 'ada-and-mira': { groups: { paxlog: { roles: ['boss'] } } } })
    await signInAs(browserSession(app), 'ada-and-mira')
    expect(services.users.owner()).toMatchObject({ username: 'mira', roleId: null })
  })
})

describe('account linking', () => {
  test('links and unlinks under Security while the account has a password', async () => {
    const { signedInAs, services, owner, app } = await withProvider()
    const mira = await signedInAs('mira')
    const shown = await mira.get(SECURITY)
    expect(shown.html).toContain('Link to Home')
    // The CSP must allow the redirect to the provider.
    expect(shown.headers['content-security-policy']).toContain(`form-action 'self' ${provider.issuer};`)
    const started = await mira.submit(SECURITY, `${SECURITY}/oidc/link`, {})
    expect(await signInAtProvider(mira, started, 'ada')).toMatchObject({ status: 303, location: SECURITY })
    const { html } = await mira.get(SECURITY)
    expect(html).toContain('Your account is linked. You can sign in with Home now.')
    expect(html).toContain('Unlink from Home')
    const otherBrowser = browserSession(app)
    expect((await signInAs(otherBrowser, 'ada')).status).toBe(303)
    expect((await otherBrowser.get('/')).html).toContain('Signed in as <strong>mira</strong>')
    expect(await mira.submit(SECURITY, `${SECURITY}/oidc/unlink`, {})).toMatchObject({
      status: 303,
      location: SECURITY,
    })
    expect(services.identities.linkOf(owner.id)).toBeUndefined()
    expect((await signInAs(browserSession(app), 'ada')).status).toBe(403)
  })

  test('rejects a person or an account that is already linked', async () => {
    const { signedInAs, account } = await withProvider()
    account('noor')
    const [mira, noor] = [await signedInAs('mira'), await signedInAs('noor')]
    const link = async (browser: Browser, login: string) =>
      signInAtProvider(browser, await browser.submit(SECURITY, `${SECURITY}/oidc/link`, {}), login)
    await link(mira, 'ada')
    const taken = await link(noor, 'ada')
    expect([taken.status, taken.html.includes('Another account is already linked to this user')]).toEqual([409, true])
    expect(taken.html).toContain('href="/settings/security"')
    expect((await link(mira, 'bert')).html).toContain(
      'Your account is linked to another user at Home. Unlink it first.',
    )
    expect((await link(mira, 'ada')).status).toBe(303)
  })

  test('records linking, unlinking and rejected sign-ins', async () => {
    const { signedInAs, services, owner, app } = await withProvider()
    const mira = await signedInAs('mira')
    const recorded = () =>
      [...services.activity.history(0)]
        .filter(({ kind }) => kind.startsWith('identity.') || kind === 'sign_in.failed')
        .map(({ kind, actor, surface, subject, summary }) => [kind, actor?.username, surface, subject?.id, summary])
    const link = async () => signInAtProvider(mira, await mira.submit(SECURITY, `${SECURITY}/oidc/link`, {}), 'ada')
    await link()
    // Linking the same person again changes nothing.
    await link()
    await mira.submit(SECURITY, `${SECURITY}/oidc/unlink`, {})
    await mira.submit(SECURITY, `${SECURITY}/oidc/unlink`, {})
    expect((await signInAs(browserSession(app), 'ada')).status).toBe(403)
    await link()
    await services.identities.unlinkAll(owner.id)
    const linked = [
      'identity.linked',
      'mira',
      'page',
      owner.id,
      'mira linked the account mira to the identity provider.',
    ]
    expect(recorded()).toEqual([
      linked,
      ['identity.unlinked', 'mira', 'page', owner.id, expect.stringContaining('unlinked the account mira')],
      ['sign_in.failed', undefined, 'page', undefined, expect.stringContaining('at Home”')],
      linked,
      ['identity.unlinked', undefined, 'cli', owner.id, expect.stringContaining('The operator unlinked')],
    ])
    const activity = (await mira.get('/settings/activity')).html
    expect(activity).toContain('linked the account mira to the identity provider')
  })

  test('requires the same user and the CSRF token of the form', async () => {
    const { signedInAs, account, app } = await withProvider()
    account('noor')
    const [mira, noor] = [await signedInAs('mira'), await signedInAs('noor')]
    expect((await mira.post(`${SECURITY}/oidc/link`, {})).status).toBe(403)
    expect((await mira.post(`${SECURITY}/oidc/unlink`, {})).status).toBe(403)
    expect((await browserSession(app).post(`${SECURITY}/oidc/link`, {})).location).toMatch(/^\/login\?next=/)
    const started = await mira.submit(SECURITY, `${SECURITY}/oidc/link`, {})
    mira.jar.set('paxlog', noor.jar.get('paxlog')!)
    const { status, html } = await signInAtProvider(mira, started, 'ada')
    expect([status, html.includes('Another user is signed in now.')]).toEqual([400, true])
  })

  test('cannot be undone if it is the only way to sign in', async () => {
    const { browser, services } = await withProvider({ signUp: true })
    provider.setPeople({})
    await signInAs(browser, 'ada')
    const { html } = await browser.get(SECURITY)
    expect(html).toContain('This is your only way to sign in')
    const rejected = await browser.submit(SECURITY, `${SECURITY}/oidc/unlink`, {})
    expect([rejected.status, rejected.html.includes('your only way to sign in')]).toEqual([409, true])
    expect(services.identities.linkOf(services.users.findByName('ada')!.id)).toBeDefined()
    const answer = await browser.post(`${SECURITY}/password`, {
      csrf: /name="csrf" value="([^"]+)"/.exec(html)![1]!,
      current: '',
      password: 'another good one',
    })
    expect(answer.status).toBe(403)
  })
})

describe('PASSWORD_SIGN_IN=false', () => {
  test("hides the form and rejects all passwords except the owner's, with the error for a wrong password", async () => {
    const { app, account } = await withProvider({}, { passwordSignIn: false })
    account('noor')
    const browser = browserSession(app)
    const { html } = await browser.get('/login')
    expect(html).toContain('Sign in with Home')
    expect(html).not.toContain('type="password"')
    expect((await browser.get('/login?password=1')).html).toContain('type="password"')
    const form = (username: string, password: string) =>
      browser.submit('/login?password=1', '/login', { username, password })
    const [right, wrong] = [await form('noor', PASSWORD), await form('noor', 'wrong password')]
    expect([right.status, withoutCsrf(right.html)]).toEqual([400, withoutCsrf(wrong.html)])
    expect(browser.jar.has('paxlog')).toBe(false)
    expect(await form('mira', PASSWORD)).toMatchObject({ status: 303, location: '/' })
    expect((await browser.get(SECURITY)).html).toContain('Current password')
  })

  test('removes the password form and the unlink button of other users', async () => {
    const { browser, account } = await withProvider({ linkByUsername: true }, { passwordSignIn: false })
    account('noor')
    provider.setPeople({})
    await signInAs(browser, 'noor')
    const { html } = await browser.get(SECURITY)
    expect(html).not.toContain('type="password"')
    expect((await browser.submit(SECURITY, `${SECURITY}/oidc/unlink`, {})).status).toBe(409)
  })
})

describe('Delete my account, without a password', () => {
  async function setUp() {
    const instance = await withProvider({ signUp: true })
    provider.setPeople({})
    const { browser } = instance
    await signInAs(browser, 'ada')
    const requestDeletion = (confirm = 'ada') => browser.submit(SECURITY, `${SECURITY}/delete`, { confirm })
    return { ...instance, requestDeletion, exists: () => instance.services.users.findByName('ada') !== undefined }
  }

  test('asks for a new sign-in at the provider and shows a confirmation', async () => {
    const { browser, requestDeletion, exists } = await setUp()
    const { html } = await browser.get(SECURITY)
    expect(html).toContain('You will be asked to sign in with Home again.')
    expect((await requestDeletion('mira')).status).toBe(422)
    const started = await requestDeletion()
    const { searchParams } = new URL(started.location!)
    expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0'])
    expect(exists()).toBe(true)
    const answer = await signInAtProvider(browser, started, 'ada')
    expect(answer.html).toContain('<h1>Your account was deleted</h1>')
    expect([answer.status, exists(), browser.jar.has('paxlog')]).toEqual([200, false, false])
  })

  test('deletes nothing for another person or a cancelled sign-in', async () => {
    const { browser, requestDeletion, exists } = await setUp()
    const answer = await signInAtProvider(browser, await requestDeletion(), 'bert')
    expect([answer.status, answer.html.includes('as another user. Your account was not deleted.')]).toEqual([409, true])
    await requestDeletion()
    expect(exists()).toBe(true)
  })
})

test('no value from the provider or the browser is logged', async () => {
  const lines: string[] = []
  const instance = await paxlog({
    oidc: settingsFor(provider.issuer, { signUp: true }),
    log: (line) => lines.push(line),
  })
  instance.user({ owner: true })
  const browser = browserSession(instance.app)
  const started = await browser.get('/login/oidc')
  const callback = pathOf(await provider.signIn(started.location!, 'ada'))
  await browser.get(callback)
  await browser.get(callback)
  const { searchParams } = new URL(started.location!)
  const secrets = [
    searchParams.get('state')!,
    searchParams.get('nonce')!,
    new URLSearchParams(callback.split('?')[1]).get('code')!,
    browser.jar.get('paxlog')!,
    browser.jar.get('paxlog-oidc')!,
    'the secret of the client',
  ]
  const log = lines.join('')
  expect(log).toContain('"reason":"stale"')
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([])
})
