import { describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { permissions } from '../../../src/access/permissions.ts'
import { sqliteOf } from '../../../src/db/sqlite/sqlite.ts'
import { isPostgres } from '../../support/engine.ts'
import { flightLog } from '../../support/flight-log.ts'
import { meanwhileOf } from '../../support/meanwhile.ts'
import { insertRow, otherConnection } from '../../support/other-connection.ts'
import { type Paxlog, paxlog } from '../../support/paxlog.ts'

const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
  status,
  body?.error?.code,
]

describe('DELETE /api/v1/users/{id}', () => {
  test('returns 204, then 404', async () => {
    const { as, user } = await paxlog()
    const owner = as(user({ owner: true }))
    const { id } = user()
    expect((await owner.delete(`/users/${id}`)).status).toBe(204)
    expect(outcome(await owner.delete(`/users/${id}`))).toEqual([404, 'not_found'])
  })

  test('is rejected for the owner, even by the owner', async () => {
    const { as, user } = await paxlog()
    const owner = user({ owner: true })
    for (const who of [owner, user({ role: permissions })]) {
      expect(outcome(await as(who).delete(`/users/${owner.id}`))).toEqual([403, 'forbidden'])
    }
    expect((await as(owner).get('/me')).status).toBe(200)
  })

  test('requires the permission even for your own account', async () => {
    const { as, user, key } = await paxlog()
    const mira = user({ role: 'role-user' })
    expect(outcome(await as(key(mira.id, ['users.delete'])).delete(`/users/${mira.id}`))).toEqual([403, 'forbidden'])
    expect((await as(mira).get('/me')).status).toBe(200)
  })

  test('deletes your own account with the permission, but not without the scope', async () => {
    const { as, user, key } = await paxlog()
    const mira = user({ role: ['users.delete'] })
    expect(outcome(await as(key(mira.id, ['profile.read'])).delete(`/users/${mira.id}`))).toEqual([
      403,
      'insufficient_scope',
    ])
    expect((await as(key(mira.id, ['users.delete'])).delete(`/users/${mira.id}`)).status).toBe(204)
    expect((await as(mira).get('/me')).status).toBe(401)
  })

  test('returns 403 without the permission, whether or not the user exists', async () => {
    const { as, user } = await paxlog()
    const mira = as(user({ role: [] }))
    expect(outcome(await mira.delete('/users/none'))).toEqual([403, 'forbidden'])
    expect(outcome(await mira.delete(`/users/${user({ role: [] }).id}`))).toEqual([403, 'forbidden'])
  })
})

/** Everything that contract 2.7 names, for one user, written directly to the tables. */
function insertBelongings({ dataDir, user, db }: Paxlog) {
  const [mira, noor] = [user({ username: 'mira', role: 'role-administrator' }), user({ username: 'noor' })]
  const other = otherConnection(dataDir)
  insertRow(other, 'airports', { id: 0 })
  const insert = (table: string, values: Record<string, unknown>) => insertRow(other, table, values)
  for (const { id } of [mira, noor]) {
    insert('sessions', { user_id: id })
    insert('shares', { user_id: id, slug: `slug-${id}` })
    insert('trips', { user_id: id })
    insert('visited_countries', { user_id: id, code: 'PT', status: 'visited' })
    insert('preferences', { user_id: id })
    const client = `client-${id}`
    insert('oauth_clients', { id: client, auth_method: 'none' })
    insert('oauth_requests', { id: `request-${id}`, client_id: client, user_id: id })
    const grant = insert('oauth_grants', { client_id: client, user_id: id })
    const family = insert('oauth_families', { grant_id: grant })
    insert('oauth_codes', { grant_id: grant, family_id: family })
    insert('oauth_refresh_tokens', { family_id: family })
    insert('oauth_access_tokens', { jti: `jti-${id}`, family_id: family })
  }
  const flight = (...passengers: (string | { guest: string })[]) => {
    const id = insert('flights', { date: '2025-05-03', date_precision: 'day' })
    for (const who of passengers) {
      const passenger = typeof who === 'string' ? { user_id: who } : { guest_name: who.guest }
      insert('passengers', { flight_id: id, ...passenger })
    }
    insert('flight_tracks', { flight_id: id })
    return id
  }
  const guest = { guest: 'Guest' }
  const flights = {
    alone: flight(mira.id),
    withGuest: flight(mira.id, guest),
    shared: flight(mira.id, noor.id, guest),
    foreign: flight(noor.id),
    guestsOnly: flight(guest),
  }
  const count = (table: string) => db.$client.prepare(`select count(*) from ${table}`).pluck().get() as number
  return { mira, noor, flights, count }
}

describe('deleting an account', () => {
  const owned = [
    'sessions',
    'api_keys',
    'shares',
    'trips',
    'visited_countries',
    'preferences',
    'oauth_requests',
    'oauth_grants',
    'oauth_families',
    'oauth_codes',
    'oauth_refresh_tokens',
    'oauth_access_tokens',
  ]

  test('removes sessions, keys, shares, trips, visited countries, preferences, grants and tokens of that user only', async () => {
    const server = await paxlog()
    const { mira, noor, count } = insertBelongings(server)
    const before = owned.map((table) => [table, count(table)])
    expect((await server.as(mira).delete(`/users/${mira.id}`)).status).toBe(204)
    expect(owned.map((table) => [table, count(table)])).toEqual(before.map(([table, n]) => [table, Number(n) - 1]))
    expect((await server.as(noor).get('/users')).status).toBe(200)
    expect(sqliteOf(server.db)?.pragma('foreign_key_check(api_keys)') ?? []).toEqual([])
  })

  test('removes flights without another user, with or without guests, and keeps all others', async () => {
    const server = await paxlog()
    const { mira, flights } = insertBelongings(server)
    await server.as(mira).delete(`/users/${mira.id}`)
    const ids = server.db.$client.prepare('select id from flights order by id').pluck().all()
    expect(ids).toEqual([flights.shared, flights.foreign, flights.guestsOnly])
    const tracks = server.db.$client.prepare('select flight_id from flight_tracks order by flight_id').pluck().all()
    expect(tracks).toEqual(ids)
    const countPassengers = server.db.$client.prepare('select count(*) from passengers where flight_id = ?').pluck()
    expect(countPassengers.get(flights.shared)).toBe(2)
  })

  test('updates the flights that remain without that passenger', async () => {
    const now = Date.UTC(2025, 5, 1)
    const server = await paxlog({ now: () => now })
    const { mira, flights } = insertBelongings(server)
    await server.as(mira).delete(`/users/${mira.id}`)
    const updatedAt = server.db.$client.prepare('select updated_at from flights where id = ?').pluck()
    expect([updatedAt.get(flights.shared), updatedAt.get(flights.foreign)]).toEqual([new Date(now).toISOString(), '[]'])
  })

  test('makes the username available', async () => {
    const server = await paxlog()
    const owner = server.as(server.user({ owner: true }))
    const { id } = server.user({ username: 'mira' })
    await owner.delete(`/users/${id}`)
    expect((await owner.post('/users', { username: 'Mira', password: 'long enough' })).status).toBe(201)
  })
})

describe('an account with a long log', () => {
  const guests = (count: number) => Array.from({ length: count }, (_, index) => ({ guestName: `Guest ${index}` }))

  // Holds the lock of the database file.
  test.skipIf(isPostgres)('does not block reads when it is renamed or deleted', async () => {
    const log = await flightLog()
    const { as, mira, noor, admin, services, dataDir } = log
    const alone = await log.flight({ passengers: [{ userId: mira.id }, ...guests(120)] })
    const shared = await log.flight({ passengers: [{ userId: mira.id }, { userId: noor.id }] })
    const { nextCursor } = (await as(noor).get('/flights/changes')).body.page
    const caller = { ...operator, userId: admin.id, username: admin.username }
    const meanwhile = meanwhileOf(dataDir)
    const expectBothServed = async () => {
      for (const who of [mira, noor]) expect((await as(who).get('/me')).status).toBe(200)
    }

    await meanwhile(() => services.users.update(caller, mira.id, { displayName: 'Mira Moss' }), expectBothServed)
    const renamed = (await as(noor).get(`/flights/${shared.id}`)).body.data
    expect(renamed.passengers[0].user).toMatchObject({ displayName: 'Mira Moss' })

    await meanwhile(() => services.users.remove(caller, mira.id), expectBothServed)
    expect((await as(mira).get('/me')).status).toBe(401)
    expect((await as(admin).get(`/flights/${alone.id}`)).status).toBe(404)
    expect((await as(noor).get(`/flights/${shared.id}`)).body.data.passengers).toHaveLength(1)
    expect((await as(noor).get(`/flights/changes?cursor=${nextCursor}`)).body.data).toMatchObject([
      { flightId: shared.id, kind: 'saved' },
    ])
    const { entries } = services.activity.list(caller, { kind: 'user.deleted', limit: 1 })
    expect(entries).toMatchObject([{ summary: 'The operator deleted the account mira and 1 flight.' }])
  })

  test('is rejected like an account with a short log', async () => {
    const log = await flightLog()
    const { as, mira, noor, admin } = log
    const strong = log.user({ owner: true })
    for (const by of [mira, strong]) await log.flight({ passengers: [{ userId: by.id }, ...guests(120)] }, by)
    expect(outcome(await as(noor).delete(`/users/${mira.id}`))).toEqual([403, 'forbidden'])
    expect(outcome(await as(admin).delete(`/users/${strong.id}`))).toEqual([403, 'forbidden'])
    expect(outcome(await as(admin).put(`/users/${mira.id}`, { username: 'NOOR' }))).toEqual([409, 'conflict'])
    const twice = await Promise.all([1, 2].map(() => as(admin).delete(`/users/${mira.id}`)))
    expect(twice.map(outcome).sort()).toEqual([
      [204, undefined],
      [404, 'not_found'],
    ])
  })
})
