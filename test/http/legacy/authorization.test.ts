import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Permission, permissions } from '../../../src/access/permissions.ts'
import { scopeNames } from '../../../src/access/scopes.ts'
import type { Answer, TestUser } from '../../support/paxlog.ts'
import { runNow } from '../../support/write-now.ts'
import { legacyServer, type Server, zurichToLisbon } from './support.ts'

let server: Server
let owner: TestUser
let other: TestUser
let airports: { fromId: number; toId: number }
beforeAll(async () => {
  server = await legacyServer()
  owner = server.user({ owner: true, username: 'theowner' })
  other = server.user({ username: 'other' })
  const { fromId, toId } = await server.legacyAs(owner).saveAndGet(zurichToLisbon)
  airports = { fromId, toId }
})
afterAll(() => server.close())

const track = { coordinates: [[8.5, 47.4], [-9.1, 38.7]], sourceFormat: 'gpx' } // biome-ignore format: two points

/** Creates a flight as the owner, with these passengers. */
async function flightOf(...userIds: string[]): Promise<number> {
  const passengers = userIds.map((userId) => ({ userId }))
  const { body } = await server.legacyAs(owner).save({ ...zurichToLisbon, passengers })
  return body.id
}

interface Call {
  v1: [method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object]
  legacy: [method: 'get' | 'post', path: string, body?: object]
}

type PrepareCall = (me: TestUser) => Call | Promise<Call>

const v1Body = (more: object) => ({ date: '2025-05-03', ...airports, ...more })
const people = (...userIds: string[]) => userIds.map((userId) => ({ userId }))

const readFlights =
  (query: string): PrepareCall =>
  () => ({ v1: ['get', `/flights${query}`], legacy: ['get', `/flight/list${query}`] })

const createFlight =
  (more: (me: TestUser) => { passengers: object[]; track?: unknown }): PrepareCall =>
  (me) => {
    const sent = more(me)
    return {
      v1: ['post', '/flights', v1Body(sent)],
      legacy: ['post', '/flight/save', { ...zurichToLisbon, ...sent }],
    }
  }

const updateFlight =
  (
    make: (me: TestUser) => Promise<number>,
    more: (me: TestUser) => { passengers: object[]; track?: unknown },
  ): PrepareCall =>
  async (me) => {
    const [id, sent] = [await make(me), more(me)]
    return {
      v1: ['put', `/flights/${id}`, v1Body(sent)],
      legacy: ['post', '/flight/save', { ...zurichToLisbon, ...sent, id }],
    }
  }

const ownFlight = (me: TestUser) => flightOf(me.id)
const otherFlight = () => flightOf(other.id)
const missing = async () => 999_999

/** Each call as a v1 operation and in its legacy form. */
const calls: Record<string, PrepareCall> = {
  'list mine': readFlights(''),
  'list all': readFlights('?scope=all'),
  'list of another user': () => readFlights(`?scope=user&userId=${other.id}`)(other),
  'get mine': async (me) => {
    const id = await ownFlight(me)
    return { v1: ['get', `/flights/${id}`], legacy: ['get', `/flight/get/${id}`] }
  },
  'get another': async () => {
    const id = await otherFlight()
    return { v1: ['get', `/flights/${id}`], legacy: ['get', `/flight/get/${id}`] }
  },
  'get none': () => ({ v1: ['get', '/flights/999999'], legacy: ['get', '/flight/get/999999'] }),
  'create mine': createFlight((me) => ({ passengers: people(me.id) })),
  'create with another': createFlight((me) => ({ passengers: people(me.id, other.id) })),
  'create for another': createFlight(() => ({ passengers: people(other.id) })),
  'create for two others': createFlight(() => ({ passengers: people(other.id, owner.id) })),
  'create with a track': createFlight((me) => ({ passengers: people(me.id), track })),
  'create without a track by name': createFlight((me) => ({ passengers: people(me.id), track: null })),
  'update mine': updateFlight(ownFlight, (me) => ({ passengers: people(me.id) })),
  'update my passengers': updateFlight(ownFlight, (me) => ({ passengers: people(me.id, other.id) })),
  'update my track': updateFlight(ownFlight, (me) => ({ passengers: people(me.id), track })),
  'update another': updateFlight(otherFlight, () => ({ passengers: people(other.id) })),
  'update passengers of another': updateFlight(otherFlight, (me) => ({ passengers: people(me.id) })),
  'update none': updateFlight(missing, (me) => ({ passengers: people(me.id) })),
  'delete mine': async (me) => {
    const id = await ownFlight(me)
    return { v1: ['delete', `/flights/${id}`], legacy: ['post', '/flight/delete', { id }] }
  },
  'delete another': async () => {
    const id = await otherFlight()
    return { v1: ['delete', `/flights/${id}`], legacy: ['post', '/flight/delete', { id }] }
  },
  'delete none': () => ({ v1: ['delete', '/flights/999999'], legacy: ['post', '/flight/delete', { id: 999_999 }] }),
  'export mine': () => ({ v1: ['get', '/flights/export'], legacy: ['get', '/flight/export'] }),
  'export all': () => ({ v1: ['get', '/flights/export?scope=all'], legacy: ['get', '/flight/export?scope=all'] }),
  'statistics of mine': () => ({ v1: ['get', '/stats'], legacy: ['get', '/stats'] }),
  'statistics of all': () => ({ v1: ['get', '/stats?scope=all'], legacy: ['get', '/stats?scope=all'] }),
}

const OWN: Permission[] = permissions.filter((name) => name.endsWith('.own'))
const ANY: Permission[] = permissions.filter((name) => name.endsWith('.any'))
const startingWith = (...words: string[]) => permissions.filter((name) => words.some((word) => name.startsWith(word)))

const roles: Record<string, readonly Permission[]> = {
  'no permission': [],
  'all own permissions': OWN,
  'all any permissions': ANY,
  'reading own': ['flight.read.own'],
  'reading any': ['flight.read.any'],
  'changing own': OWN.filter((name) => !name.startsWith('flight.read')),
  'changing any': ANY.filter((name) => !name.startsWith('flight.read')),
  'reading any and changing own': [...startingWith('flight.read'), ...OWN],
  'all but managing passengers': permissions.filter((name) => !name.startsWith('flight.passengers')),
}

const credentials: Record<string, readonly string[]> = {
  'all scopes': scopeNames,
  'own scopes': scopeNames.filter((name) => !name.endsWith('.any')),
  'no flight scope': ['profile.read'],
  'reading scopes': scopeNames.filter((name) => /read/.test(name)),
  'all but tracks': scopeNames.filter((name) => !name.startsWith('tracks')),
  'all but managing passengers': scopeNames.filter((name) => !name.startsWith('flight.passengers')),
  'all but statistics': scopeNames.filter((name) => !name.startsWith('stats')),
}

/** Both APIs must agree on the outcome and on the challenge of an error. */
const outcome = ({ status, headers }: Answer) => [status < 300 ? 'good' : status, headers['www-authenticate']]

async function both(me: TestUser, prepare: PrepareCall) {
  const answers: unknown[] = []
  for (const surface of ['v1', 'legacy'] as const) {
    // Each API uses a new flight, since the first call may change or delete it.
    const [method, path, body] = (await prepare(me))[surface] as [string, string, object?]
    const caller = surface === 'v1' ? server.as(me) : server.legacyAs(me)
    const send = caller[method as 'get'] as (path: string, body?: object) => Promise<Answer>
    answers.push(outcome(await send(path, body)))
  }
  return answers
}

describe('the outcome and the challenge of every call match v1', () => {
  test.each(Object.entries(roles))('for a role with %s and keys with any scopes', async (_, granted) => {
    const seen = new Set<unknown>()
    const roleId = server.role(granted)
    for (const [name, scopes] of Object.entries(credentials)) {
      const me = server.user({ role: roleId, scopes })
      // Otherwise lists of all flights grow with every call.
      runNow(server.db, 'delete from flights')
      for (const [callName, prepare] of Object.entries(calls)) {
        const [v1Outcome, legacyOutcome] = (await both(me, prepare)) as [unknown[], unknown[]]
        seen.add(legacyOutcome[0])
        expect({ name, callName, outcome: legacyOutcome }).toEqual({ name, callName, outcome: v1Outcome })
      }
    }
    // The comparison proves nothing if every call has the same outcome.
    expect(seen.size).toBeGreaterThan(1)
  })

  test('for the owner', async () => {
    for (const [callName, prepare] of Object.entries(calls)) {
      const [v1Outcome, legacyOutcome] = await both(owner, prepare)
      expect([callName, legacyOutcome]).toEqual([callName, v1Outcome])
      expect([callName, legacyOutcome]).toEqual([callName, [callName.endsWith('none') ? 404 : 'good', undefined]])
    }
  })
})

describe('expected outcomes', () => {
  const statusOf = async (me: TestUser, prepare: PrepareCall) => {
    const [method, path, body] = (await prepare(me)).legacy
    return (await server.legacyAs(me)[method](path, body)).status
  }
  const own = 'flight.read.own'
  const table: [callName: string, role: readonly Permission[], scopes: readonly string[], status: number][] = [
    ['list mine', [own], [own], 200],
    ['list mine', [own], ['profile.read'], 403],
    ['list mine', [], [own], 403],
    ['list all', [own], scopeNames, 403],
    ['list all', ['flight.read.any'], [own], 403],
    ['list all', ['flight.read.any'], ['flight.read.any'], 200],
    ['get mine', [own], [own], 200],
    ['get another', [own], scopeNames, 404],
    ['get another', ['flight.read.any'], [own], 403],
    ['get another', ['flight.read.any'], ['flight.read.any'], 200],
    ['create mine', ['flight.create.own'], ['flight.create.own'], 200],
    ['create mine', [], scopeNames, 403],
    ['create with another', ['flight.create.own'], scopeNames, 403],
    ['create for another', ['flight.create.own'], scopeNames, 403],
    ['create for another', ['flight.create.any'], ['flight.create.any'], 200],
    ['create with a track', ['flight.create.own', 'flight.update.own'], ['flight.create.own'], 403],
    ['create with a track', ['flight.create.own', 'flight.update.own'], ['flight.create.own', 'tracks.write'], 200],
    ['update mine', ['flight.update.own'], ['flight.update.own'], 200],
    ['update mine', [own], scopeNames, 403],
    ['update mine', [], scopeNames, 404],
    ['update another', ['flight.update.own', 'flight.read.any'], scopeNames, 403],
    ['update another', ['flight.update.own'], scopeNames, 404],
    ['update my passengers', ['flight.update.own'], scopeNames, 403],
    ['delete mine', ['flight.delete.own'], ['flight.delete.own'], 200],
    ['delete mine', [own], scopeNames, 403],
    ['delete another', ['flight.delete.own'], scopeNames, 404],
    ['delete another', ['flight.delete.any'], ['flight.delete.any'], 200],
    ['delete none', [], ['profile.read'], 403],
    ['delete none', [], ['flight.delete.own'], 404],
    ['export mine', ['flight.export.own'], ['flight.export.own'], 200],
    ['export mine', [own], scopeNames, 403],
    ['export all', ['flight.export.own'], scopeNames, 403],
    ['statistics of mine', [own], ['stats.read', own], 200],
    ['statistics of mine', [own], ['stats.read'], 403],
    ['statistics of mine', [own], [own], 403],
    ['statistics of all', [own], scopeNames, 403],
  ]
  test.each(table)('%s, role %j, key %j: %i', async (callName, role, scopes, status) => {
    expect(await statusOf(server.user({ role, scopes }), calls[callName]!)).toBe(status)
  })

  test.each([
    ['/flight/list', 'flight.read'],
    ['/flight/export', 'flight.export'],
    ['/stats', 'flight.read'],
  ])('%s with scope=user requires the any scope and permission even for your own id', async (path, right) => {
    const role: Permission[] = ['flight.read.own', 'flight.export.own']
    const me = server.user({ role })
    const query = `${path}?scope=user&userId=${me.id}`
    expect((await server.legacyAs(me).get(query)).status).toBe(403)
    const wide = server.user({ role: ANY, scopes: ['stats.read', 'flight.read.own', 'flight.export.own'] })
    const rejected = await server.legacyAs(wide).get(`${path}?scope=user&userId=${wide.id}`)
    expect(rejected.status).toBe(403)
    expect(rejected.headers['www-authenticate']).toContain(`${right}.any", error="insufficient_scope"`)
    const both = server.user({ role: ANY, scopes: ['stats.read', 'flight.read.any', 'flight.export.any'] })
    expect((await server.legacyAs(both).get(`${path}?scope=user&userId=${both.id}`)).status).toBe(200)
    expect((await server.legacyAs(both).get(`${path}?scope=user&userId=nosuchuser`)).status).toBe(200)
  })

  test('returns identical responses for a hidden flight and a missing one', async () => {
    const id = await otherFlight()
    const me = server.legacyAs(server.user())
    expect((await me.get(`/flight/get/${id}`)).text).toBe((await me.get('/flight/get/999999')).text)
    const [save, gone] = [
      { ...zurichToLisbon, id },
      { ...zurichToLisbon, id: 999_999 },
    ]
    expect((await me.save(save)).text).toBe((await me.save(gone)).text)
    const [one, none] = [await me.post('/flight/delete', { id }), await me.post('/flight/delete', { id: 999_999 })]
    expect([one.status, one.text]).toEqual([404, none.text])
  })

  test('rejects missing permissions before it checks codes and passengers', async () => {
    const narrow = server.legacyAs(server.user({ scopes: ['flight.create.own', 'flight.update.own'] }))
    const bad = { from: 'XXXX', passengers: [{ userId: '<USER_ID>' }, { userId: 'nobody' }] }
    expect((await narrow.save({ ...zurichToLisbon, ...bad })).status).toBe(403)
    expect((await narrow.save({ ...zurichToLisbon, ...bad, id: await otherFlight() })).status).toBe(404)
  })

  test('applies a deleted key and a changed role to the next request', async () => {
    const role = server.role(['flight.read.own'])
    const me = server.user({ role })
    expect((await server.legacyAs(me).get('/flight/list')).status).toBe(200)
    runNow(server.db, "update roles set permissions = '[]' where id = ?", role)
    expect((await server.legacyAs(me).get('/flight/list')).status).toBe(403)
    runNow(server.db, 'delete from api_keys where user_id = ?', me.id)
    expect((await server.legacyAs(me).get('/flight/list')).status).toBe(401)
  })
})
