import { setImmediate as nextTurn } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { dataCache } from '../../src/db/data-cache.ts'
import { dataVersion } from '../../src/db/data-version.ts'
import { databasePath } from '../../src/db/directory.ts'
import { closeDatabase, openReader } from '../../src/db/open.ts'
import { writing } from '../../src/db/writing.ts'
import { openedDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/paxlog.ts'

/** A connection that only reads, beside one that writes without a pause. */
function opened() {
  const folder = temporaryFolder()
  openedDatabase(folder)
  const writer = new Database(databasePath(folder))
  writer.prepare("insert into settings (key, value) values ('n', '0')").run()
  const increase = writer.prepare("update settings set value = value + 1 where key = 'n'")
  const db = openReader(folder)
  onTestFinished(() => {
    closeDatabase(db)
    writer.close()
  })
  const number = db.$client.prepare("select cast(value as integer) from settings where key = 'n'").pluck()
  return { db, write: () => increase.run(), read: () => number.get() as number }
}

describe('a connection that only reads', () => {
  test('sees one state of the data in a turn, and what was written meanwhile in the next', async () => {
    const { write, read } = opened()
    for (let round = 0; round < 100; round++) {
      expect([read(), write().changes, read()]).toEqual([round, 1, round])
      await nextTurn()
      expect(read()).toBe(round + 1)
      await nextTurn()
    }
  })

  test('keeps a state no longer than until the next event, also when nothing was waited for', async () => {
    const { write, read } = opened()
    expect(read()).toBe(0)
    write()
    await Promise.resolve()
    await Promise.resolve()
    expect(read()).toBe(1)
  })

  test('has one version for each state, whichever comes first, the look or the read', async () => {
    const { db, write, read } = opened()
    const { of } = dataVersion(db)
    await nextTurn()
    const seen = new Map<unknown, number>()
    for (let round = 0; round < 200; round++) {
      if (round % 3 > 0) write()
      const [before, found, after] =
        round % 2 === 0 ? [of('flights'), read(), of('flights')] : [0, read(), of('flights')]
      if (round % 2 === 0) expect(before).toBe(after)
      expect(seen.get(after) ?? found).toBe(found)
      seen.set(after, found)
      // Written behind the back of the state that was read: it belongs to the next version.
      write()
      expect(of('flights')).toBe(after)
      await nextTurn()
    }
    expect(seen.size).toBe(200)
  })

  test('needs no snapshot to look whether what is in memory still counts', async () => {
    const { db } = opened()
    const { of } = dataVersion(db)
    await nextTurn()
    const before = of('flights')
    expect(db.$client.inTransaction).toBe(false)
    await nextTurn()
    expect([of('flights'), db.$client.inTransaction]).toEqual([before, false])
  })

  test('has another version after a write between the look and the first read of a turn', async () => {
    const { db, write, read } = opened()
    const { of } = dataVersion(db)
    const cache = dataCache<{ n: number }>(db, { part: 'flights', maxBytes: 1000, sizeOf: () => 1 })
    for (let round = 0; round < 100; round++) {
      expect(cache.read('n', () => ({ n: read() })).n).toBe(round)
      await nextTurn()
      const before = of('flights')
      expect(cache.get('n')).toEqual({ n: round })
      write()
      expect([read(), of('flights') !== before, cache.get('n')]).toEqual([round + 1, true, undefined])
      await nextTurn()
    }
  })

  test('is never given what a cache has kept from an earlier state', async () => {
    const { db, write, read } = opened()
    const cache = dataCache<{ n: number }>(db, { part: 'accounts', maxBytes: 1000, sizeOf: () => 1 })
    for (let round = 0; round < 500; round++) {
      write()
      await nextTurn()
      expect(cache.read('n', () => ({ n: read() })).n).toBe(round + 1)
      expect(cache.get('n')).toEqual({ n: round + 1 })
    }
  })

  test('keeps nothing of a read in several turns that was overtaken by a write', async () => {
    const { db, write, read } = opened()
    const cache = dataCache<number[]>(db, { part: 'flights', maxBytes: 1000, sizeOf: () => 1 })
    const both = () =>
      cache.load('both', async () => {
        const first = read()
        await nextTurn()
        write()
        await nextTurn()
        return [first, read()]
      })
    expect(await both()).toEqual([0, 1])
    expect(await both()).toEqual([1, 2])
  })

  test('cannot write', () => {
    const { db } = opened()
    const insert = () => db.$client.prepare("insert into settings (key, value) values ('x', '1')").run()
    expect(insert).toThrow(/readonly/)
    expect(() => writing(db, insert)).toThrow(/readonly/)
  })
})
