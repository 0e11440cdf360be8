import { describe, expect, test } from 'vitest'
import { builtInRoles, type Permission, permissions } from '../../../src/access/permissions.ts'
import { paxlog } from '../../support/paxlog.ts'

const NOW = Date.UTC(2025, 0, 2, 10)
const AT = '2025-01-02T10:00:00.000Z'

async function withOwner() {
  let now = NOW
  const server = await paxlog({ now: () => now })
  const advanceTime = (ms: number) => {
    now += ms
  }
  return { ...server, owner: server.as(server.user({ owner: true })), advanceTime }
}

const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code]

describe('GET /api/v1/roles', () => {
  test('lists the roles by name ignoring case, in one page', async () => {
    const { owner, role } = await withOwner()
    for (const name of ['zebra', 'Crew', 'apron', 'Élan', 'ÉCLAT']) role([], name)
    const { body } = await owner.get('/roles')
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual([
      'Administrator',
      'apron',
      'Crew',
      'User',
      'zebra',
      'ÉCLAT',
      'Élan',
    ])
    expect(body.page).toEqual({ nextCursor: null })
  })

  test('returns the two roles of a new installation', async () => {
    const { owner, user } = await withOwner()
    user()
    const { text } = await owner.get('/roles')
    expect(text).toBe(
      JSON.stringify({
        data: [...builtInRoles].reverse().map((role) => ({
          id: role.id,
          name: role.name,
          description: null,
          createdAt: AT,
          updatedAt: AT,
          permissions: permissions.filter((permission) => role.permissions.includes(permission)),
          userCount: role.isDefault ? 1 : 0,
          oauthMappingCount: 0,
          isDefault: role.isDefault,
        })),
        page: { nextCursor: null },
      }),
    )
  })
})

describe('POST /api/v1/roles', () => {
  test('returns 201, Location and the full record, in the order of the example', async () => {
    const { owner } = await withOwner()
    const created = await owner.post('/roles', { name: ' Viewer ', permissions: ['flight.read.own'] })
    const { id } = created.body.data
    expect(created.status).toBe(201)
    expect(id).toMatch(/^[a-z0-9]{15}$/)
    expect(created.headers.location).toBe(`/api/v1/roles/${id}`)
    expect(created.text).toBe(
      JSON.stringify({
        data: {
          id,
          name: 'Viewer',
          description: null,
          createdAt: AT,
          updatedAt: AT,
          permissions: ['flight.read.own'],
          oauthMappings: [],
          userCount: 0,
          oauthMappingCount: 0,
          isDefault: false,
        },
      }),
    )
    const { body } = await owner.get(`/roles/${id}`)
    expect(body.data).toEqual(created.body.data)
  })

  test('stores permissions once in catalogue order, not expanded, and ignores isDefault', async () => {
    const { owner } = await withOwner()
    const wanted = ['roles.manage', 'flight.read.any', 'roles.manage']
    const { body } = await owner.post('/roles', { name: 'A', description: '  ', permissions: wanted, isDefault: true })
    expect(body.data).toMatchObject({
      description: '',
      permissions: ['flight.read.any', 'roles.manage'],
      isDefault: false,
    })
  })

  test.each([
    ['no name', { permissions: [] }, 'name'],
    ['an empty name', { name: ' ', permissions: [] }, 'name'],
    ['a name of 51 characters', { name: 'x'.repeat(51), permissions: [] }, 'name'],
    ['a name that is null', { name: null, permissions: [] }, 'name'],
    ['a long description', { name: 'A', description: 'x'.repeat(201), permissions: [] }, 'description'],
    ['no permissions', { name: 'A' }, 'permissions'],
    ['an unknown permission', { name: 'A', permissions: ['flight.read.own', 'profile.read'] }, 'permissions.1'],
    ['permissions that are not a list', { name: 'A', permissions: 'roles.manage' }, 'permissions'],
  ])('returns 422 for %s', async (_name, body, path) => {
    const { owner } = await withOwner()
    const answer = await owner.post('/roles', body)
    expect(outcome(answer)).toEqual([422, 'validation_failed'])
    expect(answer.body.error.details[0].path.join('.')).toBe(path)
  })

  test('returns 409 for a name in use, ignoring case in every script', async () => {
    const { owner } = await withOwner()
    await owner.post('/roles', { name: 'Überflieger', permissions: [] })
    for (const name of ['user', 'ADMINISTRATOR', 'überFLIEGER', ' ÜBERFLIEGER ', 'U\u0308berflieger']) {
      expect(outcome(await owner.post('/roles', { name, permissions: [] }))).toEqual([409, 'conflict'])
    }
  })

  test('grants only permissions that the caller has, where any includes own', async () => {
    const { as, user } = await withOwner()
    const manager = as(user({ role: ['roles.manage', 'flight.read.any'] }))
    const create = (list: Permission[]) => manager.post('/roles', { name: list.join() || 'none', permissions: list })
    expect((await create(['flight.read.own', 'roles.manage'])).status).toBe(201)
    expect((await create(['flight.read.any'])).status).toBe(201)
    expect(outcome(await create(['flight.read.own', 'users.create']))).toEqual([403, 'forbidden'])
    expect((await create(['flight.share.own'])).body.error.message).toContain('flight.share.own')
  })
})

describe('PUT /api/v1/roles/{id}', () => {
  test('replaces the role and returns the record with updated at the end', async () => {
    const { owner, advanceTime } = await withOwner()
    const before = { name: 'Crew', description: 'Flies', permissions: ['flight.read.own'] }
    const { id } = (await owner.post('/roles', before)).body.data
    advanceTime(1500)
    const { status, text } = await owner.put(`/roles/${id}`, { name: 'CREW', permissions: ['flight.share.own'] })
    expect(status).toBe(200)
    expect(text).toBe(
      JSON.stringify({
        data: {
          id,
          name: 'CREW',
          description: null,
          createdAt: AT,
          updatedAt: '2025-01-02T10:00:01.500Z',
          permissions: ['flight.share.own'],
          oauthMappings: [],
          userCount: 0,
          oauthMappingCount: 0,
          isDefault: false,
          updated: true,
        },
      }),
    )
  })

  test('requires the current and the new permissions of the role', async () => {
    const { as, user, role } = await withOwner()
    const manager = as(user({ role: ['roles.manage', 'flight.read.own'] }))
    const beyond = role(['flight.read.any'])
    const within = role(['flight.read.own'])
    const put = (id: string, list: Permission[]) => manager.put(`/roles/${id}`, { name: id, permissions: list })
    expect(outcome(await put(beyond, []))).toEqual([403, 'forbidden'])
    expect(outcome(await put(within, ['flight.read.any']))).toEqual([403, 'forbidden'])
    expect((await put(within, ['roles.manage'])).status).toBe(200)
  })

  test('applies reduced permissions of your own role to the next request', async () => {
    const { as, user } = await withOwner()
    const mira = user({ role: ['roles.manage'] })
    const { role } = (await as(mira).get('/me')).body.data
    expect((await as(mira).put(`/roles/${role.id}`, { name: 'Mine', permissions: [] })).status).toBe(200)
    expect(outcome(await as(mira).get('/roles'))).toEqual([403, 'forbidden'])
  })

  test('sets the only default role with isDefault true, and ignores false', async () => {
    const { owner } = await withOwner()
    const body = { name: 'Crew', permissions: [] }
    const { id } = (await owner.post('/roles', body)).body.data
    expect((await owner.put(`/roles/${id}`, { ...body, isDefault: true })).body.data.isDefault).toBe(true)
    expect((await owner.put(`/roles/${id}`, { ...body, isDefault: false })).body.data.isDefault).toBe(true)
    const { data } = (await owner.get('/roles')).body
    expect(
      data.filter((role: { isDefault: boolean }) => role.isDefault).map((role: { id: string }) => role.id),
    ).toEqual([id])
    expect(outcome(await owner.put(`/roles/${id}`, { ...body, isDefault: null }))).toEqual([422, 'validation_failed'])
    const account = await owner.post('/users', { username: 'newbie', password: 'long enough' })
    expect(account.body.data.roleId).toBe(id)
  })

  test('requires users.roles.assign in scope and role only to change the default', async () => {
    const { as, user, role, key } = await withOwner()
    const target = role([])
    const body = { name: 'Crew', permissions: [], isDefault: true }
    const lacking = as(user({ role: ['roles.manage'] }))
    expect(outcome(await lacking.put(`/roles/${target}`, body))).toEqual([403, 'forbidden'])
    expect((await lacking.put(`/roles/${target}`, { ...body, isDefault: false })).status).toBe(200)
    const assigner = user({ role: ['roles.manage', 'users.roles.assign'] })
    const narrow = await as(key(assigner.id, ['roles.manage'])).put(`/roles/${target}`, body)
    expect(narrow.headers['www-authenticate']).toContain('scope="roles.manage users.roles.assign"')
    expect((await as(assigner).put(`/roles/${target}`, body)).status).toBe(200)
    expect((await as(key(assigner.id, ['roles.manage'])).put(`/roles/${target}`, body)).status).toBe(200)
  })

  test('accepts its own name in another case and rejects the name of another role', async () => {
    const { owner } = await withOwner()
    const put = (name: string) => owner.put('/roles/role-user', { name, permissions: [] })
    expect((await put('USER')).status).toBe(200)
    expect(outcome(await put('administrator'))).toEqual([409, 'conflict'])
  })

  test('returns 404 for an unknown role after body validation', async () => {
    const { owner } = await withOwner()
    expect(outcome(await owner.put('/roles/none', { name: 'A', permissions: [] }))).toEqual([404, 'not_found'])
    expect(outcome(await owner.put('/roles/none', {}))).toEqual([422, 'validation_failed'])
    expect(outcome(await owner.get('/roles/none'))).toEqual([404, 'not_found'])
    expect(outcome(await owner.delete('/roles/none'))).toEqual([404, 'not_found'])
  })
})

describe('DELETE /api/v1/roles/{id}', () => {
  test('returns 204, then 404, even for built-in roles', async () => {
    const { owner } = await withOwner()
    expect((await owner.delete('/roles/role-administrator')).status).toBe(204)
    expect((await owner.delete('/roles/role-administrator')).status).toBe(404)
  })

  test('returns 409 for the default role and for a role with users, with the reason', async () => {
    const { owner, user, role } = await withOwner()
    const used = role([])
    user({ role: used })
    const inUse = await owner.delete(`/roles/${used}`)
    const theDefault = await owner.delete('/roles/role-user')
    expect([outcome(inUse), outcome(theDefault)]).toEqual([
      [409, 'conflict'],
      [409, 'conflict'],
    ])
    expect(inUse.body.error.message).toMatch(/user/)
    expect(theDefault.body.error.message).toMatch(/default/)
  })

  test('requires every permission of the role, even before it reports that the role is in use', async () => {
    const { as, user, role } = await withOwner()
    const manager = as(user({ role: ['roles.manage'] }))
    expect(outcome(await manager.delete('/roles/role-user'))).toEqual([403, 'forbidden'])
    expect((await manager.delete(`/roles/${role(['roles.manage'])}`)).status).toBe(204)
  })
})

describe('oauthMappings', () => {
  test('are set and kept by PUT, returned by GET and counted in every record', async () => {
    const { owner, role } = await withOwner()
    const id = role([])
    const put = (oauthMappings?: unknown) =>
      owner.put(`/roles/${id}`, {
        name: 'Crew',
        permissions: [],
        ...(oauthMappings !== undefined && { oauthMappings }),
      })
    const { body } = await put(['staff', 'crew', 'staff', ' crew'])
    expect(body.data).toMatchObject({ oauthMappings: [' crew', 'crew', 'staff'], oauthMappingCount: 3 })
    expect((await put()).body.data.oauthMappings).toEqual([' crew', 'crew', 'staff'])
    expect(Object.keys((await owner.get(`/roles/${id}`)).body.data).slice(5, 8)).toEqual([
      'permissions',
      'oauthMappings',
      'userCount',
    ])
    const [listed] = (await owner.get('/roles')).body.data.filter((found: { id: string }) => found.id === id)
    expect([listed.oauthMappingCount, 'oauthMappings' in listed]).toEqual([3, false])
    expect((await put([])).body.data).toMatchObject({ oauthMappings: [], oauthMappingCount: 0 })
  })

  test('are limited in number and length', async () => {
    const { owner, role } = await withOwner()
    const id = role([])
    const put = (oauthMappings: unknown) => owner.put(`/roles/${id}`, { name: 'Crew', permissions: [], oauthMappings })
    for (const wrong of [[''], ['x'.repeat(201)], Array.from({ length: 51 }, String), 'staff', [1], null, ['\0']]) {
      expect(outcome(await put(wrong))).toEqual([422, 'validation_failed'])
    }
    expect((await put(['😀'.repeat(200)])).status).toBe(200)
    expect((await put(Array.from({ length: 50 }, String))).status).toBe(200)
  })

  test('belong to one role each and are deleted with it', async () => {
    const { owner, role } = await withOwner()
    const [one, two] = [role([]), role([])]
    const put = (id: string, oauthMappings: string[]) =>
      owner.put(`/roles/${id}`, { name: id, permissions: [], oauthMappings })
    await put(one, ['staff', 'crew'])
    const taken = await put(two, ['pilots', 'crew'])
    expect(outcome(taken)).toEqual([409, 'conflict'])
    expect((await owner.get(`/roles/${two}`)).body.data.oauthMappings).toEqual([])
    // Values are case-sensitive, because the provider defines them.
    expect((await put(two, ['Crew'])).status).toBe(200)
    await owner.delete(`/roles/${one}`)
    expect((await put(two, ['crew'])).status).toBe(200)
  })

  test('can be changed only by users who may assign the role', async () => {
    const { as, user, role, owner } = await withOwner()
    const id = role(['flight.read.own'])
    const body = { name: 'Crew', permissions: ['flight.read.own'], oauthMappings: ['crew'] }
    const granted: Permission[] = ['roles.manage', 'flight.read.own']
    const manager = as(user({ role: granted }))
    expect(outcome(await manager.put(`/roles/${id}`, body))).toEqual([403, 'forbidden'])
    const assigner = user({ role: [...granted, 'users.roles.assign'], scopes: ['roles.manage'] })
    expect(outcome(await as(assigner).put(`/roles/${id}`, body))).toEqual([403, 'insufficient_scope'])
    const lacking = as(user({ role: ['roles.manage', 'users.roles.assign'] }))
    expect(outcome(await lacking.put(`/roles/${id}`, body))).toEqual([403, 'forbidden'])
    expect((await as(user({ role: [...granted, 'users.roles.assign'] })).put(`/roles/${id}`, body)).status).toBe(200)
    // Sending the same values is no change and needs no permission, but removing them does.
    expect((await manager.put(`/roles/${id}`, body)).status).toBe(200)
    expect(outcome(await manager.put(`/roles/${id}`, { ...body, oauthMappings: [] }))).toEqual([403, 'forbidden'])
    expect((await owner.get(`/roles/${id}`)).body.data.oauthMappings).toEqual(['crew'])
  })
})

describe('two concurrent role managers', () => {
  test("cannot both revoke each other's permission", async () => {
    const { as, user, db } = await withOwner()
    const granted: Permission[] = ['roles.manage', 'users.directory.read']
    for (let round = 0; round < 60; round++) {
      const [a, b] = [user({ role: granted }), user({ role: granted })]
      const [roleA, roleB] = [a, b].map(({ id }) =>
        String(db.$client.prepare('select role_id from users where id = ?').pluck().get(id)),
      ) as [string, string]
      const empty = (name: string) => ({ name, permissions: [] })
      const answers = await Promise.all([
        as(a).put(`/roles/${roleB}`, empty(roleB)),
        as(b).put(`/roles/${roleA}`, empty(roleA)),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    }
  })
})
