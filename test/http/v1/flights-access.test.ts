import { describe, expect, test } from 'vitest'
import type { Permission } from '../../../src/access/permissions.ts'
import { scopeNames } from '../../../src/access/scopes.ts'
import { type FlightLog, flightLog } from '../../support/flight-log.ts'
import type { Answer, TestUser } from '../../support/paxlog.ts'
import { runNow } from '../../support/write-now.ts'

const track = {
  coordinates: [
    [1, 2],
    [3, 4],
  ],
  sourceFormat: 'gpx',
}

type Action = 'read' | 'update' | 'delete'

interface Call {
  action: Action
  fixed: string[]
  success: number
  send: (log: FlightLog, who: TestUser | string, id: number) => Promise<Answer>
}

const calls: Record<string, Call> = {
  get: {
    action: 'read',
    fixed: ['flight.read.own'],
    success: 200,
    send: (log, who, id) => log.as(who).get(`/flights/${id}`),
  },
  update: {
    action: 'update',
    fixed: ['flight.update.own'],
    success: 200,
    send: (log, who, id) => log.as(who).put(`/flights/${id}`, log.plain),
  },
  delete: {
    action: 'delete',
    fixed: ['flight.delete.own'],
    success: 204,
    send: (log, who, id) => log.as(who).delete(`/flights/${id}`),
  },
  'get track': {
    action: 'read',
    fixed: ['tracks.read', 'flight.read.own'],
    success: 200,
    send: (log, who, id) => log.as(who).get(`/flights/${id}/track`),
  },
  'put track': {
    action: 'update',
    fixed: ['tracks.write', 'flight.update.own'],
    success: 200,
    send: (log, who, id) => log.as(who).put(`/flights/${id}/track`, track),
  },
  'delete track': {
    action: 'update',
    fixed: ['tracks.write', 'flight.update.own'],
    success: 204,
    send: (log, who, id) => log.as(who).delete(`/flights/${id}/track`),
  },
}

const relations = ['own', 'shared', 'of another', 'guests only', 'missing'] as const

/** A new flight with this relation to the user, and whether the user is a passenger. */
async function createRelated(log: FlightLog, who: TestUser, relation: (typeof relations)[number]) {
  const { flight, admin, noor } = log
  const passengers = {
    own: [{ userId: who.id }],
    shared: [{ guestName: 'Ann' }, { userId: noor.id }, { userId: who.id }],
    'of another': [{ userId: noor.id }, { guestName: who.username }],
    'guests only': [{ guestName: 'Ann' }],
    missing: [],
  }[relation]
  const id = relation === 'missing' ? 424242 : (await flight({ passengers }, admin)).id
  return { id, isPassenger: relation === 'own' || relation === 'shared' }
}

const roles: Record<string, Permission[]> = {
  nothing: [],
  'read own': ['flight.read.own'],
  'read any': ['flight.read.any'],
  'update own': ['flight.update.own'],
  'update any': ['flight.update.any'],
  'delete own': ['flight.delete.own'],
  'delete any': ['flight.delete.any'],
  'read own, update any': ['flight.read.own', 'flight.update.any'],
  'read any, update own': ['flight.read.any', 'flight.update.own'],
  'read any, delete own': ['flight.read.any', 'flight.delete.own'],
  'all own': ['flight.read.own', 'flight.update.own', 'flight.delete.own'],
  'all any': ['flight.read.any', 'flight.update.any', 'flight.delete.any'],
  'no flights': ['users.directory.read', 'flight.create.any', 'flight.export.any'],
}

describe('visibility of a flight (contract 1.4)', () => {
  test.each(Object.keys(roles))('follows the rules for every call on every flight with the role "%s"', async (name) => {
    const log = await flightLog()
    const granted = new Set<string>(roles[name])
    const who = log.user({ role: roles[name]! })
    const permits = (action: Action, isPassenger: boolean) =>
      granted.has(`flight.${action}.any`) || (isPassenger && granted.has(`flight.${action}.own`))
    for (const [title, { action, send, success }] of Object.entries(calls)) {
      for (const relation of relations) {
        const { id, isPassenger } = await createRelated(log, who, relation)
        const visible = relation !== 'missing' && (permits(action, isPassenger) || permits('read', isPassenger))
        const status = !visible ? 404 : permits(action, isPassenger) ? success : 403
        const answer = await send(log, who, id)
        expect(answer.status, `${title} ${relation}: ${answer.text}`).toBe(status)
        if (status === 404)
          expect(answer.body.error).toEqual({ code: 'not_found', message: 'This flight does not exist.' })
        if (status === 403) expect(answer.body.error.code).toBe('forbidden')
        expect(answer.headers['www-authenticate']).toBeUndefined()
      }
    }
  })

  test('allows the owner every call on every flight', async () => {
    const log = await flightLog()
    const who = log.user({ owner: true })
    for (const { send, success } of Object.values(calls)) {
      for (const relation of relations.slice(0, -1)) {
        expect((await send(log, who, (await createRelated(log, who, relation)).id)).status).toBe(success)
      }
    }
  })

  test('applies a changed role to the next request', async () => {
    const { as, user, db, flight } = await flightLog()
    const who = user({ role: ['flight.read.own', 'flight.create.own'] })
    const { id } = await flight({}, who)
    const setPermissions = (permissions: string[]) =>
      runNow(
        db,
        'update roles set permissions = ? where id = (select role_id from users where id = ?)',
        JSON.stringify(permissions),
        who.id,
      )
    setPermissions([])
    expect((await as(who).get(`/flights/${id}`)).status).toBe(404)
    setPermissions(['flight.read.own'])
    expect((await as(who).get(`/flights/${id}`)).status).toBe(200)
  })
})

const challenge = (scopes: string[], missing: string[]) =>
  `Bearer resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/api/v1", scope="${scopes.join(' ')}", error="insufficient_scope", error_description="This call also needs ${
    missing.length === 1 ? `the scope ${missing[0]}` : `the scopes ${missing.join(', ')}`
  }."`

describe('scopes of the calls on a flight', () => {
  test.each(Object.keys(calls))('%s requires each of its scopes and names all of them', async (title) => {
    const log = await flightLog()
    const { action, fixed, send } = calls[title]!
    const { id: own } = await createRelated(log, log.mira, 'own')
    for (const scope of fixed) {
      const wider = scope.replace('.own', '.any')
      const answer = await send(
        log,
        log.key(
          log.mira.id,
          scopeNames.filter((each) => each !== scope && each !== wider),
        ),
        own,
      )
      expect(answer.status).toBe(403)
      expect(answer.headers['www-authenticate']).toBe(challenge(fixed, [scope]))
    }
    const any = `flight.${action}.any`
    const narrow = log.key(
      log.admin.id,
      scopeNames.filter((each) => each !== any),
    )
    const { id: other } = await createRelated(log, log.admin, 'of another')
    const answer = await send(log, narrow, other)
    expect(answer.status).toBe(403)
    expect(answer.headers['www-authenticate']).toBe(challenge([...fixed, any], [any]))
    expect(answer.body.error).toEqual({ code: 'insufficient_scope', message: `This call also needs the scope ${any}.` })
  })

  test.each(Object.keys(calls))("%s with the any scope covers the user's own flights", async (title) => {
    const log = await flightLog()
    const { action, fixed, send, success } = calls[title]!
    const scopes = fixed.map((scope) => scope.replace(`flight.${action}.own`, `flight.${action}.any`))
    for (const relation of ['own', 'of another'] as const) {
      const { id } = await createRelated(log, log.admin, relation)
      expect((await send(log, log.key(log.admin.id, scopes), id)).status).toBe(success)
    }
  })

  test.each(Object.keys(calls))(
    '%s reports a missing fixed scope before 404 and a missing conditional scope after it',
    async (title) => {
      const log = await flightLog()
      const { action, fixed, send } = calls[title]!
      const none = log.key(log.mira.id, ['profile.read'])
      for (const relation of ['own', 'of another', 'missing'] as const) {
        const { id } = await createRelated(log, log.mira, relation)
        const answer = await send(log, none, id)
        expect([answer.status, answer.headers['www-authenticate']]).toEqual([403, challenge(fixed, fixed)])
      }
      const narrow = log.key(
        log.mira.id,
        scopeNames.filter((each) => each !== `flight.${action}.any`),
      )
      expect((await send(log, narrow, (await createRelated(log, log.mira, 'of another')).id)).status).toBe(404)
    },
  )

  test('reports a missing scope before a missing permission', async () => {
    const log = await flightLog()
    const reader = log.user({ role: ['flight.read.any'], scopes: ['flight.read.own', 'flight.update.own'] })
    const { id } = await createRelated(log, reader, 'of another')
    const answer = await log.as(reader).put(`/flights/${id}`, { ...log.plain, track: null })
    expect(answer.headers['www-authenticate']).toBe(
      challenge(['flight.update.own', 'flight.update.any', 'tracks.write'], ['flight.update.any', 'tracks.write']),
    )
  })
})

describe('conditional scopes of writes', () => {
  const all = ['flight.update.own', 'flight.update.any', 'flight.passengers.manage.any', 'tracks.write']

  test("include all scopes in order for an update of another user's flight with passengers and a track", async () => {
    const log = await flightLog()
    const { id } = await createRelated(log, log.admin, 'of another')
    const body = { ...log.plain, passengers: [{ guestName: 'Cy' }], track }
    for (const scope of all.slice(1)) {
      const answer = await log
        .as(
          log.key(
            log.admin.id,
            all.filter((each) => each !== scope),
          ),
        )
        .put(`/flights/${id}`, body)
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([403, challenge(all, [scope])])
    }
    expect((await log.as(log.key(log.admin.id, all)).put(`/flights/${id}`, body)).status).toBe(200)
  })

  test('depend on the passengers of the stored flight, not of the request', async () => {
    const log = await flightLog()
    const { id } = await createRelated(log, log.mira, 'own')
    const leaving = { ...log.plain, passengers: [{ userId: log.noor.id }] }
    const narrow = log.key(log.mira.id, ['flight.update.own', 'flight.passengers.manage.own'])
    expect((await log.as(narrow).put(`/flights/${id}`, leaving)).status).toBe(200)
    const joining = { ...log.plain, passengers: [{ userId: log.admin.id }] }
    const key = log.key(log.admin.id, ['flight.update.own', 'flight.passengers.manage.own'])
    expect((await log.as(key).put(`/flights/${id}`, joining)).headers['www-authenticate']).toBe(
      challenge(all.slice(0, 3), all.slice(1, 3)),
    )
  })

  test('depend on passengers and track for a new flight', async () => {
    const { as, key, admin, noor, plain } = await flightLog()
    const me = { userId: admin.id }
    const [ann, other] = [{ guestName: 'Ann' }, { userId: noor.id }]
    const create = 'flight.create.own'
    const cases: [body: object, scopes: string[]][] = [
      [{}, [create]],
      [{ passengers: [me] }, [create]],
      [{ passengers: [me, ann] }, [create, 'flight.passengers.manage.own']],
      [{ passengers: [other, me] }, [create, 'flight.passengers.manage.own']],
      [{ passengers: [other] }, [create, 'flight.create.any']],
      [{ passengers: [ann] }, [create, 'flight.create.any']],
      [{ passengers: [ann, other] }, [create, 'flight.create.any', 'flight.passengers.manage.any']],
      [{ track: null }, [create, 'tracks.write']],
      [{ track }, [create, 'tracks.write']],
      [{ passengers: [me, ann], track }, [create, 'flight.passengers.manage.own', 'tracks.write']],
      [
        { passengers: [ann, other], track: null },
        [create, 'flight.create.any', 'flight.passengers.manage.any', 'tracks.write'],
      ],
    ]
    for (const [body, scopes] of cases) {
      expect(
        (await as(key(admin.id, scopes)).post('/flights', { ...plain, ...body })).status,
        JSON.stringify(body),
      ).toBe(201)
      for (const scope of scopes.slice(1)) {
        const answer = await as(
          key(
            admin.id,
            scopes.filter((each) => each !== scope),
          ),
        ).post('/flights', { ...plain, ...body })
        expect([answer.status, answer.headers['www-authenticate']]).toEqual([403, challenge(scopes, [scope])])
      }
      const nothing = await as(key(admin.id, [])).post('/flights', { ...plain, ...body })
      expect([nothing.status, nothing.headers['www-authenticate']]).toEqual([403, challenge([create], [create])])
    }
  })

  test('return 403 instead of 404 for a new flight without the permission', async () => {
    const { as, user, plain, noor } = await flightLog()
    const reader = user({ role: ['flight.read.any'] })
    const traveller = user({ role: ['flight.create.own'] })
    const rejected: [TestUser, object][] = [
      [reader, {}],
      [traveller, { passengers: [{ userId: noor.id }] }],
      [traveller, { passengers: [{ userId: traveller.id }, { guestName: 'Ann' }] }],
      [traveller, { track: null }],
    ]
    for (const [who, body] of rejected) {
      const answer = await as(who).post('/flights', { ...plain, ...body })
      expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden'])
      expect(answer.headers['www-authenticate']).toBeUndefined()
    }
    expect((await as(traveller).post('/flights', plain)).status).toBe(201)
  })

  test('are checked after body validation and before validation against stored data', async () => {
    const { as, key, mira, plain } = await flightLog()
    const narrow = as(key(mira.id, ['flight.create.own']))
    expect((await narrow.post('/flights', { ...plain, date: 'x', track: null })).status).toBe(422)
    expect((await narrow.post('/flights', { ...plain, fromId: 99_999, track: null })).status).toBe(403)
    expect((await narrow.post('/flights', { ...plain, fromId: 99_999 })).status).toBe(422)
  })
})
