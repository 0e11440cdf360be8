import { describe, expect, test } from 'vitest'
import type { Db } from '../../../src/db/open.ts'
import { noticeIn } from '../../support/administration.ts'
import { browserSession } from '../../support/browser-session.ts'
import { useOneProcess } from '../../support/engine.ts'
import { signedIn } from '../../support/pages.ts'
import { recordStatements } from '../../support/recorded-statements.ts'
import { places } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'

type Seat = { seatClass?: string | null; flightReason?: string | null }

async function withFlights(count: number, seats: readonly Seat[] = [], options: Parameters<typeof signedIn>[0] = {}) {
  const instance = await signedIn(options)
  const { as, key, owner, browser } = instance
  const { ZRH: fromId, LIS: toId } = places(instance.db).airports
  const api = as(key(owner.id))
  const ids: number[] = []
  for (let index = 0; index < count; index++) {
    const passengers = [{ userId: owner.id, seat: 'window', ...seats[index] }, { guestName: 'Otto' }]
    const date = new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10)
    ids.push((await api.post('/flights', { date, fromId, toId, note: 'kept', passengers })).body.data.id)
  }
  const record = async (id: number) => (await api.get(`/flights/${id}`)).body.data
  const seatOf = async (id: number) => {
    const [{ seat, seatClass, flightReason }] = (await record(id)).passengers
    return [seat, seatClass, flightReason]
  }
  const change = (flight: readonly (number | string)[], fields: Record<string, string>, next = '/?year=2024') =>
    browser.submit('/', '/flights', { next, flight: flight.map(String), ...fields })
  const undo = async (path: string) => {
    const { html } = await browser.get(path)
    return browser.post(/action="(\/undo\/[^"]+)"/.exec(html)?.[1] ?? '/undo/none', {
      csrf: /name="csrf" value="([\w-]+)"/.exec(html)![1]!,
    })
  }
  const shownNotice = async (path: string) => {
    const { html } = await browser.get(path)
    return noticeIn(html) ?? /<p class="warning" role="status">(.*?)<\/p>/s.exec(html)?.[1]
  }
  const flightsOfTrips = async () => {
    const { data } = (await api.get('/trips')).body
    return Object.fromEntries(data.map(({ name, flightIds }: Record<string, string>) => [name, flightIds]))
  }
  const createTrip = async (name: string, flightIds: readonly number[] = []): Promise<number> =>
    (await api.post('/trips', { name, flightIds })).body.data.id
  return { ...instance, flightsOfTrips, createTrip, api, ids, fromId, toId, record, seatOf, change, undo, shownNotice }
}

describe('selecting several flights', () => {
  test('is offered to users who can change them, with a checkbox for each flight', async () => {
    const { browser, ids, app, services, user, fromId, toId, as } = await withFlights(2)
    const { html } = await browser.get('/')
    expect(
      [...html.matchAll(/<input type="checkbox" form="bulk" name="flight" value="(\d+)"/g)].map(([, id]) => Number(id)),
    ).toEqual(ids.toReversed())
    expect(html).toContain('<span class="unseen">Select ZRH to LIS, 1 Jan 2024</span>')
    const reader = user({ role: ['flight.read.own', 'flight.create.own'] })
    await as(reader).post('/flights', { date: '2024-01-01', fromId, toId })
    const visitor = browserSession(app)
    visitor.jar.set('paxlog', await services.sessions.start(reader.id))
    const page = (await visitor.get('/')).html
    expect(page).toContain('<table class="flights">')
    expect(page).not.toMatch(/action="\/flights"|type="checkbox"/)
    const csrf = /name="csrf" value="([\w-]+)"/.exec(page)![1]!
    expect((await visitor.post('/flights', { csrf, flight: ['1'], seatClass: 'first' })).status).toBe(403)
  })

  test('changes class and reason of the own seat, and nothing else', async () => {
    const { change, seatOf, record, ids, shownNotice } = await withFlights(3, [{}, { seatClass: 'business' }])
    const before = await record(ids[1]!)
    const answer = await change(ids.slice(0, 2), { seatClass: 'first', flightReason: '' })
    expect([answer.status, answer.location]).toEqual([303, '/?year=2024'])
    expect(await shownNotice('/')).toBe('2 flights changed.')
    expect(await seatOf(ids[0]!)).toEqual(['window', 'first', null])
    expect(await seatOf(ids[1]!)).toEqual(['window', 'first', null])
    expect(await seatOf(ids[2]!)).toEqual(['window', null, null])
    const after = await record(ids[1]!)
    const [own, guest] = before.passengers
    expect(after).toEqual({
      ...before,
      updatedAt: after.updatedAt,
      passengers: [{ ...own, seatClass: 'first' }, guest],
    })
    await change(ids, { seatClass: 'none', flightReason: 'business' })
    for (const id of ids) expect(await seatOf(id)).toEqual(['window', null, 'business'])
  })

  test('undoes a change, also of different former values, but keeps later changes', async () => {
    const former = [
      { seatClass: 'economy', flightReason: 'leisure' },
      { seatClass: 'first' },
      {},
      { seatClass: 'private' },
    ]
    const { change, seatOf, ids, undo, api, fromId, toId, owner, shownNotice } = await withFlights(4, former)
    await change(ids, { seatClass: 'business', flightReason: 'crew' })
    const later = [{ userId: owner.id, seatClass: 'economy+' }, { guestName: 'Otto' }]
    await api.put(`/flights/${ids[2]}`, { date: '2024-01-03', fromId, toId, passengers: later })
    await api.delete(`/flights/${ids[3]}`)
    expect((await undo('/')).location).toBe('/?year=2024')
    expect(await shownNotice('/')).toBe('2 flights changed back.')
    expect(await seatOf(ids[0]!)).toEqual(['window', 'economy', 'leisure'])
    expect(await seatOf(ids[1]!)).toEqual(['window', 'first', null])
    expect(await seatOf(ids[2]!)).toEqual([null, 'economy+', null])
  })

  test('undoes a change once, and only for the user who made it', async () => {
    const { browser, change, undo, ids, app, services, user, seatOf, shownNotice } = await withFlights(1)
    await change(ids, { seatClass: 'business' })
    const { html } = await browser.get('/')
    const path = /action="(\/undo\/[^"]+)"/.exec(html)![1]!
    const other = browserSession(app)
    other.jar.set('paxlog', await services.sessions.start(user().id))
    expect((await other.submit('/', path, {})).status).toBe(303)
    expect(await seatOf(ids[0]!)).toEqual(['window', 'business', null])
    await browser.submit('/', path, {})
    expect(await seatOf(ids[0]!)).toEqual(['window', null, null])
    await browser.get('/')
    await browser.submit('/', path, {})
    expect(await shownNotice('/')).toBe('This can no longer be undone.')
    expect((await undo('/')).status).toBe(303)
  })

  test('changes all flights or none', async () => {
    const { change, seatOf, ids, as, user, fromId, toId } = await withFlights(2)
    const stranger = await as(user()).post('/flights', { date: '2024-01-01', fromId, toId })
    for (const unknown of [stranger.body.data.id, 999_999, 'x', '1e3']) {
      expect((await change([...ids, unknown], { seatClass: 'first' })).status).toBe(404)
    }
    for (const id of ids) expect(await seatOf(id)).toEqual(['window', null, null])
  })

  test('explains what is missing', async () => {
    const { change, ids, shownNotice } = await withFlights(2, [{ seatClass: 'first' }, { seatClass: 'first' }])
    const outcomes = async (flight: readonly number[], fields: Record<string, string>) => {
      const { status, location } = await change(flight, fields)
      return [status, location, await shownNotice('/')]
    }
    const back = '/?year=2024'
    expect(await outcomes([], { seatClass: 'first' })).toEqual([303, back, 'Select at least one flight.'])
    expect(await outcomes(ids, {})).toEqual([303, back, 'Choose a class or a reason.'])
    expect(await outcomes(ids, { seatClass: 'cattle' })).toEqual([303, back, 'Choose a class or a reason.'])
    const many = Array.from({ length: 201 }, (_, index) => index + 1)
    expect(await outcomes(many, { seatClass: 'first' })).toEqual([303, back, 'Select at most 200 flights at a time.'])
    const same = 'The selected flights already have these values.'
    expect(await outcomes(ids, { seatClass: 'first' })).toEqual([303, back, same])
  })

  test('returns only to pages of this instance', async () => {
    const { change, ids } = await withFlights(1)
    expect((await change(ids, { seatClass: 'first' }, 'https://example.com/')).location).toBe('/')
    expect((await change(ids, { seatClass: 'economy' }, '//example.com/')).location).toBe('/')
  })

  test('refuses a form without a CSRF token', async () => {
    const { browser, ids, seatOf } = await withFlights(1)
    expect((await browser.post('/flights', { flight: ids.map(String), seatClass: 'first' })).status).toBe(403)
    expect(await seatOf(ids[0]!)).toEqual(['window', null, null])
  })

  test('reports each flight in the feed of changes and in the activity, also to other passengers', async () => {
    const { change, ids, api, app, as, user, owner, services, fromId, toId } = await withFlights(2)
    const noor = user({ username: 'noor' })
    const passengers = [{ userId: owner.id }, { userId: noor.id }]
    const shared = (await api.post('/flights', { date: '2024-02-01', fromId, toId, passengers })).body.data.id
    const cursor = (await api.get('/flights/changes?limit=500')).body.page.nextCursor
    await change([...ids, shared], { flightReason: 'leisure' })
    const { data } = (await api.get(`/flights/changes?cursor=${cursor}`)).body
    // One statement changes all flights, and PostgreSQL updates rows in any order.
    const changed = data.map(({ flightId, kind }: { flightId: number; kind: string }) => `${flightId} ${kind}`)
    expect(changed.toSorted()).toEqual([...ids, shared].map((id) => `${id} saved`).toSorted())
    const changes = [...services.activity.history(0)].filter(({ kind }) => kind === 'flight.changed')
    expect(changes.map(({ subject }) => subject?.id)).toEqual([...ids, shared])
    expect(changes[0]!.actor).toEqual({ id: owner.id, username: 'mira' })
    const session = browserSession(app)
    session.jar.set('paxlog', await services.sessions.start(noor.id))
    expect((await session.get('/settings/activity')).html).toContain(`mira changed flight ${shared}`)
    expect((await as(noor).get(`/flights/${shared}`)).body.data.passengers[0].flightReason).toBe('leisure')
  })
})

describe('deleting several flights', () => {
  const remove = ({ change }: Pick<Awaited<ReturnType<typeof withFlights>>, 'change'>, ids: readonly number[]) =>
    change(ids, { action: 'delete', seatClass: 'first' })

  test('deletes the selected flights and restores them by Undo, with their passengers and notes', async () => {
    const instance = await withFlights(3)
    const { api, ids, record, undo, shownNotice } = instance
    const before = await Promise.all(ids.map(record))
    expect((await remove(instance, ids.slice(0, 2))).location).toBe('/?year=2024')
    expect((await api.get('/flights')).body.data.map(({ id }: { id: number }) => id)).toEqual([ids[2]])
    expect((await undo('/')).location).toBe('/?year=2024')
    expect(await shownNotice('/')).toBe('2 flights restored.')
    const after = await Promise.all(ids.map(record))
    expect(after.map((flight, index) => ({ ...flight, updatedAt: before[index].updatedAt }))).toEqual(before)
  })

  test('deletes all flights or none', async () => {
    const instance = await withFlights(2)
    expect((await remove(instance, [...instance.ids, 999_999])).status).toBe(404)
    expect((await instance.api.get('/flights')).body.data).toHaveLength(2)
  })

  test('restores the other flights if one was restored before', async () => {
    const instance = await withFlights(2)
    const { api, ids, undo, shownNotice, record } = instance
    await remove(instance, ids)
    expect((await api.post(`/flights/deleted/${ids[0]}/restore`, {})).status).toBe(200)
    await undo('/')
    expect(await shownNotice('/')).toBe('1 flight restored.')
    for (const id of ids) expect((await record(id)).id).toBe(id)
  })

  test('offers Undo only to users who may restore the flights', async () => {
    const role = ['flight.read.own', 'flight.update.own', 'flight.passengers.manage.own', 'flight.delete.own'] as const
    const { app, api, user, owner, services, fromId, toId } = await withFlights(0)
    const editor = user({ role: [...role] })
    const passengers = [{ userId: owner.id }, { userId: editor.id }]
    const { id } = (await api.post('/flights', { date: '2024-01-01', fromId, toId, passengers })).body.data
    const visitor = browserSession(app)
    visitor.jar.set('paxlog', await services.sessions.start(editor.id))
    expect((await visitor.submit('/', '/flights', { flight: [String(id)], action: 'delete' })).status).toBe(303)
    const { html } = await visitor.get('/')
    expect(noticeIn(html)).toBe('1 flight deleted.')
    expect(html).not.toContain('action="/undo/')
  })

  test('needs the permission to delete, and is not offered if deleted flights are not kept', async () => {
    const role = ['flight.read.own', 'flight.create.own', 'flight.update.own', 'flight.passengers.manage.own'] as const
    const { app, as, user, services, fromId, toId } = await withFlights(0)
    const editor = user({ role: [...role] })
    const { id } = (await as(editor).post('/flights', { date: '2024-01-01', fromId, toId })).body.data
    const visitor = browserSession(app)
    visitor.jar.set('paxlog', await services.sessions.start(editor.id))
    const { html } = await visitor.get('/')
    expect(html).toContain('name="seatClass"')
    expect(html).not.toContain('value="delete"')
    expect((await visitor.submit('/', '/flights', { flight: [String(id)], action: 'delete' })).status).toBe(403)
    const final = await withFlights(1, [], { deletedFlightsDays: 0 })
    expect((await final.browser.get('/')).html).not.toContain('value="delete"')
    expect((await remove(final, final.ids)).status).toBe(404)
    expect((await final.api.get('/flights')).body.data).toHaveLength(1)
  })
})

describe('adding several flights to a trip', () => {
  test('moves them to a trip that exists, also from other trips, and back by Undo', async () => {
    const { change, createTrip, flightsOfTrips, ids, undo, shownNotice, browser } = await withFlights(4)
    const [first, second, third, fourth] = ids as [number, number, number, number]
    const lisbon = await createTrip('Lisbon', [fourth])
    await createTrip('Other', [first, third])
    expect((await browser.get('/')).html).toContain(`<option value="${lisbon}">Lisbon</option>`)
    const answer = await change([first, second, fourth], { action: 'trip', trip: String(lisbon), tripName: 'Ignored' })
    expect([answer.status, answer.location]).toEqual([303, '/?year=2024'])
    expect(await flightsOfTrips()).toEqual({ Lisbon: [first, second, fourth], Other: [third] })
    // The fourth flight was in the trip before.
    expect((await undo('/')).location).toBe('/?year=2024')
    expect(await shownNotice('/')).toBe('2 flights moved back.')
    expect(await flightsOfTrips()).toEqual({ Lisbon: [fourth], Other: [first, third] })
  })

  test('creates a new trip, which Undo deletes again', async () => {
    const { change, createTrip, flightsOfTrips, ids, undo, shownNotice, services, owner } = await withFlights(2)
    await createTrip('Other', [ids[0]!])
    await change(ids, { action: 'trip', trip: '', tripName: '  New <trip> ' })
    expect(await flightsOfTrips()).toEqual({ 'New <trip>': ids, Other: [] })
    await undo('/')
    expect(await shownNotice('/')).toBe('2 flights moved back.')
    expect(await flightsOfTrips()).toEqual({ Other: [ids[0]] })
    const kinds = [...services.activity.history(0, { id: owner.id, username: 'mira' })].map(({ kind }) => kind)
    expect(kinds.slice(-4).sort()).toEqual(['trip.changed', 'trip.changed', 'trip.created', 'trip.deleted'])
  })

  test('keeps a new trip with flights that were added since, and moves only flights that are still in it', async () => {
    const { change, createTrip, flightsOfTrips, api, ids, undo, shownNotice } = await withFlights(3)
    const [first, second, third] = ids as [number, number, number]
    await change([first, second], { action: 'trip', tripName: 'New' })
    const id = (await api.get('/trips')).body.data[0].id
    await api.put(`/trips/${id}`, { name: 'New', flightIds: [first, second, third] })
    await createTrip('Later', [second])
    await undo('/')
    expect(await shownNotice('/')).toBe('1 flight moved back.')
    expect(await flightsOfTrips()).toEqual({ New: [third], Later: [second] })
  })

  test('takes a flight out of the trip if its former trip was deleted, and cannot undo a move to a deleted trip', async () => {
    const { change, createTrip, flightsOfTrips, api, ids, undo, shownNotice } = await withFlights(2)
    const [former, lisbon] = [await createTrip('Former', [ids[0]!]), await createTrip('Lisbon')]
    await change(ids, { action: 'trip', trip: String(lisbon) })
    await api.delete(`/trips/${former}`)
    await undo('/')
    expect(await shownNotice('/')).toBe('2 flights moved back.')
    expect(await flightsOfTrips()).toEqual({ Lisbon: [] })
    await change(ids, { action: 'trip', trip: String(lisbon) })
    await api.delete(`/trips/${lisbon}`)
    await undo('/')
    expect(await shownNotice('/')).toBe('This can no longer be undone.')
  })

  test('moves all flights or none', async () => {
    const { change, createTrip, flightsOfTrips, ids, as, user, fromId, toId } = await withFlights(2)
    const trip = await createTrip('Lisbon')
    const stranger = user()
    const foreign = (await as(stranger).post('/flights', { date: '2024-01-01', fromId, toId })).body.data.id
    const theirs = (await as(stranger).post('/trips', { name: 'Theirs' })).body.data.id
    for (const unknown of [foreign, 999_999]) {
      expect((await change([...ids, unknown], { action: 'trip', trip: String(trip) })).status).toBe(404)
      expect((await change([...ids, unknown], { action: 'trip', tripName: 'New' })).status).toBe(404)
    }
    for (const wrong of [theirs, 999_999, 'x']) {
      expect((await change(ids, { action: 'trip', trip: String(wrong) })).status).toBe(404)
    }
    expect(await flightsOfTrips()).toEqual({ Lisbon: [] })
  })

  test('explains what is missing', async () => {
    const { change, createTrip, flightsOfTrips, ids, shownNotice } = await withFlights(2)
    const outcomes = async (flight: readonly number[], fields: Record<string, string>) => {
      await change(flight, { action: 'trip', ...fields })
      return await shownNotice('/')
    }
    const missing = 'Choose a trip, or enter a name of at most 100 characters for a new one.'
    expect(await outcomes([], { tripName: 'New' })).toBe('Select at least one flight.')
    expect(await outcomes(ids, {})).toBe(missing)
    expect(await outcomes(ids, { tripName: '   ' })).toBe(missing)
    expect(await outcomes(ids, { tripName: 'é'.repeat(101) })).toBe(missing)
    const trip = await createTrip('Full', ids)
    expect(await outcomes(ids, { trip: String(trip) })).toBe('The selected flights are already in this trip.')
    expect(await flightsOfTrips()).toEqual({ Full: ids })
  })

  test('fills a trip up to 500 flights', async () => {
    const { change, createTrip, api, ids, shownNotice, db, owner } = await withFlights(2)
    const trip = await createTrip('Long')
    runNow(
      db,
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 499)
       insert into flights (date, date_precision, from_id, to_id, completed_from, created_at, updated_at)
       select '2020-01-01', 'day', from_id, to_id, 0, created_at, updated_at from flights, numbers where id = ?`,
      ids[0]!,
    )
    runNow(
      db,
      `insert into passengers (flight_id, user_id, date, trip_id)
       select id, ?, date, ? from flights where date = '2020-01-01'`,
      owner.id,
      trip,
    )
    const sizeOfTrip = async () => (await api.get(`/trips/${trip}`)).body.data.flights
    await change(ids, { action: 'trip', trip: String(trip) })
    expect(await shownNotice('/')).toBe('A trip can have at most 500 flights.')
    expect(await sizeOfTrip()).toBe(499)
    await change(ids.slice(0, 1), { action: 'trip', trip: String(trip) })
    expect(await sizeOfTrip()).toBe(500)
  })

  test('needs only the permission to update own flights', async () => {
    const { app, as, user, services, fromId, toId } = await withFlights(0)
    const editor = user({ role: ['flight.read.own', 'flight.create.own', 'flight.update.own'] })
    const { id } = (await as(editor).post('/flights', { date: '2024-01-01', fromId, toId })).body.data
    const visitor = browserSession(app)
    visitor.jar.set('paxlog', await services.sessions.start(editor.id))
    const { html } = await visitor.get('/')
    expect(html).toContain('name="tripName"')
    expect(html).not.toContain('id="bulk-class"')
    expect((await visitor.submit('/', '/flights', { flight: [String(id)], seatClass: 'first' })).status).toBe(403)
    const added = await visitor.submit('/', '/flights', { flight: [String(id)], action: 'trip', tripName: 'New' })
    expect(added.status).toBe(303)
    expect((await as(editor).get('/trips')).body.data[0].flightIds).toEqual([id])
    const reader = user({ role: ['flight.read.own', 'flight.create.own'] })
    const other = (await as(reader).post('/flights', { date: '2024-01-01', fromId, toId })).body.data.id
    visitor.jar.set('paxlog', await services.sessions.start(reader.id))
    const refused = await visitor.submit('/', '/flights', { flight: [String(other)], action: 'trip', tripName: 'New' })
    expect(refused.status).toBe(403)
  })
})

describe('the statements of a change', () => {
  test('do not grow with the number of flights, except for their activity', async () => {
    useOneProcess()
    const recorded: string[][] = []
    const onOpen = ({ $client }: Db) => void recorded.push(recordStatements($client))
    const { change, ids } = await withFlights(40, [], { unused: true, onOpen })
    const executed = recorded[0]!
    const countFor = async (some: readonly number[], seatClass: string) => {
      executed.length = 0
      expect((await change(some, { seatClass })).status).toBe(303)
      return executed.filter((sql) => !/activity/.test(sql)).length
    }
    await countFor(ids.slice(0, 1), 'first')
    const few = await countFor(ids.slice(0, 2), 'business')
    expect(await countFor(ids, 'economy')).toBe(few)
  })
})
