import { describe, expect, test } from 'vitest'
import { type Permission, permissions } from '../../../src/access/permissions.ts'
import { type Paxlog, paxlog, type TestUser } from '../../support/paxlog.ts'

async function withOwner() {
  const server = await paxlog()
  const theOwner = server.user({ owner: true, username: 'owner' })
  return { ...server, theOwner, owner: server.as(theOwner) }
}

const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
  status,
  body?.error?.code,
]
const ADMIN: Permission[] = [
  'users.directory.read',
  'users.create',
  'users.update',
  'users.delete',
  'users.roles.assign',
]
const record = async ({ as }: Paxlog, who: TestUser, id: string) => (await as(who).get(`/users/${id}`)).body.data

describe('GET /api/v1/users', () => {
  test('has exactly the members of the contract, in the order of its example', async () => {
    const { owner, user } = await withOwner()
    const mira = user({ username: 'mira', displayName: 'Mira' })
    expect((await owner.get(`/users/${mira.id}`)).text).toBe(
      JSON.stringify({
        data: {
          id: mira.id,
          username: 'mira',
          displayName: 'Mira',
          roleId: 'role-user',
          roleName: 'User',
          isOwner: false,
          canManage: true,
        },
      }),
    )
  })

  test('lists all users by username ignoring case, in one page', async () => {
    const { owner, user } = await withOwner()
    for (const username of ['Zoe', 'adam', 'Ben', 'cleo']) user({ username })
    const { body } = await owner.get('/users')
    expect(body.data.map((each: { username: string }) => each.username)).toEqual([
      'adam',
      'Ben',
      'cleo',
      'owner',
      'Zoe',
    ])
    expect(body.page).toEqual({ nextCursor: null })
  })

  test('shows the owner without a role', async () => {
    const server = await withOwner()
    expect(await record(server, server.user(), server.theOwner.id)).toMatchObject({
      roleId: null,
      roleName: null,
      isOwner: true,
      canManage: false,
    })
  })

  test('sets canManage by the delegation rules: never for yourself or the owner, otherwise for a strict superset', async () => {
    const server = await withOwner()
    const { user, theOwner } = server
    const admin = user({ role: ADMIN })
    const canManage = async (who: TestUser, id: string) => (await record(server, who, id)).canManage
    expect(await canManage(admin, admin.id)).toBe(false)
    expect(await canManage(admin, theOwner.id)).toBe(false)
    expect(await canManage(theOwner, theOwner.id)).toBe(false)
    expect(await canManage(theOwner, user({ role: permissions }).id)).toBe(true)
    expect(await canManage(admin, user({ role: ADMIN }).id)).toBe(false)
    expect(await canManage(admin, user({ role: ADMIN.slice(1) }).id)).toBe(true)
    expect(await canManage(admin, user({ role: ['flight.read.own'] }).id)).toBe(false)
    expect(
      await canManage(
        user({ role: ['users.directory.read', 'flight.read.any'] }),
        user({ role: ['flight.read.own'] }).id,
      ),
    ).toBe(true)
  })

  test('returns 404 for an unknown user', async () => {
    const { owner } = await withOwner()
    expect(outcome(await owner.get('/users/none'))).toEqual([404, 'not_found'])
  })
})

describe('POST /api/v1/users', () => {
  test('returns 201, Location and the record, with the username as display name and the default role', async () => {
    const { owner } = await withOwner()
    const created = await owner.post('/users', { username: 'Mi.r_a-1', password: 'long enough' })
    const { id } = created.body.data
    expect(created.status).toBe(201)
    expect(id).toMatch(/^[a-z0-9]{15}$/)
    expect(created.headers.location).toBe(`/api/v1/users/${id}`)
    expect(created.body.data).toEqual({
      id,
      username: 'Mi.r_a-1',
      displayName: 'Mi.r_a-1',
      roleId: 'role-user',
      roleName: 'User',
      isOwner: false,
      canManage: true,
    })
    expect((await owner.get(`/users/${id}`)).text).toBe(created.text)
  })

  test('accepts null for the default role, a role id, and trims the display name', async () => {
    const { owner } = await withOwner()
    const post = (body: object) => owner.post('/users', { password: 'long enough', ...body })
    expect((await post({ username: 'one', roleId: null })).body.data.roleId).toBe('role-user')
    expect((await post({ username: 'two', roleId: 'role-administrator' })).body.data.roleName).toBe('Administrator')
    expect((await post({ username: 'three', displayName: '  Mira M. ' })).body.data.displayName).toBe('Mira M.')
  })

  test.each([
    ['no username', { password: 'long enough' }, [['invalid_type', 'username']]],
    ['a short username', { username: 'ab', password: 'long enough' }, [['too_small', 'username']]],
    ['a long username', { username: 'a'.repeat(21), password: 'long enough' }, [['too_big', 'username']]],
    ['a username with a space', { username: 'a b', password: 'long enough' }, [['invalid_format', 'username']]],
    ['a username with an umlaut', { username: 'mür', password: 'long enough' }, [['invalid_format', 'username']]],
    ['a username with a line break', { username: 'mira\n', password: 'long enough' }, [['invalid_format', 'username']]],
    ['no password', { username: 'mira' }, [['invalid_type', 'password']]],
    ['a short password', { username: 'mira', password: '1234567' }, [['too_small', 'password']]],
    ['a password of 1025 bytes', { username: 'mira', password: 'x'.repeat(1025) }, [['too_big', 'password']]],
    [
      'a password of 1026 bytes in 513 characters',
      { username: 'mira', password: 'ü'.repeat(513) },
      [['too_big', 'password']],
    ],
    ['a password with U+0000', { username: 'mira', password: 'long\0enough' }, [['custom', 'password']]],
    [
      'a short display name',
      { username: 'mira', password: 'long enough', displayName: ' ab ' },
      [['too_small', 'displayName']],
    ],
    [
      'a long display name',
      { username: 'mira', password: 'long enough', displayName: 'x'.repeat(101) },
      [['too_big', 'displayName']],
    ],
    [
      'a display name that is null',
      { username: 'mira', password: 'long enough', displayName: null },
      [['invalid_type', 'displayName']],
    ],
    ['an unknown role', { username: 'mira', password: 'long enough', roleId: 'none' }, [['custom', 'roleId']]],
    [
      'all at once',
      { username: 'a', password: 'b', displayName: 'c', roleId: 5 },
      [
        ['too_small', 'username'],
        ['too_small', 'password'],
        ['too_small', 'displayName'],
        ['invalid_type', 'roleId'],
      ],
    ],
  ])('returns 422 for %s', async (_name, body, expectedDetails) => {
    const { owner } = await withOwner()
    const answer = await owner.post('/users', body)
    expect(outcome(answer)).toEqual([422, 'validation_failed'])
    const { details } = answer.body.error
    expect(details.map(({ code, path }: { code: string; path: string[] }) => [code, path.join('.')])).toEqual(
      expectedDetails,
    )
  })

  test('returns 409 for a username in use, ignoring case', async () => {
    const { owner, user } = await withOwner()
    user({ username: 'mira' })
    expect(outcome(await owner.post('/users', { username: 'MIRA', password: 'long enough' }))).toEqual([
      409,
      'conflict',
    ])
  })

  test("assigns the default role without restrictions, and other roles only within the caller's permissions", async () => {
    const { as, user, role, key } = await withOwner()
    const creator = user({ role: ['users.create'] })
    const assigner = user({ role: ['users.create', 'users.roles.assign', 'flight.read.any'] })
    const post = (who: TestUser | string, roleId?: string) =>
      as(who).post('/users', {
        username: `n${Math.random().toString(36).slice(2, 12)}`,
        password: 'long enough',
        roleId,
      })
    expect((await post(creator)).status).toBe(201)
    expect((await post(creator, 'role-user')).status).toBe(201)
    expect(outcome(await post(creator, role([])))).toEqual([403, 'forbidden'])
    expect((await post(assigner, role(['flight.read.own']))).status).toBe(201)
    expect(outcome(await post(assigner, role(['flight.share.own'])))).toEqual([403, 'forbidden'])
    const narrow = await post(key(assigner.id, ['users.create']), role([]))
    expect(outcome(narrow)).toEqual([403, 'insufficient_scope'])
    expect(narrow.headers['www-authenticate']).toContain('scope="users.create users.roles.assign"')
  })
})

describe('PUT /api/v1/users/{id}', () => {
  test('changes the given members only', async () => {
    const { owner, user } = await withOwner()
    const { id } = user({ username: 'mira', displayName: 'Mira' })
    expect((await owner.put(`/users/${id}`, {})).body.data).toMatchObject({ username: 'mira', displayName: 'Mira' })
    expect((await owner.put(`/users/${id}`, { username: 'MIRA' })).body.data).toMatchObject({
      username: 'MIRA',
      displayName: 'Mira',
    })
    const { body } = await owner.put(`/users/${id}`, { displayName: ' Mira M. ', roleId: 'role-administrator' })
    expect(body.data).toMatchObject({ displayName: 'Mira M.', roleId: 'role-administrator', roleName: 'Administrator' })
    expect((await owner.put(`/users/${id}`, { roleId: null })).body.data.roleId).toBe('role-administrator')
  })

  test('returns 422 for invalid members and an unknown role, 409 for a name in use, and 404 for a missing user', async () => {
    const { owner, user } = await withOwner()
    const [mira] = [user({ username: 'mira' }), user({ username: 'noor' })]
    const put = (body: object) => owner.put(`/users/${mira.id}`, body)
    expect(outcome(await put({ username: 'x' }))).toEqual([422, 'validation_failed'])
    expect(outcome(await put({ username: null }))).toEqual([422, 'validation_failed'])
    expect(outcome(await put({ roleId: 'none' }))).toEqual([422, 'validation_failed'])
    expect(outcome(await put({ username: 'NOOR' }))).toEqual([409, 'conflict'])
    expect(outcome(await owner.put('/users/none', { displayName: 'Nobody' }))).toEqual([404, 'not_found'])
  })

  test('lets users change their own names with users.update, but not their role or password', async () => {
    const { as, user } = await withOwner()
    const mira = user({ role: ['users.update', 'users.roles.assign'] })
    const put = (body: object) => as(mira).put(`/users/${mira.id}`, body)
    expect((await put({ username: 'mira2', displayName: 'Mira 2' })).status).toBe(200)
    expect(outcome(await put({ roleId: 'role-user' }))).toEqual([403, 'forbidden'])
    expect(outcome(await put({ password: 'long enough' }))).toEqual([403, 'forbidden'])
    expect(outcome(await as(user()).put(`/users/${user().id}`, {}))).toEqual([403, 'forbidden'])
  })

  test("lets only the owner change the owner's account, and only its two names", async () => {
    const { as, user, owner, theOwner } = await withOwner()
    const admin = as(user({ role: permissions }))
    const body = { displayName: 'The owner' }
    expect(outcome(await admin.put(`/users/${theOwner.id}`, body))).toEqual([403, 'forbidden'])
    expect(outcome(await admin.put(`/users/${theOwner.id}`, {}))).toEqual([403, 'forbidden'])
    expect((await owner.put(`/users/${theOwner.id}`, { ...body, username: 'boss' })).status).toBe(200)
    for (const more of [{ password: 'long enough' }, { roleId: 'role-user' }]) {
      expect(outcome(await owner.put(`/users/${theOwner.id}`, more))).toEqual([403, 'forbidden'])
    }
    expect((await owner.put(`/users/${theOwner.id}`, { roleId: null })).body.data).toMatchObject({
      username: 'boss',
      isOwner: true,
    })
  })

  test('assigns another role only with users.roles.assign and all its permissions, even the default role', async () => {
    const { as, user, role } = await withOwner()
    const admin = as(user({ role: ADMIN }))
    const target = user({ role: [] })
    const put = (roleId: string) => admin.put(`/users/${target.id}`, { roleId })
    expect(outcome(await put('role-user'))).toEqual([403, 'forbidden'])
    expect((await put(role(['users.create']))).status).toBe(200)
    const updater = as(user({ role: ['users.update', 'users.create', 'flight.read.own'] }))
    expect(outcome(await updater.put(`/users/${target.id}`, { roleId: role([]) }))).toEqual([403, 'forbidden'])
  })

  test('requires the scope users.roles.assign only if the role changes', async () => {
    const { as, key, user, theOwner } = await withOwner()
    const narrow = as(key(theOwner.id, ['users.update']))
    const { id } = user()
    expect((await narrow.put(`/users/${id}`, { roleId: 'role-user' })).status).toBe(200)
    expect((await narrow.put(`/users/${id}`, { roleId: null })).status).toBe(200)
    const rejected = await narrow.put(`/users/${id}`, { roleId: 'role-administrator' })
    expect(rejected.headers['www-authenticate']).toContain('scope="users.update users.roles.assign"')
  })
})
