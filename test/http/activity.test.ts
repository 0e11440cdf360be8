import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../src/access/caller.ts'
import type { Db } from '../../src/db/open.ts'
import { kindNames } from '../../src/domain/activity/contract.ts'
import { authenticator } from '../support/authenticator.ts'
import { browserSession } from '../support/browser-session.ts'
import { isPostgres, refuseInserts } from '../support/engine.ts'
import { referenceRows } from '../support/factory.ts'
import { flightLog } from '../support/flight-log.ts'
import { oauthClient, pkce } from '../support/oauth-client.ts'
import { PASSWORD } from '../support/pages.ts'
import { addPasskey, otherBrowser, sendResponse, signInOptions } from '../support/passkeys.ts'
import { sharedPaxlog, type TestUser } from '../support/paxlog.ts'
import { importing } from '../support/travel.ts'
import { mcpClient } from './mcp/support.ts'

const DAY = 86_400_000
const ADDRESS = '203.0.113.9'
const SECOND_PASSWORD = 'another good password'
const NOTE = 'a secret note'

async function openWorld() {
  const app = await sharedPaxlog()
  const { airports } = referenceRows(app.db)
  const owner = await app.services.users.createOwner({ username: 'mira', password: PASSWORD })
  const noor = app.user({ username: 'noor' })
  const admin: TestUser = { ...owner, key: app.key(owner.id) }
  const browser = browserSession(app.app, { address: ADDRESS })
  const plain = { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS, note: NOTE }
  const last = { flight: 0, trip: 0, user: '', role: '', share: 0 }
  const legacy = (path: string, payload: object) =>
    app.request({ method: 'POST', url: `/api${path}`, headers: { authorization: `Bearer ${admin.key}` }, payload })
  /** All entries, as the command line lists them. */
  const entries = () => [...app.services.activity.history(0)]
  return { ...app, airports, owner, noor, admin, browser, plain, last, legacy, entries }
}

type World = Awaited<ReturnType<typeof openWorld>>

async function consent({ app, browser, request, services, ...rest }: World): Promise<void> {
  const client = await oauthClient({ app, request, services, ...rest } as never)
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: 'https://board.example/cb',
    code_challenge: pkce().challenge,
    code_challenge_method: 'S256',
    resource: 'http://localhost:3000/api/v1',
    scope: 'flight.read.own',
  })
  const { location } = await browser.get(`/oauth/authorize?${query}`)
  const { html } = await browser.get(location!)
  const csrf = /action="\/oauth\/consent"[^>]*>.*?name="csrf" value="([\w-]+)"/s.exec(html)![1]!
  const id = new URL(location!, 'http://localhost').searchParams.get('id')!
  await browser.post('/oauth/consent', { csrf, id, decision: 'approve', scope: 'flight.read.own' })
}

const csv = (airline: string) => `date,from,to,flight_number,plane,from_oid\n2014-05-03,ZRH,LIS,${airline},,1`
const SECURITY = '/settings/security'
const phone = authenticator()
const share = { slug: 'summer' }
const person = { username: 'jonas', password: PASSWORD }
const newRole = { name: 'Crew', description: null, permissions: [] }
const page = { surface: 'page', address: ADDRESS, credential: null }
const v1 = { surface: 'v1', address: null, credential: 'test' }

type Step = [kind: string, expected: object, work: (world: World) => unknown]

/** In an order in which they can happen. Each step creates exactly one entry. */
const steps: Step[] = [
  [
    'sign_in.failed',
    { ...page, actor: null, subject: null, summary: `Someone failed to sign in as “${'x'.repeat(40)}”.` },
    ({ browser }) => browser.signIn('x'.repeat(60), 'wrong'),
  ],
  [
    'sign_in',
    { ...page, subject: { kind: 'user' }, summary: 'mira signed in with a password.' },
    ({ browser }) => browser.signIn('mira', PASSWORD),
  ],
  [
    'password.changed',
    { ...page, summary: 'mira changed their own password.' },
    ({ browser }) => browser.submit(SECURITY, `${SECURITY}/password`, { current: PASSWORD, password: SECOND_PASSWORD }),
  ],
  [
    'key.created',
    { ...page, subject: { kind: 'key' }, summary: 'mira created the API key “Board”.' },
    ({ browser }) => browser.submit(SECURITY, `${SECURITY}/keys`, { name: 'Board', scope: ['profile.read'] }),
  ],
  [
    'key.deleted',
    { ...page, summary: 'mira deleted the API key “Board”.' },
    ({ browser, services, owner }) =>
      browser.submit(SECURITY, `${SECURITY}/keys/${services.keys.listOf(owner.id)[0]!.id}/delete`, {}),
  ],
  [
    'passkey.added',
    { ...page, subject: { kind: 'passkey' }, summary: 'mira added the passkey “Phone”.' },
    ({ browser }) => addPasskey(browser, phone),
  ],
  [
    'passkey.refused',
    { surface: 'page', actor: null, subject: { kind: 'passkey' } },
    async ({ app }) => {
      const visitor = otherBrowser(app)
      await sendResponse(visitor, phone.get(await signInOptions(visitor), { counter: 0 }))
    },
  ],
  [
    'passkey.removed',
    { ...page, subject: { kind: 'passkey' }, summary: 'mira removed the passkey “Phone”.' },
    ({ browser, services, owner }) =>
      browser.submit(SECURITY, `${SECURITY}/passkeys/${services.passkeys.listOf(owner.id)[0]!.id}/delete`, {}),
  ],
  ['grant.created', { ...page, summary: 'mira connected the application “Trip board”.' }, consent],
  [
    'grant.ended',
    { ...page, subject: { kind: 'grant' }, summary: 'mira disconnected the application “Trip board”.' },
    ({ browser, services, owner }) =>
      browser.submit(SECURITY, `${SECURITY}/apps/${services.oauth.connections.list(owner.id)[0]!.id}/revoke`, {}),
  ],
  ['sign_out', { ...page, summary: 'mira signed out.' }, ({ browser }) => browser.submit('/', '/logout', {})],
  [
    'user.created',
    { ...v1, summary: 'mira created the account jonas.' },
    async ({ as, admin, last }) => {
      last.user = (await as(admin).post('/users', person)).body.data.id
    },
  ],
  [
    'user.changed',
    { ...v1, subject: { kind: 'user' }, summary: 'mira changed the account jonas.' },
    ({ as, admin, last }) => as(admin).put(`/users/${last.user}`, { displayName: 'Jonas' }),
  ],
  [
    'password.reset',
    { ...v1, summary: 'mira set a new password for jonas.' },
    ({ as, admin, last }) => as(admin).put(`/users/${last.user}`, { password: SECOND_PASSWORD }),
  ],
  [
    'user.deleted',
    { ...v1, summary: 'mira deleted the account jonas and 0 flights.' },
    ({ as, admin, last }) => as(admin).delete(`/users/${last.user}`),
  ],
  [
    'role.created',
    { ...v1, subject: { kind: 'role' }, summary: 'mira created the role “Crew”.' },
    async ({ as, admin, last }) => {
      last.role = (await as(admin).post('/roles', newRole)).body.data.id
    },
  ],
  [
    'role.changed',
    { ...v1, summary: 'mira changed the role “Cabin”.' },
    ({ as, admin, last }) => as(admin).put(`/roles/${last.role}`, { ...newRole, name: 'Cabin' }),
  ],
  [
    'role.deleted',
    { ...v1, summary: 'mira deleted the role “Cabin”.' },
    ({ as, admin, last }) => as(admin).delete(`/roles/${last.role}`),
  ],
  [
    'share.created',
    { ...v1, subject: { kind: 'share' }, summary: 'mira created the share summer.' },
    async ({ as, admin, last }) => {
      last.share = (await as(admin).post('/shares', share)).body.data.id
    },
  ],
  [
    'share.changed',
    { ...v1, summary: 'mira changed the share winter.' },
    ({ as, admin, last }) => as(admin).put(`/shares/${last.share}`, { slug: 'winter' }),
  ],
  [
    'share.deleted',
    { ...v1, summary: 'mira deleted the share winter.' },
    ({ as, admin, last }) => as(admin).delete(`/shares/${last.share}`),
  ],
  [
    'import',
    { ...v1, subject: { kind: 'user' }, summary: 'mira imported 1 flight into the log of mira.' },
    (world) => importing(world as never)(world.admin, csv('LX1')),
  ],
  [
    'restore',
    { ...v1, subject: null, summary: 'mira restored 0 flights from a backup.' },
    (world) => importing(world as never)(world.admin, { users: [], flights: [] }, 'format=backup&mode=restore'),
  ],
  [
    'export',
    { ...v1, subject: { kind: 'user' }, summary: 'mira exported the flights of noor.' },
    ({ as, admin, noor }) => as(admin).get(`/flights/export?scope=user&userId=${noor.id}&format=json`),
  ],
  [
    'flight.created',
    { ...v1, subject: { kind: 'flight' } },
    async ({ as, admin, plain, last }) => {
      last.flight = (await as(admin).post('/flights', plain)).body.data.id
    },
  ],
  [
    'flight.changed',
    { surface: 'mcp', credential: 'test', address: null, subject: { kind: 'flight' } },
    ({ request, admin, plain, last }) => mcpClient(request, admin).call('update_flight', { ...plain, id: last.flight }),
  ],
  [
    'trip.created',
    { ...v1, subject: { kind: 'trip' }, summary: 'mira created the trip “Lisbon”.' },
    async ({ as, admin, last }) => {
      last.trip = (await as(admin).post('/trips', { name: 'Lisbon', flightIds: [last.flight] })).body.data.id
    },
  ],
  [
    'trip.changed',
    { ...v1, summary: 'mira changed the trip “Porto”.' },
    ({ as, admin, last }) => as(admin).put(`/trips/${last.trip}`, { name: 'Porto' }),
  ],
  [
    'trip.deleted',
    { ...v1, summary: 'mira deleted the trip “Porto”.' },
    ({ as, admin, last }) => as(admin).delete(`/trips/${last.trip}`),
  ],
  [
    'flight.deleted',
    { surface: 'legacy', credential: 'test', address: null, subject: { kind: 'flight' } },
    ({ legacy, last }) => legacy('/flight/delete', { id: last.flight }),
  ],
  [
    'flight.restored',
    { surface: 'mcp', credential: 'test', address: null, subject: { kind: 'flight' } },
    ({ request, admin, last }) => mcpClient(request, admin).call('restore_flight', { id: last.flight }),
  ],
]

describe('activity', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  test('starts with the owner, created by the command line', () => {
    expect(world.entries()).toMatchObject([
      {
        kind: 'user.created',
        actor: null,
        surface: 'cli',
        subject: { kind: 'user', id: world.owner.id },
        summary: 'The operator created the account mira.',
      },
    ])
  })

  test.each(steps)('records %s once, with user, subject and surface', async (kind, expected, work) => {
    const before = world.entries().length
    await work(world)
    const actor = { id: world.owner.id, username: 'mira' }
    expect(world.entries().slice(before)).toMatchObject([{ kind, actor, ...expected }])
  })

  test('tests every kind', () => {
    // Kinds of the identity provider are tested with its sign-in.
    const testedKinds = kindNames.filter((kind) => !kind.startsWith('identity.'))
    expect(steps.map(([kind]) => kind).toSorted()).toEqual(testedKinds.toSorted())
  })

  test('names the flight and contains neither notes nor secrets', () => {
    const { flight } = world.last
    expect(world.entries().filter(({ kind }) => kind.startsWith('flight.'))).toMatchObject([
      { subject: { kind: 'flight', id: flight }, summary: `mira added flight ${flight}.` },
      { subject: { kind: 'flight', id: flight }, summary: `mira changed flight ${flight}.` },
      { subject: { kind: 'flight', id: flight }, summary: `mira deleted flight ${flight}.` },
      { subject: { kind: 'flight', id: flight }, summary: `mira restored flight ${flight}.` },
    ])
    const stored = JSON.stringify(world.db.$client.prepare('select * from activity').all())
    for (const secret of [NOTE, PASSWORD, SECOND_PASSWORD, world.admin.key, 'wrong'])
      expect(stored).not.toContain(secret)
  })

  test('records nothing for rejected requests, dry runs, rollbacks and exports of your own flights', async () => {
    const { as, admin, entries, db, plain } = world
    const before = entries().length
    expect((await as(admin).post('/flights', { ...plain, toId: 999_999_999 })).status).toBe(422)
    expect((await as(admin).delete('/flights/999999')).status).toBe(404)
    expect((await importing(world as never)(admin, csv('LX2'), 'dryRun=true')).status).toBe(200)
    expect((await as(admin).get('/flights/export?format=json')).status).toBe(200)
    const allow = refuseInserts(db, 'activity')
    const flights = () => db.$client.prepare('select count(*) from flights').pluck().get()
    const stored = flights()
    expect((await as(admin).post('/flights', plain)).status).toBe(500)
    allow()
    // The flight and its entry are rolled back together.
    expect(flights()).toBe(stored)
    expect(entries().length).toBe(before)
  })

  test('records a changed track as a change of the flight', async () => {
    const { as, admin, plain, entries } = world
    const { id } = (await as(admin).post('/flights', plain)).body.data
    const before = entries().length
    const track = {
      coordinates: [
        [8.5, 47.4],
        [-9.1, 38.7],
      ],
      sourceFormat: 'gpx',
    }
    await as(admin).put(`/flights/${id}/track`, track)
    await as(admin).delete(`/flights/${id}/track`)
    expect(entries().slice(before)).toMatchObject([
      { kind: 'flight.changed', subject: { id } },
      { kind: 'flight.changed', subject: { id } },
    ])
  })

  test('records the number of deleted flights with a deleted account', async () => {
    const { as, admin, plain, entries, user } = world
    const leaver = user({ username: 'leaver' })
    await as(leaver).post('/flights', plain)
    await as(admin).delete(`/users/${leaver.id}`)
    expect(entries().at(-1)).toMatchObject({ summary: 'mira deleted the account leaver and 1 flight.' })
    // Entries keep the name of a deleted user.
    expect(entries().at(-2)).toMatchObject({ kind: 'flight.created', actor: { username: 'leaver' } })
  })
})

describe('activity pages', () => {
  const signInAs = async (log: Awaited<ReturnType<typeof flightLog>>, who: TestUser) => {
    const browser = browserSession(log.app)
    browser.jar.set('paxlog', await log.services.sessions.start(who.id))
    return browser
  }
  const summariesIn = (html: string) =>
    [...html.matchAll(/<th scope="row">(?:<a [^>]*>)?(.*?)(?:<\/a>)?<\/th>/g)].map(([, text]) => text)

  test('show all entries to administrators, filtered by user and kind, with pagination', async () => {
    const log = await flightLog()
    log.user({ username: 'boss', owner: true })
    const ids: number[] = []
    for (let count = 0; count < 60; count++) ids.push((await log.flight()).id)
    const noorFlight = await log.flight({}, log.noor)
    const browser = await signInAs(log, log.admin)
    const first = await browser.get('/admin/activity')
    expect(first.status).toBe(200)
    expect(summariesIn(first.html)).toHaveLength(50)
    expect(summariesIn(first.html)[0]).toBe(`noor added flight ${noorFlight.id}.`)
    const older = /href="(\/admin\/activity\?before=\d+)"/.exec(first.html)![1]!
    const second = await browser.get(older)
    expect(summariesIn(second.html)).toEqual(
      ids
        .slice(0, 11)
        .toReversed()
        .map((id) => `mira added flight ${id}.`),
    )
    expect(second.html).toContain('Newest entries')
    expect(summariesIn((await browser.get('/admin/activity?person=NOOR')).html)).toEqual([
      `noor added flight ${noorFlight.id}.`,
    ])
    expect(summariesIn((await browser.get('/admin/activity?kind=flight.created')).html)).toHaveLength(50)
    await log.as(log.noor).delete(`/flights/${noorFlight.id}`)
    expect(summariesIn((await browser.get('/admin/activity?kind=flight.deleted')).html)).toEqual([
      `noor deleted flight ${noorFlight.id}.`,
    ])
    await log.as(log.admin).delete(`/users/${log.noor.id}`)
    const gone = await browser.get('/admin/activity?person=Noor')
    expect(gone.html).toContain('There is no user “Noor”.')
    expect(summariesIn(gone.html)).toContain(`noor deleted flight ${noorFlight.id}.`)
    await browserSession(log.app).signIn('root', 'a guess of many')
    expect(summariesIn((await browser.get('/admin/activity?person=root')).html)).toEqual([
      'Someone failed to sign in as “root”.',
    ])
    const none = await browser.get('/admin/activity?person=mira&kind=role.deleted')
    expect(none.html).toContain('No entries match.')
    expect((await browser.get('/admin/activity?person=%3Cb%3E')).html).toContain('There is no user “&lt;b>”.')
    for (const odd of ['before=0', 'before=-1', 'before=x', 'kind=__proto__', 'person=a&person=b']) {
      expect((await browser.get(`/admin/activity?${odd}`)).status).toBe(200)
    }
  })

  test('are hidden from other users and return 403', async () => {
    const log = await flightLog()
    log.user({ username: 'boss', owner: true })
    const browser = await signInAs(log, log.mira)
    expect((await browser.get('/admin/activity')).status).toBe(403)
    expect((await browser.get('/settings/activity')).html).not.toContain('/admin/activity')
    expect(await browserSession(log.app).get('/settings/activity')).toMatchObject({ status: 303 })
  })

  test('show users only their own flights and sign-ins, including changes by others', async () => {
    const log = await flightLog()
    log.user({ username: 'boss', owner: true })
    const { as, admin, mira, noor, plain } = log
    const together = [{ userId: mira.id }, { userId: noor.id }]
    const shared = (await as(admin).post('/flights', { ...plain, passengers: together })).body.data
    await as(admin).put(`/flights/${shared.id}`, { ...plain, passengers: [{ userId: noor.id }] })
    await as(admin).put(`/flights/${shared.id}`, plain)
    const ownFlight = await log.flight()
    await as(admin).delete(`/flights/${ownFlight.id}`)
    await browserSession(log.app).signIn('MIRA', 'not the password')
    const { html } = await (await signInAs(log, mira)).get('/settings/activity')
    expect(summariesIn(html)).toEqual([
      'Someone failed to sign in as “MIRA”.',
      `admin deleted flight ${ownFlight.id}.`,
      `mira added flight ${ownFlight.id}.`,
      `admin changed flight ${shared.id}.`,
      `admin added flight ${shared.id}.`,
    ])
    const noorHtml = (await (await signInAs(log, noor)).get('/settings/activity')).html
    expect(summariesIn(noorHtml)).toHaveLength(3)
    // Entries link only to flights that exist and that the viewer may read.
    expect(noorHtml).toContain(`<a href="/flights/${shared.id}">admin added flight ${shared.id}.</a>`)
    for (const { id } of [shared, ownFlight]) expect(html).not.toContain(`href="/flights/${id}"`)
  })

  test('show who added and last changed a flight to its passengers only', async () => {
    const log = await flightLog()
    log.user({ username: 'boss', owner: true })
    const flight = await log.flight()
    await log.as(log.admin).put(`/flights/${flight.id}`, log.plain)
    const { html } = await (await signInAs(log, log.mira)).get(`/flights/${flight.id}/edit`)
    expect(html).toContain('Added by mira on ')
    expect(html).toContain('Last changed by admin on ')
    expect((await (await signInAs(log, log.admin)).get(`/flights/${flight.id}/edit`)).html).not.toContain('Added by')
  })
})

describe('activity entries', () => {
  test('of a user are found page by page even if they are rare', async () => {
    const { services, db, mira, noor } = await flightLog()
    const rare = `insert into activity (at, kind, actor_id, actor_name, surface, name) values (${Date.now()}, 'role.deleted', '${noor.id}', 'noor', 'v1', 'Crew')`
    const often = `insert into activity (at, kind, actor_id, actor_name, surface, flight_id)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 25000)
        select ${Date.now()}, 'flight.changed', '${noor.id}', 'noor', 'v1', 1 from n`
    for (const sql of [rare, often, rare, often]) db.$client.exec(sql)
    const caller = { ...operator, permissions: new Set(['users.update']) } as typeof operator
    const person = { id: noor.id, username: 'noor' }
    const list = (query: object) => services.activity.list(caller, { limit: 50, ...query })
    const found = list({ person, kind: 'role.deleted' })
    expect(found).toMatchObject({ entries: [{ kind: 'role.deleted' }, { kind: 'role.deleted' }], before: null })
    const first = list({ person, kind: 'role.deleted', limit: 1 })
    const second = list({ person, kind: 'role.deleted', limit: 1, before: first.before })
    expect([...first.entries, ...second.entries]).toEqual(found.entries)
    expect(second.before).toBeNull()
    expect(list({ person: { id: mira.id, username: 'mira' } }).entries).toEqual([])
    expect(list({}).entries).toHaveLength(50)
  })

  test('of a flight are not all read to find the first and last change', async () => {
    const { flight, services, db, mira } = await flightLog()
    const [quiet, busy] = [await flight(), await flight()]
    const add = (id: number, changes: number) =>
      db.$client.exec(
        `insert into activity (at, kind, actor_id, actor_name, surface, flight_id)
           with recursive n(i) as (select 1 union all select i + 1 from n where i < ${changes})
           select ${Date.now()}, 'flight.changed', '${mira.id}', 'change ' || i, 'v1', ${id} from n`,
      )
    add(quiet.id, 2)
    add(busy.id, 100_000)
    const summarize = (id: number) => services.activity.ofFlight(id)
    expect(summarize(busy.id)).toMatchObject({
      created: { actor: { id: mira.id } },
      changed: { actor: { username: 'change 100000' } },
    })
    const [some, many] = [quiet, busy].map(({ id }) => {
      const rounds = Array.from({ length: 5 }, () => {
        const before = process.cpuUsage()
        for (let count = 0; count < 10; count++) summarize(id)
        const { user, system } = process.cpuUsage(before)
        return user + system
      })
      return Math.min(...rounds)
    })
    // The busy flight has 50,000 times as many entries.
    expect(many).toBeLessThan(100 * Math.max(some!, 100))
  })

  test('are deleted after 400 days', async () => {
    let now = Date.parse('2025-01-01T00:00:00Z')
    const { flight, services, db } = await flightLog({ now: () => now })
    await flight()
    now += 399 * DAY
    await services.activity.purge()
    expect([...services.activity.history(0)]).toHaveLength(1)
    await flight()
    now += 2 * DAY
    expect([...services.activity.history(0)]).toHaveLength(1)
    await services.activity.purge()
    expect(db.$client.prepare('select count(*) from activity').pluck().get()).toBe(1)
  })

  const countOf = (db: Db, table: string) => db.$client.prepare(`select count(*) from ${table}`).pluck().get()
  const entriesOfActor = (db: Db, id: string) =>
    db.$client.prepare('select id from activity where actor_id = ? order by id').pluck().all(id) as number[]
  /** Adds entries of `actor`, an SQL expression that may use the counter `i`. */
  const addEntries = (db: Db, entries: number, actor: string, after = 0) =>
    db.$client.exec(
      `insert into activity (id, at, kind, actor_id, actor_name, surface)
         with recursive n(i) as (select 1 union all select i + 1 from n where i < ${entries})
         select ${after} + i, 4000000000000, 'restore', ${actor}, 'x', 'v1' from n`,
    )

  // Inserts ids manually, which does not advance the sequences of PostgreSQL.
  test.skipIf(isPostgres)('are limited to 200,000 by a purge of the oldest', async () => {
    const { db, noor, services } = await flightLog({ unused: true })
    addEntries(db, 202_500, "'user ' || (i % 40)")
    db.$client.prepare('insert into activity_people (entry_id, user_id) values (1, ?)').run(noor.id)
    await services.activity.purge()
    expect(countOf(db, 'activity')).toBe(200_000)
    expect(countOf(db, 'activity_people')).toBe(0)
    expect(db.$client.prepare('select min(id) from activity').pluck().get()).toBe(2_501)
  })

  // Inserts ids manually, which does not advance the sequences of PostgreSQL.
  test.skipIf(isPostgres)('are limited to 10,000 per user without affecting other users', async () => {
    const { flight, db, mira, noor, services } = await flightLog({ unused: true })
    await flight({}, noor)
    addEntries(db, 12_000, `'${mira.id}'`, 187_990)
    await services.activity.purge()
    const before = entriesOfActor(db, mira.id)
    expect(before).toHaveLength(10_000)
    expect(before[0]).toBe(189_991)
    for (let index = 0; index < 110; index++) await flight({}, mira)
    const after = entriesOfActor(db, mira.id)
    expect(after.length).toBeLessThanOrEqual(10_000)
    expect(after[0]).toBeGreaterThan(before[0]!)
    expect(after.at(-1)).toBe(before.at(-1)! + 110)
    expect(entriesOfActor(db, noor.id)).toHaveLength(1)
    const caller = { ...operator, permissions: new Set(['users.update']) } as typeof operator
    const person = { id: noor.id, username: 'noor' }
    expect(services.activity.list(caller, { limit: 50, person }).entries).toHaveLength(1)
  })

  test('of anonymous visitors do not displace entries of users or the operator', async () => {
    const { db, noor, flight, services } = await flightLog({ unused: true })
    await flight({}, noor)
    db.$client.exec(`insert into activity (at, kind, surface) values (4000000000000, 'restore', 'cli')`)
    addEntries(db, 12_000, 'null', 1_000)
    await services.activity.purge()
    const remaining = db.$client
      .prepare('select surface, count(*) from activity group by surface, actor_id')
      .raw()
      .all()
    expect(remaining).toEqual(
      expect.arrayContaining([
        ['cli', 1],
        ['v1', 10_000],
      ]),
    )
    expect(entriesOfActor(db, noor.id)).toHaveLength(1)
  })
})
