import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { credential, viaPage } from '../../src/access/caller.ts'
import { permissions } from '../../src/access/permissions.ts'
import { scopeNames } from '../../src/access/scopes.ts'
import { browserSession } from '../support/browser-session.ts'
import { isPostgres } from '../support/engine.ts'
import { referenceRows } from '../support/factory.ts'
import { measured } from '../support/measured.ts'
import { oauthClient, pkce } from '../support/oauth-client.ts'
import { otherConnection } from '../support/other-connection.ts'
import { signedIn } from '../support/pages.ts'
import { paxlog } from '../support/paxlog.ts'
import { runNow } from '../support/write-now.ts'
import { mcpClient } from './mcp/support.ts'

/** Twice the busy timeout of a write. */
const MAX_MS = 16_000

async function instance() {
  const app = await signedIn()
  const { airports } = referenceRows(app.db)
  const owner = app.user({ username: 'owen', role: permissions })
  const client = await oauthClient(app)
  const authorizeUrl = `/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: 'https://board.example/cb',
    code_challenge: pkce().challenge,
    code_challenge_method: 'S256',
    resource: 'http://localhost:3000/api/v1',
    scope: 'flight.read.own',
  })}`
  const other = otherConnection(app.dataDir)
  return { ...app, owner, airports, authorizeUrl, other }
}

const flight = (airports: { JFK: number; LHR: number }) => ({
  date: '2024-05-01',
  fromId: airports.JFK,
  toId: airports.LHR,
})

describe('while another program holds the write lock', () => {
  // Holds the lock of the database file.
  test.skipIf(isPostgres)('returns 503 with Retry-After for every write and does not delay reads', async () => {
    const { app, request, as, owner, airports, authorizeUrl, browser, other, services } = await instance()
    const api = as(owner)
    const visitor = browserSession(app)
    const { html } = await visitor.get('/login')
    const csrf = /name="csrf" value="([\w-]+)"/.exec(html)![1]!
    const mcp = mcpClient(request, owner)
    const created = await api.post('/flights', flight(airports))
    const bearer = { authorization: `Bearer ${owner.key}` }
    other.exec('begin immediate')
    const began = performance.now()
    const legacySave = { from: 'KJFK', to: 'EGLL', departure: '2024-05-02', seats: [{ userId: '<USER_ID>' }] }
    const writes = {
      create: api.post('/flights', flight(airports)),
      update: api.put(`/flights/${created.body.data.id}`, flight(airports)),
      track: api.put(`/flights/${created.body.data.id}/track`, {
        sourceFormat: 'gpx',
        coordinates: [
          [0, 0],
          [1, 1],
        ],
      }),
      preferences: api.put('/preferences', { distanceUnit: 'mi' }),
      delete: api.delete(`/airports/${airports.JFK}`),
      legacy: request({ method: 'POST', url: '/api/flight/save', headers: bearer, payload: legacySave }),
      mcp: mcp.call('create_flight', flight(airports)),
      register: request({
        method: 'POST',
        url: '/oauth/register',
        payload: { redirect_uris: ['https://a.example/cb'] },
      }),
      authorize: visitor.get(authorizeUrl),
      'wrong password': visitor.post('/login', { csrf, username: 'mira', password: 'wrong' }),
      'page form': browser.submit('/settings/shares', '/settings/shares', { slug: 'late', show: ['showMap'] }),
    }
    let slowestReads = 0
    for (let round = 0; round < 10; round++) {
      const sent = performance.now()
      const reads = await Promise.all([
        api.get('/flights'),
        request({ url: '/health' }),
        request({ url: '/' }),
        mcp.call('list_flights', {}),
      ])
      expect(reads.map(({ status }) => status)).toEqual([200, 200, 303, 200])
      slowestReads = Math.max(slowestReads, performance.now() - sent)
      expect(slowestReads).toBeLessThan(4_000)
      await wait(20)
    }
    for (const [name, write] of Object.entries(writes)) {
      const { status, headers } = await write
      expect([name, status, headers['retry-after']]).toEqual([name, 503, expect.anything()])
    }
    const tookMs = performance.now() - began
    measured(
      `${Object.keys(writes).length} kinds of writes refused after at most ${(tookMs / 1000).toFixed(1)} s; four reads meanwhile took at most ${Math.round(slowestReads)} ms`,
    )
    expect(tookMs).toBeLessThan(MAX_MS)
    other.exec('rollback')
    expect((await api.post('/flights', flight(airports))).status).toBe(201)
    expect(services.users.owner()?.username).toBe('mira')
  })

  // Holds the lock of the database file.
  test.skipIf(isPostgres)(
    'delays an authorization request and a failed sign-in briefly without failing them',
    async () => {
      const { app, as, owner, authorizeUrl, other } = await instance()
      const visitor = browserSession(app)
      other.exec('begin immediate')
      const answers = Promise.all([visitor.get(authorizeUrl), browserSession(app).signIn('mira', 'not the password')])
      for (let round = 0; round < 5; round++) {
        expect((await as(owner).get('/me')).status).toBe(200)
        await wait(20)
      }
      other.exec('rollback')
      expect((await answers).map(({ status }) => status)).toEqual([303, 400])
    },
  )

  // Holds the lock of the database file.
  test.skipIf(isPostgres)('rejects a waiting write when its permission is revoked', async () => {
    const { as, user, other, request } = await instance()
    const clerk = user({ role: permissions })
    const custom = { icao: 'XXAA', name: 'Grass', latitude: 1, longitude: 1, timezone: 'Etc/UTC', country: 'CH' }
    const airport = await as(clerk).post('/airports', {
      ...custom,
      iata: null,
      municipality: null,
      type: 'small_airport',
      continent: 'EU',
    })
    expect(airport.status).toBe(201)
    other.exec('begin immediate')
    const answers = Promise.all([
      as(clerk).delete(`/airports/${airport.body.data.id}`),
      mcpClient(request, clerk).call('delete_airport', { id: airport.body.data.id }),
    ])
    await wait(50)
    other.exec(`update users set role_id = 'role-user' where id = '${clerk.id}'; commit`)
    expect((await answers).map(({ status }) => status)).toEqual([403, 200])
  })
})

describe('an authorized write', () => {
  test('is rejected inside its transaction when the role has changed', async () => {
    const { services, user, as, db } = await paxlog()
    const clerk = user({ role: permissions })
    const { airports, airlines } = services.reference
    const caller = {
      userId: clerk.id,
      username: clerk.username,
      displayName: clerk.username,
      role: null,
      isOwner: false,
      permissions: new Set(permissions),
      credential: credential('session', 'session', scopeNames),
      via: viaPage(null),
    }
    const api = as(clerk)
    const airline = { name: 'Grass Air', icao: null, iata: null }
    const one = await airlines.create(caller, airline)
    const two = await airlines.create(caller, { ...airline, name: 'Meadow Air' })
    const field = await api.post('/custom-fields', {
      entityType: 'flight',
      key: 'mood',
      label: 'Mood',
      fieldType: 'text',
    })
    expect(field.status).toBe(201)
    runNow(db, "update users set role_id = 'role-user' where id = ?", clerk.id)
    const lateWrites: Record<string, () => unknown> = {
      update: () => airlines.update(caller, one.id, airline),
      merge: () => airlines.merge(caller, one.id, two.id),
      remove: () => airlines.remove(caller, one.id),
      create: () => airlines.create(caller, { ...airline, name: 'Late Air' }),
      'remove airport': () => airports.remove(caller, 1),
      'change field': () => services.customFields.update(caller, field.body.data.id, { ...field.body.data }),
      'remove field': () => services.customFields.remove(caller, field.body.data.id),
    }
    for (const [name, work] of Object.entries(lateWrites)) {
      await expect(async () => work(), name).rejects.toThrow('Your role does not permit this')
    }
  })
})
