import { describe, expect, test } from 'vitest'
import { longTrack } from '../../support/factory.ts'
import { faultsOf, flightLog } from '../../support/flight-log.ts'
import { runNow } from '../../support/write-now.ts'

const line = [
  [8.548, 47.458, 430],
  [-9.136, 38.781],
]
const plain = { coordinates: line, sourceFormat: 'gpx' }

async function withFlight() {
  const log = await flightLog()
  const { id } = await log.flight()
  const path = `/flights/${id}/track`
  return {
    ...log,
    id,
    path,
    put: (body: unknown) => log.as(log.mira).put(path, body),
    get: () => log.as(log.mira).get(path),
    read: async () => (await log.as(log.mira).get(`/flights/${id}`)).body.data,
  }
}

describe('PUT /api/v1/flights/{id}/track', () => {
  test('returns 404 for a flight that is deleted while the track is packed', async () => {
    const { put, as, mira, id } = await withFlight()
    const body = longTrack(100_000)
    const answer = put(body)
    const gone = as(mira).delete(`/flights/${id}`)
    expect((await gone).status).toBe(204)
    expect(await answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
    const again = await as(mira).put(`/flights/${id}/track`, body)
    expect(again.status).toBe(404)
  })

  test('stores a track and returns its record', async () => {
    const { put, get, id, read } = await withFlight()
    const before = await read()
    const body = { ...plain, sourceName: 'lx2084.gpx', times: [1746267600, 1746278100] }
    const answer = await put(body)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    const { createdAt } = answer.body.data
    expect(answer.body).toEqual({ data: { flightId: id, ...body, pointCount: 2, createdAt, updatedAt: createdAt } })
    expect((await get()).text).toBe(answer.text)
    const after = await read()
    expect(after.track).toEqual({ pointCount: 2, updatedAt: createdAt, sourceFormat: 'gpx', sourceName: 'lx2084.gpx' })
    expect(after.updatedAt).toBe(createdAt)
    expect(after.updatedAt > before.updatedAt).toBe(true)
    expect(after.createdAt).toBe(before.createdAt)
  })

  test('returns only the optional lists that were stored', async () => {
    const { put } = await withFlight()
    const { data } = (await put(plain)).body
    expect(Object.keys(data).toSorted()).toEqual(
      ['coordinates', 'createdAt', 'flightId', 'pointCount', 'sourceFormat', 'sourceName', 'updatedAt'].toSorted(),
    )
    expect(data.sourceName).toBeNull()
  })

  test('replaces the whole track and keeps createdAt', async () => {
    const { put, get, path, as, mira } = await withFlight()
    const first = (await put({ ...plain, times: [1, 2], ground: [true, false], sourceName: 'a' })).body.data
    const second = (await put({ coordinates: [...line, [0, 0]], sourceFormat: 'kml' })).body.data
    expect(second).toEqual({
      flightId: first.flightId,
      coordinates: [...line, [0, 0]],
      sourceFormat: 'kml',
      sourceName: null,
      pointCount: 3,
      createdAt: first.createdAt,
      updatedAt: second.updatedAt,
    })
    expect(second.updatedAt > first.updatedAt).toBe(true)
    expect((await get()).body.data).toEqual(second)
    await as(mira).delete(path)
    expect((await put(plain)).body.data.createdAt > first.createdAt).toBe(true)
  })

  test('stores every number exactly and mixes points of both lengths', async () => {
    const { put, get } = await withFlight()
    const track = {
      coordinates: [
        [-180, -90],
        [180, 90, -430.5],
        [0.1 + 0.2, 1e-7, 1e21],
        [-1.7976931348623157e-300, 5e-324, Number.MAX_VALUE],
        [179.99999999999997, -89.99999999999999, Number.MIN_VALUE],
      ],
      sourceFormat: 'csv',
      sourceName: '🛫 "quoted" \\ \u2028',
      times: [-1, 0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 1e15],
      groundSpeedKt: [0.1, -5, 1e300, 450.123456789, 0],
      trackDeg: [360, -0.5, 720.25, 0.30000000000000004, 1],
      ground: [true, false, true, false, true],
      estimated: [false, false, false, false, false],
    }
    expect((await put(track)).body.data).toMatchObject(track)
    expect((await get()).body.data).toMatchObject(track)
  })

  const points = (list: unknown) => ({ ...plain, coordinates: list })
  const column = (name: string, list: unknown) => ({ ...plain, [name]: list })
  const names = ['times', 'groundSpeedKt', 'trackDeg', 'ground', 'estimated']
  const cases: [body: unknown, faults: string[]][] = [
    [{}, ['invalid_type coordinates', 'invalid_type sourceFormat']],
    [[], ['invalid_type ']],
    ['"x"', ['invalid_type ']],
    [{ ...plain, coordinates: undefined }, ['invalid_type coordinates']],
    [points(null), ['invalid_type coordinates']],
    [points({ length: 2 }), ['invalid_type coordinates']],
    [points('x'), ['invalid_type coordinates']],
    [points([]), ['too_small coordinates']],
    [points([[1, 2]]), ['too_small coordinates']],
    [points([[1, 2], null]), ['invalid_type coordinates.1']],
    [points([[1, 2], { 0: 1, 1: 2, length: 2 }]), ['invalid_type coordinates.1']],
    [points([[1, 2], []]), ['too_small coordinates.1']],
    [points([[1, 2], [1]]), ['too_small coordinates.1']],
    [
      points([
        [1, 2],
        [1, 2, 3, 4],
      ]),
      ['too_big coordinates.1'],
    ],
    [
      points([
        [1, 2],
        ['1', 2],
      ]),
      ['invalid_type coordinates.1.0'],
    ],
    [
      points([
        [1, 2],
        [1, null],
      ]),
      ['invalid_type coordinates.1.1'],
    ],
    [
      points([
        [1, 2],
        [1, 2, null],
      ]),
      ['invalid_type coordinates.1.2'],
    ],
    [
      points([
        [1, 2],
        [1, 2, '3'],
      ]),
      ['invalid_type coordinates.1.2'],
    ],
    [
      points([
        [1, 2],
        [180.0001, 2],
      ]),
      ['too_big coordinates.1.0'],
    ],
    [
      points([
        [1, 2],
        [-180.0001, 2],
      ]),
      ['too_small coordinates.1.0'],
    ],
    [
      points([
        [1, 90.0001],
        [1, 2],
      ]),
      ['too_big coordinates.0.1'],
    ],
    [
      points([
        [1, -90.0001],
        [1, 2],
      ]),
      ['too_small coordinates.0.1'],
    ],
    [
      points([
        [200, -100, '1'],
        [[], 2],
      ]),
      [
        'too_big coordinates.0.0',
        'too_small coordinates.0.1',
        'invalid_type coordinates.0.2',
        'invalid_type coordinates.1.0',
      ],
    ],
    [{ coordinates: line }, ['invalid_type sourceFormat']],
    [{ ...plain, sourceFormat: null }, ['invalid_type sourceFormat']],
    [{ ...plain, sourceFormat: 'GPX' }, ['invalid_value sourceFormat']],
    [{ ...plain, sourceName: 5 }, ['invalid_type sourceName']],
    [{ ...plain, sourceName: '🛫'.repeat(256) }, ['too_big sourceName']],
    [{ ...plain, sourceName: 'a\0' }, ['custom sourceName']],
    ...names.flatMap((name): [unknown, string[]][] => [
      [column(name, null), [`invalid_type ${name}`]],
      [column(name, {}), [`invalid_type ${name}`]],
      [column(name, []), [`custom ${name}`]],
      [column(name, [1]), [`custom ${name}`]],
      [column(name, [1, 2, 3]), [`custom ${name}`]],
      [column(name, [null, '1']), [`invalid_type ${name}.0`, `invalid_type ${name}.1`]],
    ]),
    [column('times', [1.5, 2 ** 53]), ['invalid_type times.0', 'invalid_type times.1']],
    [column('ground', [1, 0]), ['invalid_type ground.0', 'invalid_type ground.1']],
    [
      { coordinates: 5, times: 5, sourceFormat: 5, sourceName: 5 },
      ['invalid_type sourceFormat', 'invalid_type sourceName', 'invalid_type coordinates', 'invalid_type times'],
    ],
  ]

  test('rejects invalid members with code and path', async () => {
    const { put, get } = await withFlight()
    for (const [body, faults] of cases) {
      const answer = await put(body)
      expect([answer.status, ...faultsOf(answer)], JSON.stringify(body).slice(0, 200)).toEqual([422, ...faults])
    }
    // Numbers beyond the range of JSON become infinite.
    const infinite = await put('{"coordinates":[[1,2,1e400],[1e400,2]],"sourceFormat":"gpx","groundSpeedKt":[1e400,1]}')
    expect(faultsOf(infinite)).toEqual([
      'invalid_type coordinates.0.2',
      'invalid_type coordinates.1.0',
      'invalid_type groundSpeedKt.0',
    ])
    expect((await get()).body).toEqual({ data: null })
  })

  test('lists at most 50 errors of an invalid track', async () => {
    const { put } = await withFlight()
    const bad = Array.from({ length: 100_000 }, () => 0)
    const answer = await put({ coordinates: bad, sourceFormat: 'gpx', times: bad.map(() => 'x'), ground: bad })
    expect(answer.status).toBe(422)
    expect(answer.body.error.details).toHaveLength(50)
  })

  test('N4: stores 100,000 points completely and rejects 100,001', async () => {
    const { put, get, db, read } = await withFlight()
    const track = longTrack(100_000)
    expect((await put(track)).status).toBe(200)
    const { data } = (await get()).body
    // A comparison by number takes seconds for this many.
    const texts = Object.entries(track).map(([name, value]) => [
      name,
      JSON.stringify(value) === JSON.stringify(data[name]),
    ])
    expect(texts).toEqual(Object.keys(track).map((name) => [name, true]))
    expect(data.pointCount).toBe(100_000)
    const bytes = db.$client.prepare('select length(points) from flight_tracks').pluck().get() as number
    process.stdout.write(`a track of ${JSON.stringify(track).length} bytes takes ${bytes} bytes in the database\n`)
    expect(bytes).toBeLessThan(JSON.stringify(track).length / 2)
    const longer = longTrack(100_001)
    const answer = await put(longer)
    expect([answer.status, ...faultsOf(answer)]).toEqual([422, 'too_big coordinates'])
    expect((await read()).track.pointCount).toBe(100_000)
  })
})

describe('GET and DELETE /api/v1/flights/{id}/track', () => {
  test('GET returns null without a track, and DELETE returns 204 with and without one', async () => {
    const { put, get, as, mira, path, read } = await withFlight()
    expect((await get()).text).toBe('{"data":null}')
    expect((await as(mira).delete(path)).status).toBe(204)
    const { updatedAt } = (await put(plain)).body.data
    const answer = await as(mira).delete(path)
    expect([answer.status, answer.text]).toEqual([204, ''])
    const flight = await read()
    expect(flight.track).toBeNull()
    expect(flight.updatedAt > updatedAt).toBe(true)
    expect((await get()).text).toBe('{"data":null}')
    expect((await as(mira).delete(path)).status).toBe(204)
  })

  test('PUT requires no read scope, and the summary in a flight no track scope', async () => {
    const { as, key, mira, path, id } = await withFlight()
    expect((await as(key(mira.id, ['tracks.write', 'flight.update.own'])).put(path, plain)).status).toBe(200)
    const reader = as(key(mira.id, ['flight.read.own']))
    expect((await reader.get(`/flights/${id}`)).body.data.track).toMatchObject({ pointCount: 2 })
    expect((await reader.get(path)).status).toBe(403)
  })

  test('PUT stores nothing for a flight that is deleted while its track is packed', async () => {
    const { db, put, id } = await withFlight()
    const sent = put(longTrack(20_000))
    // The request is in progress after a few turns of the event loop.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
    runNow(db, 'delete from flights where id = ?', id)
    expect((await sent).status).toBe(404)
    expect(db.$client.prepare('select count(*) from flight_tracks').pluck().get()).toBe(0)
  })
})
