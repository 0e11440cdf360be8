import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { write } from '../../../src/db/write.ts'
import type { Target } from '../../../src/domain/flights/query/target.ts'
import { otherConnection } from '../../support/other-connection.ts'
import { type PaxlogOptions, paxlog } from '../../support/paxlog.ts'
import { manyFlights, places } from '../../support/travel.ts'
import { writeNow } from '../../support/write-now.ts'

const FLIGHTS = 9_000

/** A log of several slices, with functions to request its statistics. */
async function largeLog(options: PaxlogOptions = {}) {
  const app = await paxlog(options)
  const mira = app.user()
  const placeIds = places(app.db)
  manyFlights(app.db, placeIds, mira.id, FLIGHTS)
  const sql = (text: string, ...values: unknown[]) =>
    writeNow(app.db, () => app.db.$client.prepare(text).run(...values))
  const mine: Target = { userId: mira.id }
  const getStats = (target: Target = mine) => app.services.stats.of(target)
  const expectedTotals = () =>
    app.db.$client
      .prepare(
        `select count(*) as flights, sum(duration) as durationSeconds from flights
         where id in (select flight_id from passengers where user_id = ?)`,
      )
      .get(mira.id)
  /** Runs the work in every turn of the event loop until the request resolves, and returns the number of turns. */
  async function runUntilDone(
    request: Promise<unknown>,
    work: (turn: number) => void = () => undefined,
  ): Promise<number> {
    let isDone = false
    request.finally(() => {
      isDone = true
    })
    let turns = 0
    for (; !isDone; turns++) {
      work(turns)
      await nextTurn()
    }
    return turns
  }
  return { app, mira, placeIds, mine, sql, getStats, expectedTotals, runUntilDone }
}

const oldest = 'select id from flights order by date, id limit 1 offset ?'
const newest = 'select id from flights order by date desc, id desc limit 1 offset ?'

describe('the first scan of a large log', () => {
  test.each(['mine', 'all'])('yields to other requests (%s)', async (scope) => {
    const { getStats, expectedTotals, runUntilDone, mine } = await largeLog()
    const request = getStats(scope === 'all' ? 'all' : mine)
    expect(await runUntilDone(request)).toBeGreaterThanOrEqual(4)
    expect(await request).toMatchObject(expectedTotals() as object)
  })

  test('counts concurrent writes before and after its position', async () => {
    const { sql, getStats, expectedTotals, runUntilDone, mira } = await largeLog()
    const redate = (which: string, day: string) => {
      sql(`update passengers set date = ? where flight_id = (${which})`, day, 0)
      sql(`update flights set date = ?, duration = duration + 1 where id = (${which})`, day, 0)
    }
    const writes = [
      () => redate(oldest, '2099-01-01'),
      () => redate(newest, '1970-01-01'),
      () => sql(`delete from flights where id = (${oldest})`, 10),
      () => {
        sql(`delete from flights where id = (${newest})`, 10)
        sql(`delete from passengers where flight_id = (${oldest})`, 20)
      },
      () => {
        const columns = 'date, date_precision, duration, from_id, to_id, completed_from, created_at, updated_at'
        const { lastInsertRowid } = sql(
          `insert into flights (${columns}) select '1980-01-01', 'day', 77, from_id, to_id, 0, '', '' from flights limit 1`,
        )
        sql(`insert into passengers (flight_id, user_id, date) values (?, ?, '1980-01-01')`, lastInsertRowid, mira.id)
      },
    ]
    const request = getStats()
    const turns = await runUntilDone(request, (turn) => {
      writes[turn]?.()
    })
    expect(turns).toBeGreaterThanOrEqual(3)
    for (const change of writes.slice(turns)) change()
    expect(await getStats()).toMatchObject(expectedTotals() as object)
  })

  test('returns a scan that began after the request, even if flights are written in every turn', async () => {
    const { sql, getStats, runUntilDone } = await largeLog()
    const early = getStats()
    sql('update flights set duration = 77')
    const request = getStats()
    await runUntilDone(request, (turn) => sql('update flights set note = ? where id % 7 = 0', String(turn)))
    await early
    expect(await request).toMatchObject({ flights: FLIGHTS, durationSeconds: FLIGHTS * 77 })
  })

  test('completes even if another process commits in every turn', async () => {
    const { app, getStats, runUntilDone } = await largeLog()
    const other = otherConnection(app.dataDir)
    const deleteOldest = other.prepare('delete from flights where id = (select min(id) from flights)')
    const request = getStats()
    const turns = await runUntilDone(request, () => deleteOldest.run())
    expect((await request).flights).toBeGreaterThanOrEqual(FLIGHTS - turns)
    expect((await request).flights).toBeLessThan(FLIGHTS)
  })

  test('returns the same result to all concurrent requests', async () => {
    const { getStats, runUntilDone } = await largeLog()
    const requests = [getStats(), getStats(), getStats()]
    await runUntilDone(Promise.all(requests))
    const [first, ...others] = await Promise.all(requests)
    for (const each of others) expect(each).toBe(first)
  })
})

describe('a scanned log', () => {
  test('is not scanned again after a write that changes no flight', async () => {
    const { app, getStats, runUntilDone } = await largeLog()
    const first = await getStats()
    await write(app.db, 'uncached', () => app.db.$client.exec('update api_keys set last_used_at = 1'))
    const request = getStats()
    // The cached result is available in the same turn.
    expect(await runUntilDone(request)).toBe(1)
    expect(await request).toBe(first)
  })

  test('returns statistics without blocking even if it is large and written in every turn', async () => {
    const { app, mira, placeIds, sql, getStats, runUntilDone } = await largeLog()
    manyFlights(app.db, placeIds, mira.id, 12_000)
    const request = getStats()
    const turns = await runUntilDone(request, (turn) => sql('update flights set note = ? where id = 1', String(turn)))
    expect((await request).flights).toBe(FLIGHTS + 12_000)
    // Every scan of 11 slices yields, including the last one.
    expect(turns).toBeGreaterThanOrEqual(20)
  })

  test('keeps its previous state if a later scan fails', async () => {
    let now = Date.now()
    const { sql, getStats, expectedTotals } = await largeLog({ now: () => now })
    // One block expires by time and another by a write. Both must be read again after the failure.
    sql('update flights set completed_from = ? where id = 1', now + 1000)
    await getStats()
    const failing = async () => {
      sql('alter table flights rename column distance_meters to lost')
      await expect(getStats()).rejects.toThrow(/distance_meters/)
      sql('alter table flights rename column lost to distance_meters')
    }
    now += 1001
    await failing()
    expect(await getStats()).toMatchObject(expectedTotals() as object)
    sql('update flights set duration = 5 where id in (2, 3000)')
    await failing()
    expect(await getStats()).toMatchObject(expectedTotals() as object)
  })
})
