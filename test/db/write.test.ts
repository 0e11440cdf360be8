import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { requireSqlite } from '../../src/db/sqlite/sqlite.ts'
import { write, writeInWorker } from '../../src/db/write.ts'
import { openedDatabase } from '../support/database.ts'
import { otherConnection } from '../support/other-connection.ts'
import { temporaryFolder } from '../support/paxlog.ts'

function opened() {
  const folder = temporaryFolder()
  const db = openedDatabase(folder)
  const other = otherConnection(folder)
  const insert = db.$client.prepare('insert into settings (key, value) values (?, ?)')
  const keys = 'select key from settings order by key'
  return {
    db,
    other,
    writing: <Result>(work: () => Result) => write(db, 'uncached', work),
    add: (key: string) => insert.run(key, 'x').changes,
    inside: () => db.$client.prepare(keys).pluck().all(),
    outside: () => other.prepare(keys).pluck().all(),
  }
}

describe('writes of one turn', () => {
  test('share a commit: the second sees the first, other connections see neither', async () => {
    const { writing, add, inside, outside } = opened()
    const first = writing(() => add('a'))
    const second = writing(() => {
      const seen = { inside: inside(), outside: outside() }
      add('b')
      return seen
    })
    expect(await first).toBe(1)
    expect(await second).toEqual({ inside: ['a'], outside: [] })
    expect(outside()).toEqual(['a', 'b'])
  })

  test('wait for the next turn if there are several', async () => {
    const { writing, add, outside } = opened()
    const all = [writing(() => add('a')), writing(() => add('b'))]
    await nextTurn()
    expect(outside()).toEqual([])
    all.push(writing(() => add('c')))
    // All three are in one commit.
    expect(await all[0]!.then(outside)).toEqual(['a', 'b', 'c'])
    await Promise.all(all)
    const alone = writing(() => add('d'))
    await nextTurn()
    expect(outside()).toEqual(['a', 'b', 'c', 'd'])
    await alone
  })

  test('wait for a limited number of turns', async () => {
    const { writing, add } = opened()
    let [done, turns] = [false, 0]
    const first = writing(() => add('first')).then(() => {
      done = true
    })
    const others: Promise<unknown>[] = []
    for (; !done && turns < 100; turns++) {
      const key = `turn ${turns}`
      others.push(writing(() => add(key)))
      await nextTurn()
    }
    expect(turns).toBeLessThan(5)
    await Promise.all([first, ...others])
  })

  test('resolve when other connections can read them', async () => {
    const { writing, add, outside } = opened()
    const seen = await Promise.all(['a', 'b', 'c'].map((key) => writing(() => add(key)).then(() => outside())))
    expect(seen).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ])
  })

  test('are not rolled back by one that fails', async () => {
    const { writing, add, outside } = opened()
    const settled = await Promise.allSettled([
      writing(() => add('a')),
      writing(() => {
        add('lost')
        throw new Error('changed my mind')
      }),
      writing(() => add('b')),
      writing(() => add('a')),
    ])
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
    expect(outside()).toEqual(['a', 'b'])
  })

  test('fail separately if the commit violates a constraint', async () => {
    const { db, writing, add, outside } = opened()
    // The constraint is deferred to the commit.
    const insertOrphan = () =>
      writing(() => {
        requireSqlite(db).pragma('defer_foreign_keys = on')
        add('lost')
        const statement = "insert into passengers (flight_id, guest_name, date) values (404, 'Ada', '2024-01-01')"
        return db.$client.prepare(statement).run().changes
      })
    await expect(insertOrphan()).rejects.toThrow('FOREIGN KEY')
    expect(outside()).toEqual([])
    const settled = await Promise.allSettled([writing(() => add('a')), insertOrphan(), writing(() => add('b'))])
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(outside()).toEqual(['a', 'b'])
  })

  test('all fail on a full disk without a retry', async () => {
    const { db, writing, add, outside } = opened()
    const pages = requireSqlite(db).pragma('page_count', { simple: true })
    requireSqlite(db).pragma(`max_page_count = ${pages}`)
    const tried: string[] = []
    const attempt = (name: string, work: () => unknown) =>
      writing(() => {
        tried.push(name)
        return work()
      }).catch((error) => error.code)
    const large = () => db.$client.prepare('insert into settings values (?, ?)').run('large', 'x'.repeat(1e6))
    const answers = [attempt('a', () => add('a')), attempt('large', large), attempt('b', () => add('b'))]
    expect(await Promise.all(answers)).toEqual(['SQLITE_FULL', 'SQLITE_FULL', 'SQLITE_FULL'])
    expect([tried, outside()]).toEqual([['a', 'large'], []])
    expect(await attempt('a', () => add('a'))).toBe(1)
  })
})

test('another connection cannot write during a write', async () => {
  const { other, writing, inside } = opened()
  other.exec('pragma busy_timeout = 0')
  await writing(() => {
    inside()
    expect(() => other.exec("insert into settings values ('other', 'x')")).toThrow('database is locked')
  })
})

describe('a worker that writes on its own connection', () => {
  test('blocks the writes of this connection, which then see its changes', async () => {
    const { db, other, writing, add, inside } = opened()
    const order: string[] = []
    const worker = writeInWorker(db, async () => {
      await nextTurn()
      await nextTurn()
      other.exec("insert into settings values ('worker', 'x')")
      order.push('worker')
    })
    await nextTurn()
    const seen = writing(() => {
      order.push('write')
      add('later')
      return inside()
    })
    await worker
    expect(await seen).toEqual(['later', 'worker'])
    expect(order).toEqual(['worker', 'write'])
  })

  test('runs after the previous one, even if that failed', async () => {
    const { db } = opened()
    const order: string[] = []
    const failing = writeInWorker(db, async () => {
      await nextTurn()
      order.push('first')
      throw new Error('no')
    })
    const second = writeInWorker(db, async () => void order.push('second'))
    await expect(failing).rejects.toThrow('no')
    await second
    expect(order).toEqual(['first', 'second'])
  })
})
