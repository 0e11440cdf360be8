import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../src/db/open.ts'
import { sqliteOf } from '../../src/db/sqlite/sqlite.ts'
import { write } from '../../src/db/write.ts'
import { referenceRows } from '../support/factory.ts'
import { oauthClient, pkce } from '../support/oauth-client.ts'
import { type Answer, type Paxlog, sharedPaxlog } from '../support/paxlog.ts'
import { wire } from '../support/socket.ts'
import { talk } from '../support/talk.ts'

const ROUNDS = process.env.PAXLOG_SLOW_TESTS === '1' ? 1_000 : 50
const TIMEOUT = 30 * 60_000

/** Queries that return the rows that violate an invariant. */
const invariants: Record<string, string> = {
  'flights without passengers': 'select id from flights where id not in (select flight_id from passengers)',
  'passengers without a name': 'select id from passengers where (user_id is null) = (guest_name is null)',
  'a user twice on a flight':
    'select flight_id from passengers where user_id is not null group by flight_id, user_id having count(*) > 1',
  'users without a role': 'select id from users where (role_id is null) <> (is_owner = 1)',
  'not exactly one default role': 'select count(*) from roles where is_default = 1 having count(*) <> 1',
  'more than one owner': 'select count(*) from users where is_owner = 1 having count(*) > 1',
  'duplicate usernames': 'select lower(username) from users group by 1 having count(*) > 1',
  'duplicate slugs': 'select lower(slug) from shares group by 1 having count(*) > 1',
  'families with two valid refresh tokens': `select family_id from oauth_refresh_tokens t join oauth_families f on f.id = t.family_id
     where t.used_at is null and f.revoked_at is null group by family_id having count(*) > 1`,
  'tracks without a flight': 'select flight_id from flight_tracks where flight_id not in (select id from flights)',
  'deleted flights that exist': 'select flight_id from deleted_flights where flight_id in (select id from flights)',
  'flights in a trip of another user': `select flight_id from passengers p join trips t on t.id = p.trip_id
     where p.user_id is null or p.user_id <> t.user_id`,
}

function expectConsistent({ $client }: Db): void {
  for (const [what, sql] of Object.entries(invariants)) expect([what, $client.prepare(sql).all()]).toEqual([what, []])
  expect(sqliteOf({ $client })?.pragma('foreign_key_check') ?? []).toEqual([])
}

let app: Paxlog & { close: () => Promise<void> }
let owner: ReturnType<Paxlog['user']>
let airports: Record<string, number>
let round = 0

beforeAll(async () => {
  app = await sharedPaxlog({ addressHeader: 'x-forwarded-for' })
  owner = app.user({ owner: true })
  airports = referenceRows(app.db).airports
})
afterAll(() => app.close())

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort((a, b) => a - b)

const FILE = `date,origin,destination,ticket_class\n${'2025-05-03,LSZH,LPPT,economy\n'.repeat(150)}`

/** Starts all requests concurrently, in an order that changes with the round. */
async function runConcurrently(...work: (() => Promise<Answer>)[]): Promise<Answer[]> {
  const offset = round % work.length
  const order = [...work.keys()].map((index) => (index + offset) % work.length)
  const started = new Map(order.map((index) => [index, work[index]!()]))
  return Promise.all([...work.keys()].map((index) => started.get(index)!))
}

async function rounds(work: () => Promise<void>): Promise<void> {
  for (round = 0; round < ROUNDS; round++) {
    await work()
    expectConsistent(app.db)
  }
}

/** A separate address for each round, to avoid rate limits. */
const addressHeader = () => ({ 'x-forwarded-for': `10.${round >> 16}.${(round >> 8) & 255}.${round & 255}` })

describe(`N11: ${ROUNDS} races each`, () => {
  test(
    'a refresh token can be used once, and a second use revokes the family',
    async () => {
      const user = app.user()
      const client = await oauthClient(app)
      const resource = app.services.oauth.resources.urls.v1
      await rounds(async () => {
        const { verifier, challenge } = pkce()
        const code = await client.code(user, challenge, { scopes: ['profile.read'] })
        const form = { client_id: client.id, resource }
        const exchange = { ...form, grant_type: 'authorization_code', code, code_verifier: verifier }
        const { body: first } = await client.post('/oauth/token', exchange, addressHeader())
        const refresh = () =>
          client.post(
            '/oauth/token',
            { ...form, grant_type: 'refresh_token', refresh_token: first.refresh_token },
            addressHeader(),
          )
        const answers = await runConcurrently(refresh, refresh, refresh)
        expect(statuses(answers)).toEqual([200, 400, 400])
        const winner = answers.find(({ status }) => status === 200)!.body
        for (const { access_token: token } of [first, winner]) expect((await app.as(token).get('/me')).status).toBe(401)
        const next = { ...form, grant_type: 'refresh_token', refresh_token: winner.refresh_token }
        expect((await client.post('/oauth/token', next, addressHeader())).body.error).toBe('invalid_grant')
      })
    },
    TIMEOUT,
  )

  test(
    'a code can be redeemed once, and a second try revokes its tokens',
    async () => {
      const user = app.user()
      const client = await oauthClient(app)
      const resource = app.services.oauth.resources.urls.v1
      await rounds(async () => {
        const { verifier, challenge } = pkce()
        const code = await client.code(user, challenge, { scopes: ['profile.read'] })
        const form = { client_id: client.id, resource, grant_type: 'authorization_code', code, code_verifier: verifier }
        const exchange = () => client.post('/oauth/token', form, addressHeader())
        const answers = await runConcurrently(exchange, exchange, exchange)
        expect(statuses(answers)).toEqual([200, 400, 400])
        const { access_token: token } = answers.find(({ status }) => status === 200)!.body
        expect((await app.as(token).get('/me')).status).toBe(401)
      })
    },
    TIMEOUT,
  )

  test(
    'S15: a slug is assigned to only one of several requests',
    async () => {
      const [mira, noor] = [app.user(), app.user()]
      await rounds(async () => {
        const slug = `slug-${round}`
        const answers = await runConcurrently(
          () => app.as(mira).post('/shares', { slug }),
          () => app.as(noor).post('/shares', { slug: slug.toUpperCase() }),
          () => app.as(mira).post('/shares', { slug }),
        )
        expect(statuses(answers)).toEqual([201, 409, 409])
      })
    },
    TIMEOUT,
  )

  test(
    'a flight that is deleted during changes is deleted completely',
    async () => {
      const mira = app.user()
      const body = { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS }
      const track = { coordinates: [[1, 2], [3, 4]], sourceFormat: 'gpx' } // biome-ignore format: two points on a line
      await rounds(async () => {
        const { id } = (await app.as(mira).post('/flights', body)).body.data
        const passengers = [{ userId: mira.id }, { guestName: 'Noor' }]
        const [removed, ...others] = await runConcurrently(
          () => app.as(mira).delete(`/flights/${id}`),
          () => app.as(mira).put(`/flights/${id}`, { ...body, note: 'changed', passengers, track }),
          () => app.as(mira).put(`/flights/${id}/track`, track),
          () => app.as(mira).delete(`/flights/${id}/track`),
        )
        expect(removed!.status).toBe(204)
        for (const { status } of others) expect([200, 204, 404]).toContain(status)
        expect((await app.as(mira).get(`/flights/${id}`)).status).toBe(404)
      })
      expect((await app.as(mira).get('/flights')).body.data).toEqual([])
    },
    TIMEOUT,
  )

  describe('deleted flights', () => {
    const flightOf = (who: ReturnType<Paxlog['user']>, more: object = {}) =>
      app.as(who).post('/flights', { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS, ...more })
    const restore = (who: ReturnType<Paxlog['user']>, id: number) => () =>
      app.as(who).post(`/flights/deleted/${id}/restore`)

    test(
      'are restored by only one of several requests',
      async () => {
        const mira = app.user()
        await rounds(async () => {
          const { id } = (await flightOf(mira)).body.data
          await app.as(mira).delete(`/flights/${id}`)
          const answers = await runConcurrently(restore(mira, id), restore(mira, id), restore(mira, id))
          expect(statuses(answers)).toEqual([200, 404, 404])
          expect((await app.as(mira).get(`/flights/${id}`)).status).toBe(200)
        })
      },
      TIMEOUT,
    )

    test(
      'are either restored or deleted again, not both',
      async () => {
        const mira = app.user()
        await rounds(async () => {
          const { id } = (await flightOf(mira)).body.data
          await app.as(mira).delete(`/flights/${id}`)
          const remove = () => app.as(mira).delete(`/flights/${id}`)
          const [restored, ...removed] = await runConcurrently(restore(mira, id), remove, remove)
          expect(restored!.status).toBe(200)
          const isDeleted = statuses(removed).includes(204)
          expect(statuses(removed)).toEqual(isDeleted ? [204, 404] : [404, 404])
          expect((await app.as(mira).get(`/flights/${id}`)).status).toBe(isDeleted ? 404 : 200)
          const { data } = (await app.as(mira).get('/flights/deleted')).body
          expect(data.some((item: { id: number }) => item.id === id)).toBe(isDeleted)
        })
      },
      TIMEOUT,
    )

    test(
      'are restored only if their airport still exists',
      async () => {
        const mira = app.user()
        const place = { name: 'Field', latitude: 1, longitude: 2, timezone: 'UTC', continent: 'EU', country: 'CH' }
        await rounds(async () => {
          const icao = `X${round.toString(36).toUpperCase().padStart(3, '0')}`
          const airport = (await app.as(owner).post('/airports', { ...place, icao })).body.data.id
          const { id } = (await flightOf(mira, { fromId: airport })).body.data
          await app.as(mira).delete(`/flights/${id}`)
          const [restored, removed] = await runConcurrently(restore(mira, id), () =>
            app.as(owner).delete(`/airports/${airport}`),
          )
          expect([[200, 409], [409, 204]]).toContainEqual([restored!.status, removed!.status]) // biome-ignore format: pairs
          expect((await app.as(mira).get(`/flights/${id}`)).status).toBe(restored!.status === 200 ? 200 : 404)
        })
      },
      TIMEOUT,
    )
  })

  test(
    'a flight that is moved to several trips at once is in one of them',
    async () => {
      const mira = app.user()
      const tripOf = async (body: object) => (await app.as(mira).post('/trips', body)).body.data.id as number
      await rounds(async () => {
        const body = { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS }
        const { id } = (await app.as(mira).post('/flights', body)).body.data
        const [first, second] = [await tripOf({ name: 'First', flightIds: [id] }), await tripOf({ name: 'Second' })]
        const move = (trip: number) => () => app.as(mira).put(`/trips/${trip}`, { name: 'Moved', flightIds: [id] })
        const answers = await runConcurrently(move(first), move(second), () =>
          app.as(mira).post('/trips', { name: 'Third', flightIds: [id] }),
        )
        expect(statuses(answers)).toEqual([200, 200, 201])
        const trips = [first, second, answers[2]!.body.data.id]
        const read = await Promise.all(trips.map((trip) => app.as(mira).get(`/trips/${trip}`)))
        expect(read.flatMap((trip) => trip.body.data.flightIds)).toEqual([id])
      })
    },
    TIMEOUT,
  )

  test(
    'B14: revoked permissions take effect with the next request',
    async () => {
      await rounds(async () => {
        const roleId = app.role(['flight.read.own'], `Racer ${round}`)
        const user = app.user({ role: roleId })
        const [changed, , read] = await runConcurrently(
          () => app.as(owner).put(`/roles/${roleId}`, { name: `Racer ${round}`, permissions: [] }),
          () => app.as(user).get('/flights'),
          () => app.as(user).get('/flights'),
        )
        expect(changed!.status).toBe(200)
        expect([200, 403]).toContain(read!.status)
        expect((await app.as(user).get('/flights')).body.error.code).toBe('forbidden')
      })
    },
    TIMEOUT,
  )

  test(
    'a role is either deleted or assigned',
    async () => {
      await rounds(async () => {
        const roleId = app.role([], `Temporary ${round}`)
        const { id } = app.user()
        const [removed, given] = await runConcurrently(
          () => app.as(owner).delete(`/roles/${roleId}`),
          () => app.as(owner).put(`/users/${id}`, { roleId }),
        )
        expect([[204, 422], [409, 200]]).toContainEqual([removed!.status, given!.status]) // biome-ignore format: pairs
      })
    },
    TIMEOUT,
  )

  test(
    'a username is assigned to only one of several requests, despite slow hashing',
    async () => {
      for (round = 0; round < ROUNDS / 10; round++) {
        const account = { username: `racer${round}`, password: 'correct horse battery' }
        const create = (name: string) => () => app.as(owner).post('/users', { ...account, username: name })
        const answers = await runConcurrently(create(account.username), create(account.username.toUpperCase()))
        expect(statuses(answers)).toEqual([201, 409])
        expectConsistent(app.db)
      }
    },
    TIMEOUT,
  )

  test(
    'an account that is deleted during its writes leaves no data',
    async () => {
      const body = { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS }
      await rounds(async () => {
        const user = app.user()
        const [removed, ...others] = await runConcurrently(
          () => app.as(owner).delete(`/users/${user.id}`),
          () => app.as(user).post('/flights', body),
          () => app.as(owner).post('/flights', { ...body, passengers: [{ userId: user.id }] }),
          () => app.as(user).post('/shares', {}),
          () => app.as(user).put('/preferences', { distanceUnit: 'mi' }),
          () => app.as(user).put('/visited-countries', { code: 'PT', status: 'visited' }),
          () => app.as(user).post('/flights/import?format=jetlog', FILE),
        )
        expect(removed!.status).toBe(204)
        for (const { status } of others) expect([200, 201, 401, 422]).toContain(status)
        expect((await app.as(owner).get(`/flights?scope=user&userId=${user.id}`)).body.data).toEqual([])
      })
    },
    TIMEOUT,
  )

  test('B14: a credential that is deleted during an upload is rejected', async () => {
    const { port } = await wire(app.app)
    const bodies: [path: string, body: string][] = [
      ['/api/v1/shares', '{}'],
      ['/api/flight/save', '{"from":"ZRH","to":"LIS","departure":"2025-05-03","passengers":[{"userId":"<USER_ID>"}]}'],
      ['/api/mcp', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_share"}}'],
    ]
    for (const [path, body] of bodies) {
      const { id, key } = app.user()
      const { socket, received, text } = await talk(port)
      const head = [`POST ${path} HTTP/1.1`, 'Host: localhost:3000', `Authorization: Bearer ${key}`]
      const rest = ['Content-Type: application/json', `Content-Length: ${body.length}`]
      socket.write(`${[...head, ...rest].join('\r\n')}\r\n\r\n${body.slice(0, -1)}`)
      // After this response the server has read the first part.
      await fetch(`http://127.0.0.1:${port}/health`)
      const remove = app.db.$client.prepare('delete from api_keys where user_id = ?')
      await write(app.db, 'credentials', () => remove.run(id))
      socket.write(body.slice(-1))
      await received(/\r\n\r\n/)
      expect([path, text().slice(0, 16)]).toEqual([path, 'HTTP/1.1 401 Una'])
      socket.destroy()
    }
    expectConsistent(app.db)
  })

  test(
    'L4: a burst of registrations succeeds exactly up to the limit',
    async () => {
      for (round = 0; round < ROUNDS / 10; round++) {
        const burst = Array.from({ length: 200 }, () =>
          app.request({
            method: 'POST',
            url: '/oauth/register',
            headers: {
              'content-type': 'application/json',
              'x-forwarded-for': `192.0.2.${round % 250}`,
              via: `${round}`,
            },
            payload: { redirect_uris: ['https://a.example/'] },
          }),
        )
        const answers = await Promise.all(burst)
        const countOf = (expected: number) => answers.filter(({ status }) => status === expected).length
        expect([countOf(201), countOf(429)]).toEqual([10, 190])
      }
    },
    TIMEOUT,
  )
})
