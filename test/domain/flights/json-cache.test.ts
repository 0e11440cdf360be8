import { describe, expect, test } from 'vitest'
import { flightJsonCache } from '../../../src/domain/flights/cache/json-cache.ts'
import { recordWriters } from '../../../src/http/shared/serializer.ts'
import { flightLog } from '../../support/flight-log.ts'
import { otherConnection } from '../../support/other-connection.ts'
import { runNow } from '../../support/write-now.ts'

/** A log of three flights, and a function that returns which of them a request reads from the database. */
async function threeFlights() {
  const log = await flightLog()
  const ids: number[] = []
  for (let count = 0; count < 3; count++) ids.push((await log.flight()).id)
  const { services, db } = log
  function readAgain(): number[] {
    let read: readonly number[] = []
    const source = {
      partsOf: (missing: readonly number[]) => [missing.map((id) => ({ id }))],
      read(rows: readonly { id: number }[]) {
        read = rows.map(({ id }) => id)
        return services.flights.log.read(read)
      },
    }
    const found = flightJsonCache(db).get(ids, source, { form: { name: 'v1', write: recordWriters.flight } })
    expect(found.map(({ json }) => JSON.parse(String(json)).id)).toEqual(
      ids.filter((id) => services.flights.log.read([id]).length > 0),
    )
    return read.map((id) => ids.indexOf(id))
  }
  readAgain()
  return { ...log, ids, readAgain }
}

describe('the JSON cache of flights', () => {
  test('is invalidated only for the flights that a write names', async () => {
    const { as, mira, ids, plain, readAgain, flight } = await threeFlights()
    expect(readAgain()).toEqual([])
    await as(mira).put(`/flights/${ids[1]}`, { ...plain, note: 'changed' })
    expect(readAgain()).toEqual([1])
    const track = {
      sourceFormat: 'gpx',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    }
    await as(mira).put(`/flights/${ids[0]}/track`, track)
    expect(readAgain()).toEqual([0])
    expect((await as(mira).get(`/flights/${ids[0]}`)).body.data.track).toMatchObject({ pointCount: 2 })
    await flight()
    expect(readAgain()).toEqual([])
    await as(mira).delete(`/flights/${ids[2]}`)
    expect(readAgain()).toEqual([2])
  })

  test('is invalidated for all flights after any other write of any process', async () => {
    const { db, dataDir, mira, readAgain, as, ids } = await threeFlights()
    runNow(db, "update users set display_name = 'Mira the Second' where id = ?", mira.id)
    expect((await as(mira).get(`/flights/${ids[0]}`)).body.data.passengers[0].user.displayName).toBe('Mira the Second')
    expect(readAgain()).toEqual([1, 2])
    runNow(db, "update flights set note = 'by hand'")
    expect(readAgain()).toEqual([0, 1, 2])
    otherConnection(dataDir).exec("update flights set note = 'elsewhere' where id = 1")
    expect(readAgain()).toEqual([0, 1, 2])
  })

  test('returns current related records in every format after a write of any process', async () => {
    const { dataDir, db, mira, request, as, admin, flight, field, airlines, aircraft } = await flightLog()
    const meal = await field({ key: 'meal', fieldType: 'text' })
    const { id } = await flight({
      airlineId: Object.values(airlines)[0],
      aircraftId: Object.values(aircraft)[0],
      customFields: { meal: 'Rösti' },
    })
    const headers = { authorization: `Bearer ${mira.key}` }
    const read = async (url: string) => (await request({ method: 'GET', url, headers })).text
    const flightUrls = [`/api/v1/flights/${id}`, '/api/v1/flights', `/api/flight/get/${id}`, '/api/flight/list']
    const textsOf = async (urls: readonly string[]) => Promise.all(urls.map(read))
    const all = [...flightUrls, '/api/v1/flights/export']
    const other = otherConnection(dataDir)
    const changes = [
      ["update users set display_name = 'Mira the Second' where username = 'mira'", 'Mira the Second'],
      ["update airports set name = 'Somewhere' where id = (select from_id from flights)", 'Somewhere'],
      ["update airports set timezone = 'Asia/Tokyo' where id = (select to_id from flights)", 'Asia/Tokyo'],
      ["update airlines set name = 'Wings', icao = null, iata = null", 'Wings'],
      ["update aircraft set name = 'Kite', icao = null", 'Kite'],
      ["update flights set note = 'by hand'", 'by hand'],
    ] as const
    for (const [index, [change, text]] of changes.entries()) {
      for (const before of await textsOf(all)) expect(before).not.toContain(text)
      if (index % 2 === 0) other.exec(change)
      else runNow(db, change)
      for (const after of await textsOf(all)) expect(after).toContain(text)
    }
    for (const text of await textsOf(flightUrls)) expect(text).toContain('Rösti')
    await as(admin).put(`/custom-fields/${meal.id}`, { ...meal, active: false })
    for (const text of await textsOf(flightUrls)) expect(text).not.toContain('Rösti')
    expect(await read('/api/flight/list')).not.toContain('"seats"')
    other.exec('update api_keys set legacy_objects = 1')
    expect(await read('/api/flight/list')).toContain('"seats"')
    other.exec("update roles set permissions = '[]'")
    expect(JSON.parse(await read(`/api/v1/flights/${id}`)).error.code).toBe('not_found')
  })
})
