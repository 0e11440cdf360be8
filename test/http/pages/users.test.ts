import { describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { noticeIn, signInWith, summaryIn } from '../../support/administration.ts'
import { browserSession } from '../../support/browser-session.ts'
import { PASSWORD, signedIn } from '../../support/pages.ts'

const PAGE = '/admin/users'

async function setUp() {
  const instance = await signedIn()
  const { services } = instance
  const noor = await services.users.create(operator, { username: 'noor', displayName: 'Noor', password: PASSWORD })
  const admin = await signInWith(instance, 'role-administrator', 'adam')
  const names = () => services.users.list(operator).map(({ username }) => username)
  return { ...instance, noor, admin, names, pageOf: (id: string) => `${PAGE}/${id}` }
}

const newUser = { username: 'ines', displayName: 'Inês', password: PASSWORD, roleId: 'role-user' }

describe('users page', () => {
  test('redirects to the sign-in and back', async () => {
    const { app } = await signedIn()
    expect(await browserSession(app).get(PAGE)).toMatchObject({ status: 303, location: '/login?next=%2Fadmin%2Fusers' })
  })

  test('lists all users with roles and links, and marks the owner and the viewer', async () => {
    const { browser, noor, owner } = await setUp()
    const { html } = await browser.get(PAGE)
    expect(html).toContain(`<a href="/admin/users/${noor.id}">Noor</a>`)
    expect(html).toMatch(
      new RegExp(`/admin/users/${owner.id}">Mira</a><span class="tag">You</span></th><td>mira</td><td>Owner`),
    )
    expect(html).toContain('<td>adam</td><td>Administrator</td>')
    expect(html).toContain('<a href="/admin/users" aria-current="page">Administration</a>')
  })

  test('creates an account with the chosen role that can sign in', async () => {
    const { app, browser, services } = await setUp()
    const answer = await browser.submit(PAGE, PAGE, { ...newUser, roleId: 'role-administrator' })
    expect(answer).toMatchObject({ status: 303, location: PAGE })
    expect(noticeIn((await browser.get(PAGE)).html)).toMatch(/^ines can sign in now/)
    expect(services.users.findByName('ines')).toMatchObject({ displayName: 'Inês', roleName: 'Administrator' })
    expect((await browserSession(app, { address: '10.9.9.9' }).signIn('ines', PASSWORD)).status).toBe(303)
  })

  test('defaults to the username and the default role', async () => {
    const { browser, services } = await setUp()
    await browser.submit(PAGE, PAGE, { username: ' ines ', displayName: ' ', password: PASSWORD })
    expect(services.users.findByName('ines')).toMatchObject({ displayName: 'ines', roleId: 'role-user' })
  })

  test('shows all errors and keeps the entries except the password', async () => {
    const { browser, names } = await setUp()
    const before = names()
    const answer = await browser.submit(PAGE, PAGE, {
      username: 'a b',
      displayName: 'Al',
      password: 'short',
      roleId: '',
    })
    expect(answer.status).toBe(422)
    expect(answer.html).toContain('<title>Error: Users – Paxlog</title>')
    expect(summaryIn(answer.html)).toEqual([
      'Username: May contain only letters A–Z and a–z, digits, dots, underscores and hyphens.',
      'Password: Must have at least 8 characters.',
      'Name: Must have at least 3 characters.',
    ])
    expect(answer.html).toContain('value="a b"')
    expect(answer.html).not.toContain('short"')
    const taken = await browser.submit(PAGE, PAGE, { ...newUser, username: 'NOOR' })
    expect([taken.status, summaryIn(taken.html)]).toEqual([409, ['Username: The username NOOR is taken.']])
    const role = await browser.submit(PAGE, PAGE, { ...newUser, roleId: 'nothing' })
    expect([role.status, summaryIn(role.html)]).toEqual([422, ['Role: There is no role nothing.']])
    expect(names()).toEqual(before)
  })

  test('offers only assignable roles and rejects others', async () => {
    const { admin, role, names } = await setUp()
    const higher = role(['roles.manage'], 'Keeper')
    const { html } = await admin.browser.get(PAGE)
    const offered = [...html.matchAll(/<option value="([^"]+)"/g)].map(([, id]) => id)
    expect(offered).toEqual(['role-user', 'role-administrator'])
    const answer = await admin.browser.submit(PAGE, PAGE, { ...newUser, roleId: higher })
    expect(answer.status).toBe(403)
    expect(summaryIn(answer.html)).toEqual([
      'Not possible: You can only grant or change permissions that you have. You lack roles.manage.',
    ])
    expect(names()).not.toContain('ines')
  })

  test('has a search field for long lists and shows at most 100 users', async () => {
    const { browser, user } = await setUp()
    expect((await browser.get(PAGE)).html).not.toContain('type="search"')
    for (let index = 100; index < 230; index++) user({ username: `guest${index}`, displayName: `Gäst ${index}` })
    const all = (await browser.get(PAGE)).html
    expect(all).toContain('Showing the first 100 of 133.')
    const some = (await browser.get(`${PAGE}?q=GAST+12`)).html
    expect([...some.matchAll(/<td>(guest\d+)<\/td>/g)].map(([, name]) => name)).toHaveLength(10)
    expect(some).toContain('value="GAST 12"')
    expect((await browser.get(`${PAGE}?q=%3Cb%3E`)).html).toContain('No users match “&lt;b>”.')
  })

  test('is read-only without a navigation entry for users who may only list accounts', async () => {
    const instance = await setUp()
    const reader = await signInWith(instance, 'role-user', 'reader')
    const { status, html } = await reader.browser.get(PAGE)
    expect(status).toBe(200)
    expect(html).toContain('Noor')
    expect(html).not.toContain('New user')
    expect((await reader.browser.get('/')).html).not.toContain('Administration')
  })

  test('shows only the form to users who may create but not list accounts', async () => {
    const instance = await setUp()
    const creator = await signInWith(instance, ['users.create'], 'maker')
    const { html } = await creator.browser.get(PAGE)
    expect(html).not.toContain('Noor')
    expect((await creator.browser.submit(PAGE, PAGE, { ...newUser, roleId: '' })).status).toBe(303)
    expect(instance.names()).toContain('ines')
  })

  test('returns 403 without either permission and changes nothing', async () => {
    const instance = await setUp()
    const unprivileged = await signInWith(instance, ['flight.read.own'], 'nobody')
    const { noor, names, pageOf } = instance
    const before = names()
    expect((await unprivileged.browser.get(PAGE)).status).toBe(403)
    expect((await unprivileged.browser.get(pageOf(noor.id))).status).toBe(403)
    for (const [action, fields] of [
      [PAGE, newUser],
      [pageOf(noor.id), { username: 'other' }],
      [`${pageOf(noor.id)}/password`, { password: 'another password' }],
      [`${pageOf(noor.id)}/delete`, {}],
    ] as const) {
      expect([action, (await unprivileged.browser.submit('/', action, fields)).status]).toEqual([action, 403])
    }
    expect(names()).toEqual(before)
  })

  test('C2: rejects forms without a CSRF token', async () => {
    const { browser, noor, names, pageOf } = await setUp()
    const before = names()
    for (const action of [PAGE, pageOf(noor.id), `${pageOf(noor.id)}/password`, `${pageOf(noor.id)}/delete`]) {
      expect([action, (await browser.post(action, newUser)).status]).toEqual([action, 403])
    }
    expect(names()).toEqual(before)
  })

  test('prefixes every link and redirect with the path of BASE_URL', async () => {
    const { browser } = await signedIn({ baseUrl: 'https://fly.example/log' })
    const { html } = await browser.get(`/log${PAGE}`)
    expect(
      [...html.matchAll(/ (?:href|action)="(\/[^"]*)"/g)].filter(([, target]) => !target!.startsWith('/log')),
    ).toEqual([])
    expect(await browser.submit(`/log${PAGE}`, `/log${PAGE}`, newUser)).toMatchObject({
      status: 303,
      location: `/log${PAGE}`,
    })
  })
})

describe('user page', () => {
  test('changes names and role', async () => {
    const { browser, noor, services, pageOf } = await setUp()
    const page = pageOf(noor.id)
    const answer = await browser.submit(page, page, {
      username: 'noor.v',
      displayName: 'Noor Visser',
      roleId: 'role-administrator',
    })
    expect(answer).toMatchObject({ status: 303, location: page })
    const { html } = await browser.get(page)
    expect(noticeIn(html)).toBe('The account of noor.v was changed.')
    expect(html).toContain('<option value="role-administrator" selected>')
    expect(services.users.get(operator, noor.id)).toMatchObject({
      username: 'noor.v',
      displayName: 'Noor Visser',
      roleName: 'Administrator',
    })
  })

  test('shows errors of the service with their status', async () => {
    const { browser, noor, services, pageOf } = await setUp()
    const page = pageOf(noor.id)
    const taken = await browser.submit(page, page, { username: 'MIRA', displayName: 'Noor' })
    expect([taken.status, summaryIn(taken.html)]).toEqual([409, ['Username: The username MIRA is taken.']])
    expect(taken.html).toContain('value="MIRA"')
    const short = await browser.submit(page, page, { username: '', displayName: 'No' })
    expect([short.status, summaryIn(short.html)]).toEqual([
      422,
      ['Username: Must have at least 3 characters.', 'Name: Must have at least 3 characters.'],
    ])
    expect(services.users.get(operator, noor.id)).toMatchObject({ username: 'noor', displayName: 'Noor' })
  })

  test('sets a new password and ends existing sessions', async () => {
    const { app, browser, noor, pageOf } = await setUp()
    const page = pageOf(noor.id)
    const userBrowser = browserSession(app, { address: '10.9.9.9' })
    await userBrowser.signIn('noor', PASSWORD)
    const bad = await browser.submit(page, `${page}/password`, { password: 'short' })
    expect([bad.status, summaryIn(bad.html)]).toEqual([422, ['New password: Must have at least 8 characters.']])
    expect((await userBrowser.get('/')).status).toBe(200)
    expect((await browser.submit(page, `${page}/password`, { password: 'a quite different one' })).status).toBe(303)
    expect((await userBrowser.get('/')).status).toBe(303)
    expect((await userBrowser.signIn('noor', 'a quite different one')).status).toBe(303)
  })

  test('asks for confirmation, lists what is deleted, and deletes the account', async () => {
    const { browser, noor, names, pageOf } = await setUp()
    const page = pageOf(noor.id)
    const { html } = await browser.get(page)
    expect(html).toMatch(/<details class="danger"[^>]*><summary[^>]*>Delete Noor<\/summary>/)
    expect(html).toContain('without another passenger who has an account')
    expect(await browser.submit(page, `${page}/delete`, {})).toMatchObject({ status: 303, location: PAGE })
    expect(names()).not.toContain('noor')
    expect((await browser.get(page)).status).toBe(404)
    expect((await browser.submit(PAGE, `${page}/delete`, {})).status).toBe(404)
  })

  test('offers no actions on the owner and rejects them', async () => {
    const { admin, owner, services, pageOf } = await setUp()
    const page = pageOf(owner.id)
    const { html } = await admin.browser.get(page)
    expect(html).toContain("Only the owner can change the owner's account.")
    expect(html).not.toContain(`action="${page}`)
    for (const [action, fields, message] of [
      [
        page,
        { username: 'mine', displayName: 'Mine' },
        'Not possible: You can only manage users with fewer permissions than you.',
      ],
      [
        `${page}/password`,
        { password: 'another password' },
        "Not possible: The owner's account can only be changed by the owner.",
      ],
      [`${page}/delete`, {}, 'Not possible: The owner cannot be deleted.'],
    ] as const) {
      const answer = await admin.browser.submit('/', action, fields)
      expect([action, answer.status, summaryIn(answer.html)]).toEqual([action, 403, [message]])
    }
    expect(services.users.get(operator, owner.id)).toMatchObject({ username: 'mira', isOwner: true })
  })

  test('lets the owner change only their own names', async () => {
    const { browser, owner, services, pageOf } = await setUp()
    const page = pageOf(owner.id)
    const { html } = await browser.get(page)
    expect(html).toContain(`action="${page}"`)
    for (const absent of [`${page}/password`, `${page}/delete`, 'name="roleId"']) expect(html).not.toContain(absent)
    expect((await browser.submit(page, page, { username: 'mira', displayName: 'Mira Holm' })).status).toBe(303)
    expect(services.users.get(operator, owner.id).displayName).toBe('Mira Holm')
  })

  test('offers no actions on a user with equal permissions and rejects them', async () => {
    const instance = await setUp()
    const { admin, names, pageOf } = instance
    const peer = await signInWith(instance, 'role-administrator', 'evelyn')
    const page = pageOf(peer.id)
    expect((await admin.browser.get(page)).html).toContain('You can only manage users with fewer permissions than you.')
    const answer = await admin.browser.submit('/', `${page}/delete`, {})
    expect([answer.status, summaryIn(answer.html)]).toEqual([
      403,
      ['Not possible: You can only manage users with fewer permissions than you.'],
    ])
    expect(names()).toContain('evelyn')
  })

  test('does not let users change their own role or password, and links to the settings', async () => {
    const { admin, services, pageOf } = await setUp()
    const page = pageOf(admin.id)
    const { html } = await admin.browser.get(page)
    expect(html).toContain('<a href="/settings/security">security settings</a>')
    expect(html).not.toContain('name="roleId"')
    const answer = await admin.browser.submit(page, page, {
      username: 'adam',
      displayName: 'Adam',
      roleId: 'role-user',
    })
    expect([answer.status, summaryIn(answer.html)]).toEqual([
      403,
      [
        'Not possible: You cannot change your own role or password here. Change your password in the security settings.',
      ],
    ])
    expect(services.users.get(operator, admin.id).roleName).toBe('Administrator')
  })

  test('does not let users delete their own account, and links to the settings', async () => {
    const instance = await setUp()
    const reader = await signInWith(instance, 'role-user', 'reader')
    const page = instance.pageOf(reader.id)
    const { html } = await reader.browser.get(page)
    expect(html).toContain('or delete your account')
    expect(html).not.toContain('class="danger"')
    const rejected = await reader.browser.submit(page, `${page}/delete`, {})
    expect(rejected.status).toBe(403)
    expect(rejected.html).toContain('Delete your own account in the security settings.')
    expect(instance.names()).toContain('reader')
  })

  test('returns 404 for an unknown user and escapes names', async () => {
    const { browser, pageOf, services } = await setUp()
    expect((await browser.get(pageOf('nobody'))).status).toBe(404)
    const { id } = await services.users.create(operator, { username: 'eve', displayName: '<b>Eve', password: PASSWORD })
    expect((await browser.get(pageOf(id))).html).not.toContain('<b>Eve')
  })
})
