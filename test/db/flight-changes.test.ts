import { describe, expect, test } from 'vitest'
import { BLOCK, flightChanges } from '../../src/db/flight-changes.ts'
import { otherConnection } from '../support/other-connection.ts'
import { paxlog } from '../support/paxlog.ts'
import { places } from '../support/travel.ts'

/** Flights in three blocks, and a way to see what a write is taken for. */
async function instance() {
  const app = await paxlog()
  const changes = flightChanges(app.db)
  const user = app.user()
  const { airports } = places(app.db)
  const sql = (text: string) => app.db.$client.exec(text)
  const columns = 'id, date, date_precision, from_id, to_id, completed_from, created_at, updated_at'
  const flight = (id: number) =>
    `insert into flights (${columns}) values (${id}, '2024-01-01', 'day', ${airports.ZRH}, ${airports.LIS}, 0, '', '')`
  for (const id of [1, BLOCK, 5 * BLOCK]) {
    sql(flight(id))
    sql(`insert into passengers (flight_id, user_id, date) values (${id}, '${user.id}', '2024-01-01')`)
    sql(`insert into passengers (flight_id, guest_name, date) values (${id}, 'Ada', '2024-01-01')`)
  }
  function written(work: () => unknown): number[] | undefined {
    const mark = changes.mark()
    work()
    return changes.since(mark)?.sort((a, b) => a - b)
  }
  return { app, changes, user, airports, sql, flight, written }
}

describe('the watch over flights', () => {
  test('notices every kind of write, and takes each for the block that it is in', async () => {
    const { user, airports, sql, flight, written } = await instance()
    expect(written(() => undefined)).toEqual([])
    expect(written(() => sql(flight(BLOCK - 1)))).toEqual([0])
    expect(written(() => sql(flight(2 * BLOCK)))).toEqual([2])
    expect(written(() => sql(`update flights set note = 'x' where id = ${BLOCK}`))).toEqual([1])
    expect(written(() => sql(`update flights set id = ${9 * BLOCK} where id = ${2 * BLOCK}`))).toEqual([2, 9])
    expect(written(() => sql(`delete from flights where id = ${9 * BLOCK}`))).toEqual([9])
    const row = `(${BLOCK}, 'Noor', '2024-01-01')`
    expect(written(() => sql(`insert into passengers (flight_id, guest_name, date) values ${row}`))).toEqual([1])
    expect(written(() => sql(`update passengers set date = '2024-01-02' where flight_id = 1`))).toEqual([0])
    expect(written(() => sql(`update passengers set flight_id = ${5 * BLOCK} where guest_name = 'Noor'`))).toEqual([
      1, 5,
    ])
    expect(written(() => sql(`delete from passengers where guest_name = 'Noor'`))).toEqual([5])
    // By way of foreign keys, and where SQLite would rather empty a table at once.
    expect(written(() => sql(`delete from users where id = '${user.id}'`))).toEqual([0, 1, 5])
    expect(written(() => sql(`update airports set name = 'x' where id = ${airports.ZRH}`))).toEqual([])
    expect(written(() => sql('delete from flights'))).toEqual([0, 1, 5])
  })

  test('tells what was written since each mark', async () => {
    const { changes, sql } = await instance()
    const touch = (id: number) => sql(`update flights set note = 'x' where id = ${id}`)
    const first = changes.mark()
    touch(1)
    const second = changes.mark()
    touch(BLOCK)
    touch(BLOCK)
    expect([changes.since(first), changes.since(second), changes.since(changes.mark())]).toEqual([[0, 1], [1], []])
    touch(1)
    expect(changes.since(second)?.sort()).toEqual([0, 1])
  })

  test('takes everything for written after a commit of another process, until the next mark', async () => {
    const { app, changes, written, sql } = await instance()
    const other = otherConnection(app.dataDir)
    const before = changes.mark()
    expect(written(() => other.exec("update flights set note = 'x' where id = 1"))).toBeUndefined()
    expect([changes.since(before), changes.since(changes.mark())]).toEqual([undefined, []])
    expect(written(() => sql(`delete from flights where id = ${BLOCK}`))).toEqual([1])
    expect(changes.since(before)).toBeUndefined()
  })

  test('names a write that was undone rather than miss one', async () => {
    const { app, written } = await instance()
    const undone = app.db.$client.transaction(() => {
      app.db.$client.exec("update flights set note = 'x' where id = 1")
      throw new Error('undone')
    })
    expect(written(() => expect(undone).toThrow('undone'))).toEqual([0])
  })

  test('is the same one for everybody on a connection', async () => {
    const { app, changes } = await instance()
    expect(flightChanges(app.db)).toBe(changes)
  })
})

describe('a snapshot', () => {
  test('sees one state, from the look for changes to its end, whatever another process commits', async () => {
    const { app, changes } = await instance()
    const other = otherConnection(app.dataDir)
    const count = app.db.$client.prepare('select count(*) from flights').pluck()
    const mark = changes.mark()
    const seen = changes.snapshot(() => {
      const since = changes.since(mark)
      other.exec('delete from flights where id = 1')
      return [since, count.get(), changes.since(mark)]
    })
    expect(seen).toEqual([[], 3, []])
    expect([count.get(), changes.since(mark)]).toEqual([2, undefined])
  })

  test('is refused inside a transaction, whose writes may be undone', async () => {
    const { app, changes } = await instance()
    const inside = app.db.$client.transaction(() => changes.snapshot(() => undefined))
    expect(inside).toThrow('inside a transaction')
  })
})
