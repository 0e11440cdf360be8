import { describe, expect, test } from 'vitest'
import { accountPermissions } from '../../../src/access/caller.ts'
import { presetScopes, scopeNames } from '../../../src/access/scopes.ts'
import { browserSession } from '../../support/browser-session.ts'
import { useOneProcess } from '../../support/engine.ts'
import { oauthClient } from '../../support/oauth-client.ts'
import { PASSWORD, signedIn } from '../../support/pages.ts'
import { runNow } from '../../support/write-now.ts'

const PAGE = '/settings/security'
const keyIn = (html: string) => /pxl_[0-9A-Za-z]{43}/.exec(html)?.[0] ?? ''
const checkedScopes = (html: string) =>
  [...html.matchAll(/name="scope" value="([^"]+)" checked/g)].map(([, scope]) => scope)
const checkedPreset = (html: string) => /name="preset" value="(\w+)" checked/.exec(html)?.[1]
const offeredScopes = (html: string) => [...html.matchAll(/name="scope" value="([^"]+)"/g)].map(([, scope]) => scope)

describe('new API key form', () => {
  test('offers the scopes of the role in groups, with "Read my data" selected', async () => {
    const { browser, services } = await signedIn()
    const { html } = await browser.get(PAGE)
    const main = html.slice(html.indexOf('<main'))
    const groups = [...main.matchAll(/<legend>([^<]+)<\/legend>/g)].map(([, name]) => name)
    expect(groups).toEqual([
      'Permissions',
      'Profile',
      'Your flights',
      'All flights',
      'Tracks and statistics',
      'Reference data',
      'Personal data',
      'Administration',
    ])
    expect(offeredScopes(html).toSorted()).toEqual([...scopeNames].sort())
    const { permissions } = services.users.findByName('mira')!
    expect(checkedScopes(html).toSorted()).toEqual(presetScopes('read', permissions).toSorted())
    expect(checkedPreset(html)).toBe('read')
  })

  test('offers a role without permissions only open scopes and no empty group', async () => {
    const { app, services, user } = await signedIn()
    const browser = browserSession(app)
    browser.jar.set('paxlog', await services.sessions.start(user({ role: [] }).id))
    const { html } = await browser.get(PAGE)
    expect(offeredScopes(html)).toEqual([
      'profile.read',
      'preferences.write',
      'reference_data.read',
      'custom_fields.read',
    ])
    expect(html).not.toContain('<legend>Your flights</legend>')
  })

  test('gives a key the scopes of the selected preset instead of the list', async () => {
    const { app, services, user } = await signedIn()
    const role = ['flight.read.any', 'flight.create.own'] as const
    const { id } = user({ role })
    const permissions = accountPermissions(false, role)
    const browser = browserSession(app)
    browser.jar.set('paxlog', await services.sessions.start(id))
    for (const preset of ['read', 'add', 'all'] as const) {
      const form = { name: preset, preset, scope: ['preferences.write', 'roles.manage'] }
      expect((await browser.submit(PAGE, `${PAGE}/keys`, form)).status).toBe(200)
      const created = services.keys.listOf(id).find(({ name }) => name === preset)!
      expect(created.scopes).toEqual(presetScopes(preset, permissions))
    }
    const { html } = await browser.submit(PAGE, `${PAGE}/keys`, { name: '', preset: 'add' })
    expect(checkedPreset(html)).toBe('add')
    await browser.submit(PAGE, `${PAGE}/keys`, { name: 'listed', preset: 'list', scope: 'stats.read' })
    expect(services.keys.listOf(id).find(({ name }) => name === 'listed')!.scopes).toEqual(['stats.read'])
  })
})

describe('POST /settings/security/keys', () => {
  test('shows the key once, and the key works with its scopes', async () => {
    const { browser, as } = await signedIn()
    const created = await browser.submit(PAGE, `${PAGE}/keys`, {
      name: '  Trip board ',
      scope: ['stats.read', 'profile.read', 'profile.read'],
    })
    expect(created.status).toBe(200)
    const key = keyIn(created.html)
    const { body } = await as(key).get('/me')
    expect(body.data.credential).toEqual({ kind: 'apiKey', scopes: ['profile.read', 'stats.read'] })
    const { html } = await browser.get(PAGE)
    expect(html).toContain('<h3>Trip board</h3>')
    expect(html).toContain('2 permissions')
    expect(html).toContain('never used')
    expect(keyIn(html)).toBe('')
  })

  test('creates a key for an AirTrail program only if selected', async () => {
    const { browser, services, owner } = await signedIn()
    const box = /<input type="checkbox" name="airtrail" value="on"( checked)?/
    expect(box.exec((await browser.get(PAGE)).html)?.[1]).toBeUndefined()
    const form = { name: 'exporter', scope: 'flight.read.own' }
    const nameless = await browser.submit(PAGE, `${PAGE}/keys`, { ...form, name: '', airtrail: 'on' })
    expect(box.exec(nameless.html)?.[1]).toBe(' checked')
    await browser.submit(PAGE, `${PAGE}/keys`, form)
    await browser.submit(PAGE, `${PAGE}/keys`, { ...form, airtrail: 'on' })
    expect(services.keys.listOf(owner.id).map(({ legacyObjects }) => legacyObjects)).toEqual([true, false])
    expect((await browser.get(PAGE)).html.match(/, for a program made for AirTrail/g)).toHaveLength(1)
  })

  test('shows when a key was last used', async () => {
    useOneProcess()
    const { browser, as, services } = await signedIn()
    const created = await browser.submit(PAGE, `${PAGE}/keys`, { name: 'board', scope: 'profile.read' })
    await as(keyIn(created.html)).get('/me')
    await services.credentials.close()
    expect((await browser.get(PAGE)).html).toContain('last used <time')
  })

  test('returns 422 and keeps the entries if the name or the scopes are missing', async () => {
    const { browser, services, owner } = await signedIn()
    const nameless = await browser.submit(PAGE, `${PAGE}/keys`, { name: ' ', scope: ['stats.read'] })
    expect(nameless.status).toBe(422)
    expect(nameless.html).toContain('id="key-name-error">Must have at least 1 character.')
    expect(checkedScopes(nameless.html)).toEqual(['stats.read'])
    const empty = await browser.submit(PAGE, `${PAGE}/keys`, { name: 'board' })
    expect(empty.status).toBe(422)
    expect(empty.html).toContain('<a href="#scopes">Permissions: Choose at least one permission')
    expect(empty.html).toContain('value="board"')
    const long = await browser.submit(PAGE, `${PAGE}/keys`, { name: 'x'.repeat(101), scope: 'stats.read' })
    expect(long.status).toBe(422)
    const zero = await browser.submit(PAGE, `${PAGE}/keys`, { name: 'a\0b', scope: 'stats.read' })
    expect(zero.status).toBe(422)
    expect(services.keys.listOf(owner.id)).toEqual([])
    expect((await browser.submit(PAGE, `${PAGE}/keys`, { name: '✈'.repeat(100), scope: 'stats.read' })).status).toBe(
      200,
    )
  })

  test('C24: returns 403 for a scope that is unknown or not permitted by the role', async () => {
    const { app, services, user, db, role } = await signedIn()
    const browser = browserSession(app)
    const { id } = user({ role: ['flight.read.own'] })
    browser.jar.set('paxlog', await services.sessions.start(id))
    const create = (scope: string[]) => browser.submit(PAGE, `${PAGE}/keys`, { name: 'board', scope })
    for (const scope of [['nonsense'], ['profile.read', 'roles.manage'], ['']]) {
      const answer = await create(scope)
      expect([answer.status, answer.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8'])
    }
    expect(services.keys.listOf(id)).toHaveLength(1)
    expect((await create(['flight.read.own'])).status).toBe(200)
    runNow(db, 'update users set role_id = ? where id = ?', role([]), id)
    expect((await create(['flight.read.own'])).status).toBe(403)
  })

  test('returns 422 for the 101st key', async () => {
    const { browser, services, owner, key } = await signedIn()
    for (let index = 0; index < 100; index++) key(owner.id, ['profile.read'])
    const answer = await browser.submit(PAGE, `${PAGE}/keys`, { name: 'one more', scope: 'profile.read' })
    expect(answer.status).toBe(422)
    expect(answer.html).toContain('A user can have at most 100 keys')
    expect(services.keys.listOf(owner.id)).toHaveLength(100)
  })
})

describe('POST /settings/security/keys/{id}/delete', () => {
  test('deletes the key and shows a notice once', async () => {
    const { browser, as } = await signedIn()
    const created = await browser.submit(PAGE, `${PAGE}/keys`, { name: 'board', scope: 'profile.read' })
    const action = /action="(\/settings\/security\/keys\/\d+\/delete)"/.exec((await browser.get(PAGE)).html)![1]!
    expect((await as(keyIn(created.html)).get('/me')).status).toBe(200)
    expect(await browser.submit(PAGE, action, {})).toMatchObject({ status: 303, location: PAGE })
    expect((await as(keyIn(created.html)).get('/me')).status).toBe(401)
    const { html } = await browser.get(PAGE)
    expect(html).toContain('You have no API keys.')
    expect(html).toContain('role="status">The API key was deleted and no longer works.')
    expect((await browser.get(PAGE)).html).not.toContain('The API key was deleted')
  })

  test('returns 404 for keys of other users and invalid ids', async () => {
    const { browser, user, services } = await signedIn()
    const other = user()
    const { id } = services.keys.listOf(other.id)[0]!
    for (const name of [id, 999, 0, -1, '1e3', '01', 'x', '9'.repeat(30)]) {
      expect((await browser.submit(PAGE, `${PAGE}/keys/${name}/delete`, {})).status).toBe(404)
    }
    expect(services.keys.listOf(other.id)).toHaveLength(1)
  })
})

describe('POST /settings/security/password', () => {
  const change = (current: string, password: string) => ({ current, password })

  test('C14: changes the password, renews the session id and ends the other sessions', async () => {
    const { browser, app, as, key, owner } = await signedIn()
    const other = browserSession(app)
    await other.signIn('mira', PASSWORD)
    const before = browser.jar.get('paxlog')!
    const copied = browserSession(app)
    copied.jar.set('paxlog', before)
    const apiKey = key(owner.id)
    const answer = await browser.submit(PAGE, `${PAGE}/password`, change(PASSWORD, 'another good password'))
    expect(answer).toMatchObject({ status: 303, location: PAGE })
    expect(browser.jar.get('paxlog')).not.toBe(before)
    expect((await browser.get(PAGE)).html).toContain('Your password was changed.')
    expect([(await other.get('/')).status, (await copied.get('/')).status]).toEqual([303, 303])
    expect((await as(apiKey).get('/me')).status).toBe(200)
    expect((await other.signIn('mira', PASSWORD)).status).toBe(400)
    expect((await other.signIn('mira', 'another good password')).status).toBe(303)
  })

  test('revokes OAuth tokens and codes of the user', async () => {
    const { browser, db, owner } = await signedIn()
    db.$client.exec(`
      insert into oauth_clients (id, name, redirect_uris, auth_method, created_at, idle_since) values ('client_a', 'A', '[]', 'none', 0, 0);
      insert into oauth_grants (id, client_id, user_id, resource, scopes, redirect_host, approved_at)
        values (1, 'client_a', '${owner.id}', 'r', '[]', 'a.example', 0);
      insert into oauth_families (id, grant_id, created_at) values (1, 1, 0);`)
    await browser.submit(PAGE, `${PAGE}/password`, change(PASSWORD, 'another good password'))
    expect(db.$client.prepare('select revoked_at from oauth_families').pluck().get()).toBeTypeOf('number')
  })

  test('C17: allows five attempts per minute and user, even with the right password', async () => {
    let now = Date.parse('2026-01-01')
    const { browser } = await signedIn({ now: () => now })
    const attempt = (current: string) =>
      browser.submit(PAGE, `${PAGE}/password`, change(current, 'another good password'))
    for (let count = 0; count < 5; count++) expect((await attempt('not my password')).status).toBe(422)
    const rejected = await attempt(PASSWORD)
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([429, '60'])
    now += 60_000
    expect((await attempt(PASSWORD)).status).toBe(303)
  })

  test('returns 422 for a wrong current, an equal, a short or a missing password', async () => {
    const { browser } = await signedIn()
    const attempt = (current: string, password: string) =>
      browser.submit(PAGE, `${PAGE}/password`, change(current, password))
    const wrong = await attempt('not my password', 'another good password')
    expect([wrong.status, wrong.html.includes('id="current-error">This is not your current password.')]).toEqual([
      422,
      true,
    ])
    const equal = await attempt(PASSWORD, PASSWORD)
    expect([equal.status, equal.html.includes('id="new-password-error">The new password is the current one.')]).toEqual(
      [422, true],
    )
    expect((await attempt(PASSWORD, 'short')).status).toBe(422)
    expect((await attempt(PASSWORD, 'é'.repeat(513))).status).toBe(422)
    expect((await attempt('', 'another good password')).status).toBe(422)
    expect((await browser.get(PAGE)).status).toBe(200)
    expect(wrong.html).not.toContain('another good password')
  })
})

describe('connected applications', () => {
  test('C25: are listed with host, resource and scopes, and only their user can disconnect them', async () => {
    const instance = await signedIn()
    const { browser, owner } = instance
    expect((await browser.get(PAGE)).html).toContain('No applications are connected')
    const client = await oauthClient(instance, { client_name: 'Trip <board>' })
    const user = { id: owner.id, username: 'mira', key: '' }
    const tokens = await client.connect(user, { resource: 'mcp', scopes: ['profile.read'] })
    const { html } = await browser.get(PAGE)
    for (const text of ['<h3>Trip &lt;board></h3>', 'board.example', 'http://localhost:3000/api/mcp', 'never used']) {
      expect(html).toContain(text)
    }
    const { id } = instance.services.oauth.connections.list(owner.id)[0]!
    expect((await browser.post(`${PAGE}/apps/${id}/revoke`, {})).status).toBe(403)
    expect((await browser.submit(PAGE, `${PAGE}/apps/${id + 1}/revoke`, {})).status).toBe(404)
    const otherUser = browserSession(instance.app)
    otherUser.jar.set('paxlog', await instance.services.sessions.start(instance.user().id))
    expect((await otherUser.submit(PAGE, `${PAGE}/apps/${id}/revoke`, {})).status).toBe(404)
    expect(await browser.submit(PAGE, `${PAGE}/apps/${id}/revoke`, {})).toMatchObject({ status: 303, location: PAGE })
    expect((await browser.get(PAGE)).html).toContain('No applications are connected')
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
  })
})
