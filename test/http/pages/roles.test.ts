import { describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { type Permission, permissions } from '../../../src/access/permissions.ts'
import { english } from '../../../src/messages/english.ts'
import { noticeIn, signInWith, summaryIn } from '../../support/administration.ts'
import { settingsFor } from '../../support/identity-provider.ts'
import { signedIn } from '../../support/pages.ts'

const PAGE = '/admin/roles'

async function setUp() {
  const instance = await signedIn()
  const manager = await signInWith(instance, ['roles.manage', 'flight.read.own', 'users.directory.read'], 'keeper')
  const roles = () => instance.services.roles.list(operator)
  const findRole = (name: string) => roles().find((role) => role.name === name)
  return { ...instance, manager, roles, findRole, pageOf: (id: string) => `${PAGE}/${id}` }
}

const boxes = (html: string, checked?: 'checked') =>
  [...html.matchAll(/<input type="checkbox" name="permission" value="([^"]+)"( checked)?/g)]
    .filter(([, , ticked]) => checked === undefined || ticked !== undefined)
    .map(([, name]) => name)

describe('roles page', () => {
  test('lists the roles with their users and permissions, and marks the default', async () => {
    const { browser } = await setUp()
    const { html } = await browser.get(PAGE)
    expect(html).toContain(
      '<a href="/admin/roles/role-user">User</a><span class="tag">Default</span></th><td>0</td><td>9</td>',
    )
    expect(html).toContain('<a href="/admin/roles/role-administrator">Administrator</a></th><td>0</td><td>17</td>')
  })

  test('offers the owner every permission, grouped and described', async () => {
    const { browser } = await setUp()
    const { html } = await browser.get(PAGE)
    expect(boxes(html).toSorted()).toEqual(permissions.toSorted())
    for (const name of permissions) expect(html).toContain(`${english.permissions[name]} <code>${name}</code>`)
    for (const group of ['Own flights', 'All flights', 'Accounts and roles', 'Shared data']) {
      expect(html).toContain(`<legend>${group}</legend>`)
    }
  })

  test('creates a role with the selected permissions', async () => {
    const { browser, findRole } = await setUp()
    const fields = { name: ' Viewer ', description: 'Looks only', permission: ['flight.read.any', 'flight.export.own'] }
    expect(await browser.submit(PAGE, PAGE, fields)).toMatchObject({ status: 303, location: PAGE })
    expect(noticeIn((await browser.get(PAGE)).html)).toBe('The role Viewer was created.')
    expect(findRole('Viewer')).toMatchObject({
      description: 'Looks only',
      permissions: ['flight.read.any', 'flight.export.own'],
      isDefault: false,
    })
  })

  test('shows errors and keeps the entries', async () => {
    const { browser, roles } = await setUp()
    const before = roles()
    const empty = await browser.submit(PAGE, PAGE, {
      name: ' ',
      description: 'x'.repeat(201),
      permission: 'users.create',
    })
    expect(empty.status).toBe(422)
    expect(summaryIn(empty.html)).toEqual([
      'Name: Must have at least 1 character.',
      'Description: Must have at most 200 characters.',
    ])
    expect(boxes(empty.html, 'checked')).toEqual(['users.create'])
    const taken = await browser.submit(PAGE, PAGE, { name: 'USER', description: '' })
    expect([taken.status, summaryIn(taken.html)]).toEqual([409, ['Name: The role name USER is taken.']])
    const unknown = await browser.submit(PAGE, PAGE, { name: 'Odd', description: '', permission: 'everything' })
    expect(unknown.status).toBe(422)
    expect(summaryIn(unknown.html)[0]).toMatch(/^Permissions: Must be one of /)
    expect(roles()).toEqual(before)
  })

  test('does not offer permissions that the viewer lacks and rejects them', async () => {
    const { manager, findRole } = await setUp()
    const { html } = await manager.browser.get(PAGE)
    expect(boxes(html).toSorted()).toEqual(['flight.read.own', 'roles.manage', 'users.directory.read'])
    const answer = await manager.browser.submit(PAGE, PAGE, {
      name: 'Grand',
      description: '',
      permission: 'users.create',
    })
    expect([answer.status, summaryIn(answer.html)]).toEqual([
      403,
      ['Not possible: You can only grant or change permissions that you have. You lack users.create.'],
    ])
    expect(findRole('Grand')).toBeUndefined()
  })

  test('returns 403 without roles.manage and changes nothing', async () => {
    const instance = await setUp()
    const { roles, role } = instance
    const id = role([], 'Empty')
    const admin = await signInWith(instance, 'role-administrator', 'adam')
    const before = roles()
    expect((await admin.browser.get(PAGE)).status).toBe(403)
    expect((await admin.browser.get(`${PAGE}/${id}`)).status).toBe(403)
    for (const action of [PAGE, `${PAGE}/${id}`, `${PAGE}/${id}/delete`]) {
      const answer = await admin.browser.submit('/', action, { name: 'Mine', description: '' })
      expect([action, answer.status]).toEqual([action, 403])
    }
    expect(roles()).toEqual(before)
    expect((await admin.browser.get('/')).html).not.toContain('/admin/roles')
  })

  test('C2: rejects forms without a CSRF token', async () => {
    const { browser, roles, role } = await setUp()
    const id = role([], 'Empty')
    const before = roles()
    for (const action of [PAGE, `${PAGE}/${id}`, `${PAGE}/${id}/delete`]) {
      expect([action, (await browser.post(action, { name: 'Mine', description: '' })).status]).toEqual([action, 403])
    }
    expect(roles()).toEqual(before)
  })
})

describe('role page', () => {
  test('shows the permissions and replaces them', async () => {
    const { browser, role, findRole, pageOf } = await setUp()
    const page = pageOf(role(['flight.read.own', 'users.create'], 'Helper'))
    expect(boxes((await browser.get(page)).html, 'checked')).toEqual(['flight.read.own', 'users.create'])
    const fields = { name: 'Helper', description: 'Helps', permission: ['users.create', 'users.update'] }
    expect((await browser.submit(page, page, fields)).status).toBe(303)
    expect(findRole('Helper')).toMatchObject({ description: 'Helps', permissions: ['users.create', 'users.update'] })
  })

  test('lets only users who can assign roles change the default role', async () => {
    const { browser, manager, role, roles, pageOf } = await setUp()
    const page = pageOf(role(['flight.read.own'], 'Newcomer'))
    expect((await manager.browser.get(page)).html).not.toContain('name="isDefault"')
    const rejected = await manager.browser.submit(page, page, { name: 'Newcomer', description: '', isDefault: 'true' })
    expect([rejected.status, summaryIn(rejected.html)]).toEqual([
      403,
      ['Not possible: Your role does not permit this: it lacks users.roles.assign.'],
    ])
    const fields = { name: 'Newcomer', description: '', permission: 'flight.read.own', isDefault: 'true' }
    expect((await browser.submit(page, page, fields)).status).toBe(303)
    expect(roles().filter(({ isDefault }) => isDefault)).toMatchObject([{ name: 'Newcomer' }])
    expect((await browser.get(page)).html).not.toContain('name="isDefault"')
  })

  test('is read-only for users who lack one of its permissions', async () => {
    const { manager, findRole, pageOf } = await setUp()
    const page = pageOf('role-administrator')
    const { html } = await manager.browser.get(page)
    expect(html).toContain('You cannot change this role')
    expect(html).toContain(`<li>${english.permissions['users.delete' satisfies Permission]}</li>`)
    expect(html).not.toContain(`action="${page}`)
    for (const action of [page, `${page}/delete`]) {
      const answer = await manager.browser.submit('/', action, { name: 'Mine', description: '' })
      expect(answer.status).toBe(403)
      expect(summaryIn(answer.html)[0]).toMatch(/^Not possible: You can only grant or change permissions/)
    }
    expect(findRole('Administrator')?.permissions).toHaveLength(17)
  })

  test('deletes an unused role and explains why others cannot be deleted', async () => {
    const { browser, manager, role, roles, pageOf } = await setUp()
    const page = pageOf(role([], 'Empty'))
    expect((await browser.submit(page, `${page}/delete`, {})).status).toBe(303)
    expect(noticeIn((await browser.get(PAGE)).html)).toBe('The role Empty was deleted.')
    expect((await browser.get(page)).status).toBe(404)

    const before = roles()
    const defaultRole = pageOf('role-user')
    expect((await browser.get(defaultRole)).html).toContain('Make another role the default before you delete it.')
    const used = pageOf(manager.roleId)
    expect((await browser.get(used)).html).toContain(
      'This role has one user. Give them another role before you delete it.',
    )
    for (const [action, message] of [
      [defaultRole, 'Not possible: This is the default role: make another role the default first.'],
      [used, 'Not possible: This role still has 1 user(s): give them another role first.'],
    ] as const) {
      const answer = await browser.submit('/', `${action}/delete`, {})
      expect([answer.status, summaryIn(answer.html)]).toEqual([409, [message]])
    }
    expect(roles()).toEqual(before)
  })
})

describe('claim values of a role', () => {
  const oidc = settingsFor('https://id.example.org')
  const label = 'Identity provider claims'

  test('are one per line, and a taken value is reported on its field', async () => {
    const { browser, services, role } = await signedIn({ oidc })
    const id = role(['flight.read.own'], 'Crew')
    const page = `${PAGE}/${id}`
    const save = (mappings: string) =>
      browser.submit(page, page, { name: 'Crew', description: '', permission: ['flight.read.own'], mappings })
    expect((await save(' staff \r\n\r\ncrew')).status).toBe(303)
    expect(services.roles.get(operator, id).oauthMappings).toEqual(['crew', 'staff'])
    const { html } = await browser.get(page)
    expect(html).toContain(label)
    expect(html).toContain('crew\nstaff</textarea>')
    const other = `${PAGE}/role-user`
    const answer = await browser.submit(other, other, { name: 'User', description: '', mappings: 'crew' })
    expect(answer.status).toBe(409)
    expect(summaryIn(answer.html)).toEqual([`${label}: The claim value crew is already mapped to the role Crew.`])
    const long = await save('x'.repeat(201))
    expect([long.status, long.html.includes('x'.repeat(201))]).toEqual([422, true])
    await save('')
    expect(services.roles.get(operator, id).oauthMappings).toEqual([])
  })

  test('are read-only without the permission and hidden without a provider', async () => {
    const instance = await signedIn({ oidc })
    const { browser: manager } = await signInWith(instance, ['roles.manage', 'flight.read.own'], 'keeper')
    const id = instance.role(['flight.read.own'], 'Crew')
    const { services } = instance
    await services.roles.update(operator, id, { ...services.roles.get(operator, id), oauthMappings: ['staff'] })
    const page = `${PAGE}/${id}`
    const { html } = await manager.get(page)
    expect(html).toContain('Assigned by the identity provider for staff.')
    expect(html).not.toContain('name="mappings"')
    await manager.submit(page, page, { name: 'Crew', description: 'New', permission: ['flight.read.own'] })
    expect(services.roles.get(operator, id)).toMatchObject({ description: 'New', oauthMappings: ['staff'] })
    const { browser } = await signedIn()
    expect((await browser.get(`${PAGE}/role-user`)).html).not.toContain(label)
  })
})
