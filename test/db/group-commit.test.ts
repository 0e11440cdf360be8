import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { groupCommit } from '../../src/db/group-commit.ts'
import { sqliteOf } from '../../src/db/sqlite.ts'
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
    writing: groupCommit(db),
    add: (key: string) => insert.run(key, 'x').changes,
    inside: () => db.$client.prepare(keys).pluck().all(),
    outside: () => other.prepare(keys).pluck().all(),
  }
}

describe('transactions of one turn', () => {
  test('share a commit: the second sees the first, and nobody else sees either', async () => {
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

  test('wait for those of the next turn where they are several, but not where one is alone', async () => {
    const { db, add } = opened()
    const groups: string[][] = []
    const writing = groupCommit(db, (work) => {
      groups.push([])
      return work()
    })
    const write = (key: string) =>
      writing(() => {
        groups.at(-1)!.push(key)
        add(key)
      })
    const all = [write('a'), write('b')]
    await nextTurn()
    expect(groups).toEqual([])
    all.push(write('c'))
    await Promise.all(all)
    const alone = write('d')
    await nextTurn()
    await Promise.all([alone, write('e')])
    expect(groups).toEqual([['a', 'b', 'c'], ['d'], ['e']])
  })

  test('do not wait for ever while each turn brings another', async () => {
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

  test('are answered only when everybody can read what they wrote', async () => {
    const { writing, add, outside } = opened()
    const seen = await Promise.all(['a', 'b', 'c'].map((key) => writing(() => add(key)).then(() => outside())))
    expect(seen).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ])
  })

  test('are not undone by one that fails', async () => {
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

  test('wait 8 s for the lock of another program, and then all fail', async () => {
    const { db, other, writing, add, outside } = opened()
    sqliteOf(db).pragma('busy_timeout = 0')
    other.exec('begin immediate')
    let tries = 0
    const attempt = () =>
      writing(() => {
        tries++
        return add('a')
      }).catch((error) => error.name)
    const failed = ['DatabaseLocked', 'DatabaseLocked', 'DatabaseLocked']
    expect(await Promise.all([attempt(), attempt(), attempt()])).toEqual(failed)
    expect(tries).toBe(0)
    other.exec('rollback')
    expect(await attempt()).toBe(1)
    expect(outside()).toEqual(['a'])
  })

  test('are not answered by what the commit refuses: only the one at fault fails, alone or among others', async () => {
    const { db, writing, add, outside } = opened()
    // Looked at by the commit and not before, as a full disk is.
    const homeless = () =>
      writing(() => {
        sqliteOf(db).pragma('defer_foreign_keys = on')
        add('lost')
        const nobody = "insert into passengers (flight_id, guest_name, date) values (404, 'Ada', '2024-01-01')"
        return db.$client.prepare(nobody).run().changes
      })
    await expect(homeless()).rejects.toThrow('FOREIGN KEY')
    expect(outside()).toEqual([])
    const settled = await Promise.allSettled([writing(() => add('a')), homeless(), writing(() => add('b'))])
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(outside()).toEqual(['a', 'b'])
  })

  test('all fail with a full disk, and none is tried a second time', async () => {
    const { db, writing, add, outside } = opened()
    const pages = sqliteOf(db).pragma('page_count', { simple: true })
    sqliteOf(db).pragma(`max_page_count = ${pages}`)
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
