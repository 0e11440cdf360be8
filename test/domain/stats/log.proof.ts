import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { write } from '../../../src/db/write.ts'
import type { Target } from '../../../src/domain/flights/query/target.ts'
import { otherConnection } from '../../support/other-connection.ts'
import { type PaxlogOptions, paxlog } from '../../support/paxlog.ts'
import { manyFlights, places } from '../../support/travel.ts'
import { writeNow } from '../../support/write-now.ts'

const FLIGHTS = 9_000

/** A log that takes several slices, and whatever else is needed to ask for its figures. */
async function largeLog(options: PaxlogOptions = {}) {
  const app = await paxlog(options)
  const mira = app.user()
  const made = places(app.db)
  manyFlights(app.db, made, mira.id, FLIGHTS)
  const sql = (text: string, ...values: unknown[]) =>
    writeNow(app.db, () => app.db.$client.prepare(text).run(...values))
  const mine: Target = { userId: mira.id }
  const figures = (target: Target = mine) => app.services.stats.of(target)
  const wanted = () =>
    app.db.$client
      .prepare(
        `select count(*) as flights, sum(duration) as durationSeconds from flights
         where id in (select flight_id from passengers where user_id = ?)`,
      )
      .get(mira.id)
  /** Runs something in every turn until the figures are there, and says how many turns that took. */
  async function meanwhile(asked: Promise<unknown>, work: (turn: number) => void = () => undefined): Promise<number> {
    let answered = false
    asked.finally(() => {
      answered = true
    })
    let turns = 0
    for (; !answered; turns++) {
      work(turns)
      await nextTurn()
    }
    return turns
  }
  return { app, mira, made, mine, sql, figures, wanted, meanwhile }
}

const oldest = 'select id from flights order by date, id limit 1 offset ?'
const newest = 'select id from flights order by date desc, id desc limit 1 offset ?'

describe('the first pass over a large log', () => {
  test.each(['mine', 'all'])('leaves room for others (%s)', async (scope) => {
    const { figures, wanted, meanwhile, mine } = await largeLog()
    const asked = figures(scope === 'all' ? 'all' : mine)
    expect(await meanwhile(asked)).toBeGreaterThanOrEqual(4)
    expect(await asked).toMatchObject(wanted() as object)
  })

  test('counts what is written meanwhile, before and behind the place that it has reached', async () => {
    const { sql, figures, wanted, meanwhile, mira } = await largeLog()
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
    const asked = figures()
    const turns = await meanwhile(asked, (turn) => {
      writes[turn]?.()
    })
    expect(turns).toBeGreaterThanOrEqual(3)
    for (const change of writes.slice(turns)) change()
    expect(await figures()).toMatchObject(wanted() as object)
  })

  test('returns the figures of a scan that began after the request, also when flights are written in every turn', async () => {
    const { sql, figures, meanwhile } = await largeLog()
    const early = figures()
    sql('update flights set duration = 77')
    const asked = figures()
    await meanwhile(asked, (turn) => sql('update flights set note = ? where id % 7 = 0', String(turn)))
    await early
    expect(await asked).toMatchObject({ flights: FLIGHTS, durationSeconds: FLIGHTS * 77 })
  })

  test('comes to an end although another process commits in every turn', async () => {
    const { app, figures, meanwhile } = await largeLog()
    const other = otherConnection(app.dataDir)
    const take = other.prepare('delete from flights where id = (select min(id) from flights)')
    const asked = figures()
    const turns = await meanwhile(asked, () => take.run())
    expect((await asked).flights).toBeGreaterThanOrEqual(FLIGHTS - turns)
    expect((await asked).flights).toBeLessThan(FLIGHTS)
  })

  test('gives one and the same answer to all who ask meanwhile', async () => {
    const { figures, meanwhile } = await largeLog()
    const asked = [figures(), figures(), figures()]
    await meanwhile(Promise.all(asked))
    const [first, ...others] = await Promise.all(asked)
    for (const each of others) expect(each).toBe(first)
  })
})

describe('a log that was gone through', () => {
  test('is not gone through again for a write that is no flight', async () => {
    const { app, figures, meanwhile } = await largeLog()
    const first = await figures()
    await write(app.db, 'uncached', () => app.db.$client.exec('update api_keys set last_used_at = 1'))
    const asked = figures()
    // The answer is there before the event loop comes round.
    expect(await meanwhile(asked)).toBe(1)
    expect(await asked).toBe(first)
  })

  test('that is long and written in every turn is answered for, and holds nobody up', async () => {
    const { app, mira, made, sql, figures, meanwhile } = await largeLog()
    manyFlights(app.db, made, mira.id, 12_000)
    const asked = figures()
    const turns = await meanwhile(asked, (turn) => sql('update flights set note = ? where id = 1', String(turn)))
    expect((await asked).flights).toBe(FLIGHTS + 12_000)
    // Each scan of 11 slices was done in turns, the last one too.
    expect(turns).toBeGreaterThanOrEqual(20)
  })

  test('is left as it was when reading it again fails half way', async () => {
    let now = Date.now()
    const { sql, figures, wanted } = await largeLog({ now: () => now })
    // One block is outdated by the time, and later another one by a write; what is lost must be read once more.
    sql('update flights set completed_from = ? where id = 1', now + 1000)
    await figures()
    const failing = async () => {
      sql('alter table flights rename column distance_meters to lost')
      await expect(figures()).rejects.toThrow(/distance_meters/)
      sql('alter table flights rename column lost to distance_meters')
    }
    now += 1001
    await failing()
    expect(await figures()).toMatchObject(wanted() as object)
    sql('update flights set duration = 5 where id in (2, 3000)')
    await failing()
    expect(await figures()).toMatchObject(wanted() as object)
  })
})
