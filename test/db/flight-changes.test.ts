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
  const writeOf = (...ids: number[]) =>
    changes.write(() => {
      for (const id of ids) {
        changes.written(id)
        sql(`update flights set note = 'x' where id = ${id}`)
      }
    })
  return { app, changes, user, sql, written, writeOf }
}

describe('the watch over flights', () => {
  test('names the blocks of flights that a write names, and of nothing else', async () => {
    const { written, writeOf } = await instance()
    expect(written(() => undefined)).toEqual([])
    expect(written(() => writeOf(BLOCK - 1))).toEqual([0])
    expect(written(() => writeOf(BLOCK))).toEqual([1])
    expect(written(() => writeOf(5 * BLOCK, 1))).toEqual([0, 5])
  })

  test('takes everything for written after any other write, also by way of foreign keys, until the next mark', async () => {
    const { changes, user, sql, written, writeOf } = await instance()
    const before = changes.mark()
    expect(written(() => sql("update flights set note = 'x' where id = 1"))).toBeUndefined()
    expect(written(() => sql(`delete from users where id = '${user.id}'`))).toBeUndefined()
    // It says that it writes flights, but not which.
    expect(written(() => changes.write(() => sql('delete from flights')))).toBeUndefined()
    expect([changes.since(before), changes.since(changes.mark())]).toEqual([undefined, []])
    expect(written(() => writeOf(BLOCK))).toEqual([1])
    expect(changes.since(before)).toBeUndefined()
  })

  test('tells what was written since each mark', async () => {
    const { changes, writeOf } = await instance()
    const first = changes.mark()
    writeOf(1)
    const second = changes.mark()
    writeOf(BLOCK)
    writeOf(BLOCK)
    expect([changes.since(first), changes.since(second), changes.since(changes.mark())]).toEqual([[0, 1], [1], []])
    writeOf(1)
    expect(changes.since(second)?.sort()).toEqual([0, 1])
  })

  test('takes everything for written after a commit of another process, until the next mark', async () => {
    const { app, changes, written, writeOf } = await instance()
    const other = otherConnection(app.dataDir)
    const before = changes.mark()
    expect(written(() => other.exec("update flights set note = 'x' where id = 1"))).toBeUndefined()
    expect([changes.since(before), changes.since(changes.mark())]).toEqual([undefined, []])
    expect(written(() => writeOf(BLOCK))).toEqual([1])
    expect(changes.since(before)).toBeUndefined()
  })

  test('names a write that was undone rather than miss one', async () => {
    const { app, changes, written } = await instance()
    const undone = app.db.$client.transaction(() => {
      changes.written(1)
      app.db.$client.exec("update flights set note = 'x' where id = 1")
      throw new Error('undone')
    })
    expect(written(() => expect(() => changes.write(undone)).toThrow('undone'))).toEqual([0])
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
