import { describe, expect, test } from 'vitest'
import { longTrack } from '../../support/factory.ts'
import { flightLog } from '../../support/flight-log.ts'
import { otherConnection } from '../../support/other-connection.ts'
import { runNow } from '../../support/write-now.ts'

const STRONG_TAG = /^"[\w-]{27}"$/
const track = {
  coordinates: [
    [8.548, 47.458, 430],
    [-9.136, 38.781],
  ],
  sourceFormat: 'gpx',
}

async function conditional() {
  const log = await flightLog()
  const mira = log.as(log.mira)
  const { id } = await log.flight()
  const path = `/flights/${id}`
  const tagOf = async (url: string) => String((await mira.get(url)).headers.etag)
  return { ...log, api: mira, id, path, tagOf }
}

describe('a conditional read', () => {
  test('has a strong ETag, is privately cacheable and returns 304 without a body for a known tag', async () => {
    const { api, path } = await conditional()
    const statistics = ['/stats', '/stats/breakdown?by=year', '/stats/records', '/stats/punctuality', '/countries']
    const records = ['/airports/1', '/airlines/1', '/aircraft/1']
    const lists = ['/flights', '/flights?limit=1', '/flights/changes']
    for (const url of [path, `${path}/track`, ...lists, ...statistics, ...records]) {
      const full = await api.get(url)
      expect([url, full.status]).toEqual([url, 200])
      const headers = { etag: full.headers.etag, 'cache-control': 'private, no-cache', vary: 'Authorization' }
      expect(full.headers).toMatchObject(headers)
      expect(full.headers.etag).toMatch(STRONG_TAG)
      const tag = String(full.headers.etag)
      for (const listed of [tag, `W/${tag}`, '*', ` * `, `"other", ${tag}`, `"a,b",W/${tag} , "c"`]) {
        const known = await api.get(url, undefined, { 'if-none-match': listed })
        expect([listed, known.status, known.text]).toEqual([listed, 304, ''])
        expect(known.headers).toMatchObject(headers)
        expect(known.headers).not.toHaveProperty('content-type')
        expect(known.headers).not.toHaveProperty('content-length')
      }
      for (const listed of ['"other"', '', tag.slice(1, -1), `"*"`, `"${tag.slice(2)}`]) {
        const unknown = await api.get(url, undefined, { 'if-none-match': listed })
        expect([listed, unknown.status, unknown.text]).toEqual([listed, 200, full.text])
      }
    }
  })

  test('has a new tag when the content changes, including a related name', async () => {
    const { api, path, tagOf, mira, db } = await conditional()
    const before = await tagOf(path)
    expect(await tagOf(path)).toBe(before)
    runNow(db, 'update users set display_name = ? where id = ?', 'Mira the Second', mira.id)
    const renamed = await tagOf(path)
    expect(renamed).not.toBe(before)
    await api.put(`${path}/track`, track)
    expect(await tagOf(path)).not.toBe(renamed)
  })

  test('returns 304 only while the same caller would get the same response', async () => {
    const { api, path, mira, noor, as, db, dataDir, flight, plain } = await conditional()
    const listed = async (url: string, by = api) => {
      const { etag } = (await by.get(url)).headers
      return { 'if-none-match': String(etag) }
    }
    const statusOf = async (url: string, headers: Record<string, string>, by = api) =>
      (await by.get(url, undefined, headers)).status
    const changes: [name: string, change: () => unknown][] = [
      ['a write of this flight', () => api.put(path, { ...plain, note: 'changed' })],
      ['a name', () => runNow(db, 'update users set display_name = ? where id = ?', 'Mira III', mira.id)],
      ['a name, by another process', () => otherConnection(dataDir).exec("update users set display_name = 'Mira IV'")],
    ]
    for (const [name, change] of changes) {
      for (const url of [path, '/flights']) {
        const headers = await listed(url)
        expect([name, url, await statusOf(url, headers)]).toEqual([name, url, 304])
        // The tag of another user does not bypass the permission check.
        expect(await statusOf(url, headers, as(noor))).not.toBe(304)
      }
      const [flightTag, listTag] = [await listed(path), await listed('/flights')]
      await change()
      expect([name, await statusOf(path, flightTag), await statusOf('/flights', listTag)]).toEqual([name, 200, 200])
    }
    const headers = await listed('/flights')
    await flight()
    expect(await statusOf('/flights', headers)).toBe(200)
    const flightTag = await listed(path)
    otherConnection(dataDir).exec("update roles set permissions = '[]'")
    expect(await statusOf(path, flightTag)).toBe(404)
  })

  test('of completed flights changes when another flight is completed, even without a write', async () => {
    let now = Date.parse('2025-05-04T08:00:00.000Z')
    const { as, mira, flight } = await flightLog({ now: () => now })
    await flight({ departure: '2025-05-04T09:00:00Z', arrival: '2025-05-04T11:00:00Z', date: '2025-05-04' })
    const url = '/flights?completed=true'
    const before = await as(mira).get(url)
    const headers = { 'if-none-match': String(before.headers.etag) }
    expect((await as(mira).get(url, undefined, headers)).status).toBe(304)
    now = Date.parse('2025-05-05T08:00:00.000Z')
    const after = await as(mira).get(url, undefined, headers)
    expect([after.status, after.body.data.length]).toEqual([200, 1])
  })

  test('answers HEAD like GET', async () => {
    const { request, mira, path, api } = await conditional()
    const call = { method: 'HEAD' as const, url: `/api/v1${path}`, headers: { authorization: `Bearer ${mira.key}` } }
    const [full, head] = [await api.get(path), await request(call)]
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', full.headers.etag])
    const known = await request({ ...call, headers: { ...call.headers, 'if-none-match': String(head.headers.etag) } })
    expect([known.status, known.text, known.headers['content-length']]).toEqual([
      304,
      '',
      head.headers['content-length'],
    ])
  })

  test('checks credential and permission before the tag', async () => {
    const { api, as, user, path } = await conditional()
    const headers = { 'if-none-match': '*' }
    const errors = [
      await as(undefined).get(path, undefined, headers),
      await as('nonsense').get(path, undefined, headers),
      await as(user({ scopes: ['profile.read'] })).get(path, undefined, headers),
      await as(user()).get(path, undefined, headers),
      await api.get('/flights?limit=0', undefined, headers),
    ]
    expect(errors.map(({ status }) => status)).toEqual([401, 401, 403, 404, 400])
    for (const error of errors) {
      expect(error.headers['cache-control']).toBe('private, no-store')
      expect(error.headers).not.toHaveProperty('etag')
      expect(error.headers).not.toHaveProperty('vary')
    }
  })
})

describe('a conditional write', () => {
  test('returns the tag that the next read returns', async () => {
    const { api, flight, tagOf, mira } = await conditional()
    const { id } = await flight()
    const body = (await api.get(`/flights/${id}`)).body.data
    const sent = { date: body.date, fromId: body.from.id, toId: body.to.id }
    const created = await api.post('/flights', { ...sent, note: 'Grüezi ✈' })
    expect([created.status, created.headers.etag]).toEqual([201, await tagOf(`/flights/${created.body.data.id}`)])
    expect(created.headers['cache-control']).toBe('private, no-store')
    const several = { ...sent, track, passengers: [{ userId: mira.id }, { guestName: 'Jo' }] }
    const withTrack = await api.post('/flights', several)
    expect(withTrack.headers.etag).toBe(await tagOf(`/flights/${withTrack.body.data.id}`))
    const updated = await api.put(`/flights/${id}`, { ...sent, note: 'changed' })
    expect([updated.status, updated.headers.etag]).toEqual([200, await tagOf(`/flights/${id}`)])
    const stored = await api.put(`/flights/${id}/track`, track)
    expect([stored.status, stored.headers.etag]).toEqual([200, await tagOf(`/flights/${id}/track`)])
  })

  test('succeeds only if If-Match lists the current tag or *', async () => {
    const { api, path, tagOf, db } = await conditional()
    const { data } = (await api.get(path)).body
    const sent = { date: data.date, fromId: data.from.id, toId: data.to.id }
    const writes = [
      { url: path, send: (headers: Record<string, string>) => api.put(path, { ...sent, note: 'mine' }, headers) },
      { url: `${path}/track`, send: (headers: Record<string, string>) => api.put(`${path}/track`, track, headers) },
      {
        url: `${path}/track`,
        send: (headers: Record<string, string>) => api.delete(`${path}/track`, undefined, headers),
      },
      { url: path, send: (headers: Record<string, string>) => api.delete(path, undefined, headers) },
    ]
    // Only the change feed is counted, since the last use of a key is also written.
    const changes = () => Number(db.$client.prepare('select max(seq) from change_positions').pluck().get())
    for (const { url, send } of writes) {
      const tag = await tagOf(url)
      const first = changes()
      for (const listed of ['"other"', `W/${tag}`, '', tag.slice(1, -1), `W/${tag}, "other"`]) {
        const before = changes()
        const rejected = await send({ 'if-match': listed })
        expect([listed, rejected.status, rejected.body?.error.code]).toEqual([listed, 412, 'precondition_failed'])
        expect(rejected.headers['cache-control']).toBe('private, no-store')
        expect(changes()).toBe(before)
      }
      const { status } = await send({ 'if-match': `"other", W/${tag}, ${tag}` })
      expect(status).toBeLessThan(300)
      expect(changes()).toBeGreaterThan(first)
    }
    expect((await api.get(path)).status).toBe(404)
  })

  test('with * only requires the flight to exist', async () => {
    const { api, path } = await conditional()
    expect((await api.put(`${path}/track`, track, { 'if-match': '*' })).status).toBe(200)
    expect((await api.delete(path, undefined, { 'if-match': '*' })).status).toBe(204)
    expect((await api.delete(path, undefined, { 'if-match': '*' })).status).toBe(404)
  })

  test('is checked after 404, 403 and body validation, and before validation against stored data', async () => {
    const { api, as, user, path } = await conditional()
    const headers = { 'if-match': '"other"' }
    const { data } = (await api.get(path)).body
    const unknownAirport = { date: data.date, fromId: data.from.id, toId: 999_999_999 }
    const answers = [
      await as(user()).put(path, unknownAirport, headers),
      await api.put('/flights/999999', unknownAirport, headers),
      await as(user({ scopes: ['flight.read.own'] })).put(path, unknownAirport, headers),
      await api.put(path, { date: 'no day' }, headers),
      await api.put(path, unknownAirport, headers),
      await api.put(path, unknownAirport),
      await api.put(`${path}/track`, { coordinates: [] }, headers),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 403, 422, 412, 422, 422])
  })

  test('succeeds for only one of several concurrent writes with the same tag', async () => {
    const { api, path, tagOf } = await conditional()
    const { data } = (await api.get(path)).body
    const sent = { date: data.date, fromId: data.from.id, toId: data.to.id }
    const headers = { 'if-match': await tagOf(path) }
    const all = await Promise.all([1, 2, 3, 4, 5].map((n) => api.put(path, { ...sent, note: `n${n}` }, headers)))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412, 412])
    const [winner] = all.filter(({ status }) => status === 200)
    expect((await api.get(path)).body.data.note).toBe(winner!.body.data.note)
  })

  test('of a track succeeds for only one of several concurrent writes, even while tracks are packed', async () => {
    const { api, path, tagOf } = await conditional()
    const url = `${path}/track`
    const headers = { 'if-match': await tagOf(url) }
    const all = await Promise.all([
      api.put(url, longTrack(20_000), headers),
      api.put(url, track, headers),
      api.delete(url, undefined, headers),
    ])
    const statuses = all.map(({ status }) => status)
    expect(statuses.filter((status) => status === 412).length).toBeGreaterThanOrEqual(1)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })

  test('is ignored by the legacy API', async () => {
    const { request, mira, path, id } = await conditional()
    const authorization = `Bearer ${mira.key}`
    const headers = { authorization, 'if-match': '"other"', 'if-none-match': '*' }
    const read = await request({ url: `/api/flight/get/${id}`, headers })
    expect([read.status, read.headers.etag, read.headers['cache-control']]).toEqual([
      200,
      undefined,
      'private, no-store',
    ])
    const removed = await request({ method: 'POST', url: '/api/flight/delete', headers, payload: { id } })
    expect([path, removed.status]).toEqual([path, 200])
  })
})
