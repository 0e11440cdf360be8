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

/** A fresh flight in this relation to the user, and whether the user is on it. */
async function related(log: FlightLog, who: TestUser, relation: (typeof relations)[number]) {
  const { flight, admin, noor } = log
  const passengers = {
    own: [{ userId: who.id }],
    shared: [{ guestName: 'Ann' }, { userId: noor.id }, { userId: who.id }],
    'of another': [{ userId: noor.id }, { guestName: who.username }],
    'guests only': [{ guestName: 'Ann' }],
    missing: [],
  }[relation]
  const id = relation === 'missing' ? 424242 : (await flight({ passengers }, admin)).id
  return { id, aboard: relation === 'own' || relation === 'shared' }
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
  test.each(Object.keys(roles))(
    'with the role "%s" each call on each flight answers as the rules say',
    async (name) => {
      const log = await flightLog()
      const held = new Set<string>(roles[name])
      const who = log.user({ role: roles[name]! })
      const permits = (action: Action, aboard: boolean) =>
        held.has(`flight.${action}.any`) || (aboard && held.has(`flight.${action}.own`))
      for (const [title, { action, send, success }] of Object.entries(calls)) {
        for (const relation of relations) {
          const { id, aboard } = await related(log, who, relation)
          const visible = relation !== 'missing' && (permits(action, aboard) || permits('read', aboard))
          const status = !visible ? 404 : permits(action, aboard) ? success : 403
          const answer = await send(log, who, id)
          expect(answer.status, `${title} ${relation}: ${answer.text}`).toBe(status)
          if (status === 404)
            expect(answer.body.error).toEqual({ code: 'not_found', message: 'This flight does not exist.' })
          if (status === 403) expect(answer.body.error.code).toBe('forbidden')
          expect(answer.headers['www-authenticate']).toBeUndefined()
        }
      }
    },
  )

  test('the owner may do everything to every flight', async () => {
    const log = await flightLog()
    const who = log.user({ owner: true })
    for (const { send, success } of Object.values(calls)) {
      for (const relation of relations.slice(0, -1)) {
        expect((await send(log, who, (await related(log, who, relation)).id)).status).toBe(success)
      }
    }
  })

  test('a role that changes counts on the next request', async () => {
    const { as, user, db, flight } = await flightLog()
    const who = user({ role: ['flight.read.own', 'flight.create.own'] })
    const { id } = await flight({}, who)
    const hold = (permissions: string[]) =>
      runNow(
        db,
        'update roles set permissions = ? where id = (select role_id from users where id = ?)',
        JSON.stringify(permissions),
        who.id,
      )
    hold([])
    expect((await as(who).get(`/flights/${id}`)).status).toBe(404)
    hold(['flight.read.own'])
    expect((await as(who).get(`/flights/${id}`)).status).toBe(200)
  })
})

const challenge = (scopes: string[], missing: string[]) =>
  `Bearer resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/api/v1", scope="${scopes.join(' ')}", error="insufficient_scope", error_description="This call also needs ${
    missing.length === 1 ? `the scope ${missing[0]}` : `the scopes ${missing.join(', ')}`
  }."`

describe('scopes of the calls on a flight', () => {
  test.each(Object.keys(calls))('%s needs each of its scopes, and names all that the call needs', async (title) => {
    const log = await flightLog()
    const { action, fixed, send } = calls[title]!
    const { id: own } = await related(log, log.mira, 'own')
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
    const { id: other } = await related(log, log.admin, 'of another')
    const answer = await send(log, narrow, other)
    expect(answer.status).toBe(403)
    expect(answer.headers['www-authenticate']).toBe(challenge([...fixed, any], [any]))
    expect(answer.body.error).toEqual({ code: 'insufficient_scope', message: `This call also needs the scope ${any}.` })
  })

  test.each(Object.keys(calls))('%s with the any scope covers own flights', async (title) => {
    const log = await flightLog()
    const { action, fixed, send, success } = calls[title]!
    const scopes = fixed.map((scope) => scope.replace(`flight.${action}.own`, `flight.${action}.any`))
    for (const relation of ['own', 'of another'] as const) {
      const { id } = await related(log, log.admin, relation)
      expect((await send(log, log.key(log.admin.id, scopes), id)).status).toBe(success)
    }
  })

  test.each(Object.keys(calls))(
    '%s: a missing fixed scope comes before 404, a missing conditional one after it',
    async (title) => {
      const log = await flightLog()
      const { action, fixed, send } = calls[title]!
      const none = log.key(log.mira.id, ['profile.read'])
      for (const relation of ['own', 'of another', 'missing'] as const) {
        const { id } = await related(log, log.mira, relation)
        const answer = await send(log, none, id)
        expect([answer.status, answer.headers['www-authenticate']]).toEqual([403, challenge(fixed, fixed)])
      }
      const narrow = log.key(
        log.mira.id,
        scopeNames.filter((each) => each !== `flight.${action}.any`),
      )
      expect((await send(log, narrow, (await related(log, log.mira, 'of another')).id)).status).toBe(404)
    },
  )

  test('a missing scope and a missing permission together are a missing scope', async () => {
    const log = await flightLog()
    const reader = log.user({ role: ['flight.read.any'], scopes: ['flight.read.own', 'flight.update.own'] })
    const { id } = await related(log, reader, 'of another')
    const answer = await log.as(reader).put(`/flights/${id}`, { ...log.plain, track: null })
    expect(answer.headers['www-authenticate']).toBe(
      challenge(['flight.update.own', 'flight.update.any', 'tracks.write'], ['flight.update.any', 'tracks.write']),
    )
  })
})

describe('conditional scopes of writing', () => {
  const all = ['flight.update.own', 'flight.update.any', 'flight.passengers.manage.any', 'tracks.write']

  test('an update of a flight of others, with passengers and a track, names all of them in order', async () => {
    const log = await flightLog()
    const { id } = await related(log, log.admin, 'of another')
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

  test('ownership is judged by the stored flight, not by the one to come', async () => {
    const log = await flightLog()
    const { id } = await related(log, log.mira, 'own')
    const leaving = { ...log.plain, passengers: [{ userId: log.noor.id }] }
    const narrow = log.key(log.mira.id, ['flight.update.own', 'flight.passengers.manage.own'])
    expect((await log.as(narrow).put(`/flights/${id}`, leaving)).status).toBe(200)
    const joining = { ...log.plain, passengers: [{ userId: log.admin.id }] }
    const key = log.key(log.admin.id, ['flight.update.own', 'flight.passengers.manage.own'])
    expect((await log.as(key).put(`/flights/${id}`, joining)).headers['www-authenticate']).toBe(
      challenge(all.slice(0, 3), all.slice(1, 3)),
    )
  })

  test('creating needs what its passengers and its track ask for', async () => {
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

  test('creating without the permission is forbidden, not hidden', async () => {
    const { as, user, plain, noor } = await flightLog()
    const reader = user({ role: ['flight.read.any'] })
    const traveller = user({ role: ['flight.create.own'] })
    const refused: [TestUser, object][] = [
      [reader, {}],
      [traveller, { passengers: [{ userId: noor.id }] }],
      [traveller, { passengers: [{ userId: traveller.id }, { guestName: 'Ann' }] }],
      [traveller, { track: null }],
    ]
    for (const [who, body] of refused) {
      const answer = await as(who).post('/flights', { ...plain, ...body })
      expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden'])
      expect(answer.headers['www-authenticate']).toBeUndefined()
    }
    expect((await as(traveller).post('/flights', plain)).status).toBe(201)
  })

  test('faults of the body come before scopes, faults against stored data after them', async () => {
    const { as, key, mira, plain } = await flightLog()
    const narrow = as(key(mira.id, ['flight.create.own']))
    expect((await narrow.post('/flights', { ...plain, date: 'x', track: null })).status).toBe(422)
    expect((await narrow.post('/flights', { ...plain, fromId: 99_999, track: null })).status).toBe(403)
    expect((await narrow.post('/flights', { ...plain, fromId: 99_999 })).status).toBe(422)
  })
})
