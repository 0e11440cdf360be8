import { describe, expect, test } from 'vitest'
import { permissions } from '../../../src/access/permissions.ts'
import { scopeNames } from '../../../src/access/scopes.ts'
import { postgresOf } from '../../../src/db/postgres/open.ts'
import { useOneProcess } from '../../support/engine.ts'
import { otherConnection } from '../../support/other-connection.ts'
import { paxlog } from '../../support/paxlog.ts'
import { runNow } from '../../support/write-now.ts'

const DEFAULTS = {
  distanceUnit: 'km',
  windSpeedUnit: 'kt',
  temperatureUnit: 'c',
  pressureUnit: 'hpa',
  timeFormat: 'auto',
  dateFormat: 'auto',
  weekStartsOn: 'auto',
  flightTimeDisplay: 'airport',
  theme: 'auto',
  language: 'auto',
}

const USER_PERMISSIONS = [
  'flight.read.own',
  'flight.create.own',
  'flight.update.own',
  'flight.delete.own',
  'flight.import.own',
  'flight.export.own',
  'flight.passengers.manage.own',
  'flight.share.own',
  'users.directory.read',
]

describe('GET /api/v1/me', () => {
  test('has exactly the members of the contract, in the order of its example', async () => {
    const { as, user } = await paxlog()
    const mira = user({ username: 'mira', displayName: 'Mira', scopes: ['flight.read.own'] })
    expect((await as(mira).get('/me')).text).toBe(
      JSON.stringify({
        data: {
          id: mira.id,
          username: 'mira',
          displayName: 'Mira',
          role: { id: 'role-user', name: 'User' },
          isOwner: false,
          permissions: USER_PERMISSIONS,
          credential: { kind: 'apiKey', scopes: ['flight.read.own'] },
        },
      }),
    )
  })

  test('shows the owner without a role and with all 25 permissions, and preferences last', async () => {
    const { as, user } = await paxlog()
    const owner = user({ username: 'anna', owner: true })
    expect((await as(owner).get('/me')).text).toBe(
      JSON.stringify({
        data: {
          id: owner.id,
          username: 'anna',
          displayName: 'anna',
          role: null,
          isOwner: true,
          permissions,
          credential: { kind: 'apiKey', scopes: scopeNames },
          preferences: DEFAULTS,
        },
      }),
    )
  })

  test('includes preferences only with profile.read', async () => {
    const { as, user } = await paxlog()
    const others = scopeNames.filter((scope) => scope !== 'profile.read')
    expect((await as(user({ scopes: others })).get('/me')).body.data).not.toHaveProperty('preferences')
    expect((await as(user({ scopes: ['profile.read'] })).get('/me')).body.data.preferences).toEqual(DEFAULTS)
  })

  test('lists effective permissions with own for any, in catalogue order', async () => {
    const { as, user } = await paxlog()
    const mira = user({ role: ['users.create', 'flight.read.any', 'flight.passengers.manage.any'] })
    expect((await as(mira).get('/me')).body.data.permissions).toEqual([
      'flight.read.own',
      'flight.read.any',
      'flight.passengers.manage.own',
      'flight.passengers.manage.any',
      'users.create',
    ])
  })

  test('lists granted scopes in order, not reduced by the role, without unknown names', async () => {
    const { as, user } = await paxlog()
    const mira = user({ role: [], scopes: ['roles.manage', 'gone.scope', 'flight.read.any'] })
    expect((await as(mira).get('/me')).body.data.credential).toEqual({
      kind: 'apiKey',
      scopes: ['flight.read.any', 'roles.manage'],
    })
  })

  test('requires only a credential', async () => {
    const { as, user, key } = await paxlog()
    const mira = user({ role: [] })
    expect((await as(key(mira.id, [])).get('/me')).status).toBe(200)
    const { status, headers } = await as(undefined).get('/me')
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe(
      'Bearer resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/api/v1"',
    )
  })

  test('ignores unknown permissions of a role', async () => {
    const { as, user, db } = await paxlog()
    const mira = user({ role: ['flight.read.own'] })
    runNow(db, `update roles set permissions = '["gone.permission","flight.share.own"]' where name like 'Role%'`)
    expect((await as(mira).get('/me')).body.data.permissions).toEqual(['flight.share.own'])
  })
})

describe('the next request', () => {
  test('B14: sees a changed role, name and preference', async () => {
    const { as, user } = await paxlog()
    const owner = as(user({ owner: true }))
    const mira = user({ role: ['flight.read.own'] })
    const { role } = (await as(mira).get('/me')).body.data
    await owner.put(`/roles/${role.id}`, { name: 'Renamed', permissions: ['flight.read.any'] })
    await owner.put(`/users/${mira.id}`, { displayName: 'Mira M.' })
    await as(mira).put('/preferences', { distanceUnit: 'nm' })
    expect((await as(mira).get('/me')).body.data).toMatchObject({
      displayName: 'Mira M.',
      role: { name: 'Renamed' },
      permissions: ['flight.read.own', 'flight.read.any'],
      preferences: { distanceUnit: 'nm' },
    })
  })

  test('B14: is rejected after its key or user is deleted', async () => {
    const { as, user, key, services } = await paxlog()
    const mira = user()
    const second = key(mira.id)
    const [newest] = services.keys.listOf(mira.id)
    expect((await as(second).get('/me')).status).toBe(200)
    await services.keys.remove(newest!.id)
    expect((await as(second).get('/me')).status).toBe(401)
    expect((await as(mira).get('/me')).status).toBe(200)
    await as(user({ owner: true })).delete(`/users/${mira.id}`)
    expect((await as(mira).get('/me')).status).toBe(401)
  })

  test('B14: sees changes by another process', async () => {
    const { as, user, dataDir } = await paxlog()
    const other = otherConnection(dataDir)
    const mira = user({ role: ['users.directory.read'] })
    const me = async () => (await as(mira).get('/me')).body.data
    const directory = async () => (await as(mira).get('/users')).status
    expect([await directory(), (await me()).displayName]).toEqual([200, mira.username])
    other
      .prepare("update roles set permissions = '[]' where id = (select role_id from users where id = ?)")
      .run(mira.id)
    expect([await directory(), (await me()).permissions]).toEqual([403, []])
    other.prepare("update users set role_id = 'role-user', display_name = 'Mira' where id = ?").run(mira.id)
    expect([await directory(), (await me()).displayName]).toEqual([200, 'Mira'])
    other.prepare("update api_keys set scopes = '[]' where user_id = ?").run(mira.id)
    expect(await directory()).toBe(403)
    other.prepare('delete from api_keys where user_id = ?').run(mira.id)
    expect(await directory()).toBe(401)
  })

  test('succeeds again when a permission is restored, because the credential keeps its scope', async () => {
    const { as, user, db } = await paxlog()
    const mira = user({ role: ['users.directory.read'] })
    const setPermissions = (list: string[]) =>
      runNow(
        db,
        'update roles set permissions = ? where id = (select role_id from users where id = ?)',
        JSON.stringify(list),
        mira.id,
      )
    setPermissions([])
    expect((await as(mira).get('/users')).body.error.code).toBe('forbidden')
    setPermissions(['users.directory.read'])
    expect((await as(mira).get('/users')).status).toBe(200)
  })
})

describe('the time of last use', () => {
  const lastUsed = (server: Awaited<ReturnType<typeof paxlog>>, userId: string) =>
    server.services.keys.listOf(userId)[0]!.lastUsedAt

  test('is stored to the minute and visible within three seconds, even if the call fails', async () => {
    const server = await paxlog({ now: () => Date.UTC(2025, 4, 3, 10, 20, 59, 999) })
    const mira = server.user({ role: [] })
    expect(lastUsed(server, mira.id)).toBeNull()
    expect((await server.as(mira).get('/users')).status).toBe(403)
    const deadline = Date.now() + 3000
    while (lastUsed(server, mira.id) === null && Date.now() < deadline)
      await new Promise((done) => setTimeout(done, 50))
    expect(lastUsed(server, mira.id)).toBe('2025-05-03T10:20:00.000Z')
  })

  test('is written once per key and minute, regardless of the number of requests', async () => {
    useOneProcess()
    let now = Date.UTC(2025, 0, 1)
    const server = await paxlog({ now: () => now })
    const mira = server.user()
    const changes = () =>
      postgresOf(server.db)?.changedRows ??
      (server.db.$client.prepare('select total_changes()').pluck().get() as number)
    const use = async (times: number) => {
      for (let i = 0; i < times; i++) await server.as(mira).get('/me')
      // The timer does this within a second.
      await server.services.credentials.close()
    }
    await use(1)
    const before = changes()
    await use(50)
    now += 59_999
    await use(50)
    expect(changes() - before).toBe(0)
    now += 1
    await use(50)
    expect(changes() - before).toBe(1)
    expect(lastUsed(server, mira.id)).toBe('2025-01-01T00:01:00.000Z')
  })

  test('is not set by a rejected credential', async () => {
    const server = await paxlog()
    const mira = server.user()
    await server.as(`${mira.key}x`).get('/me')
    await server.services.credentials.close()
    expect(lastUsed(server, mira.id)).toBeNull()
  })
})
