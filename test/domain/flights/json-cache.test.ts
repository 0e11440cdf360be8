import { describe, expect, test } from 'vitest'
import { flightJsonCache } from '../../../src/domain/flights/json-cache.ts'
import { flightLog } from '../../support/flight-log.ts'
import { otherConnection } from '../../support/other-connection.ts'

/** Three flights of one log, and the ids that have to be read from the database when all are asked for. */
async function threeFlights() {
  const log = await flightLog()
  const ids: number[] = []
  for (let count = 0; count < 3; count++) ids.push((await log.flight()).id)
  const { services, db } = log
  function readAgain(): number[] {
    let read: readonly number[] = []
    const source = {
      isSmall: () => true,
      read(missing: readonly number[]) {
        read = missing
        return services.flights.log.read(missing)
      },
    }
    const found = flightJsonCache(db).get(ids, source)
    expect(found.map(({ listItem }) => JSON.parse(String(listItem)).id)).toEqual(
      ids.filter((id) => services.flights.log.read([id]).length > 0),
    )
    return read.map((id) => ids.indexOf(id))
  }
  readAgain()
  return { ...log, ids, readAgain }
}

describe('the JSON of flights', () => {
  test('is made again only of the flights that a write names', async () => {
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

  test('is made again of all flights after any other write, here or by another process', async () => {
    const { db, dataDir, mira, readAgain, as, ids } = await threeFlights()
    db.$client.prepare("update users set display_name = 'Mira the Second' where id = ?").run(mira.id)
    expect((await as(mira).get(`/flights/${ids[0]}`)).body.data.passengers[0].user.displayName).toBe('Mira the Second')
    expect(readAgain()).toEqual([1, 2])
    db.$client.exec("update flights set note = 'by hand'")
    expect(readAgain()).toEqual([0, 1, 2])
    otherConnection(dataDir).exec("update flights set note = 'elsewhere' where id = 1")
    expect(readAgain()).toEqual([0, 1, 2])
  })
})
