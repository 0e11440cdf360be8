import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { dataCache } from '../../src/db/cache.ts'
import type { DataPart } from '../../src/db/version.ts'
import { write as writeTo } from '../../src/db/write.ts'
import { openedDatabase } from '../support/database.ts'
import { otherConnection } from '../support/other-connection.ts'
import { temporaryFolder } from '../support/paxlog.ts'

function opened(part: DataPart = 'everything', maxBytes = 100) {
  const folder = temporaryFolder()
  const db = openedDatabase(folder)
  const cache = dataCache<string>(db, { part, maxBytes, sizeOf: ({ length }) => length })
  let writes = 0
  const insert = () => db.$client.prepare("insert into settings (key, value) values (?, 'x')").run(`key ${writes++}`)
  const write = () => writeTo(db, 'accounts', insert)
  let reads = 0
  const read = (key = 'a') => cache.read(key, () => `read ${++reads}`)
  return { db, folder, cache, insert, write, read }
}

describe('dataCache', () => {
  test('returns a cached value until its part is written by any process', async () => {
    const { db, folder, insert, read, write } = opened('accounts')
    expect([read(), read()]).toEqual(['read 1', 'read 1'])
    await writeTo(db, 'flights', insert)
    expect(read()).toBe('read 1')
    await write()
    expect([read(), read()]).toEqual(['read 2', 'read 2'])
    otherConnection(folder).exec("insert into settings (key, value) values ('other', 'x')")
    expect(read()).toBe('read 3')
  })

  test('does not store a value that was read before a write', async () => {
    const { cache, write } = opened()
    const readUnder = cache.version()
    await write()
    cache.set('late', 'old', readUnder)
    expect(cache.get('late')).toBeUndefined()
    let finish = (_value: string) => undefined as void
    const slow = () => new Promise<string>((resolve) => (finish = resolve))
    const before = cache.load('slow', slow)
    await nextTurn()
    const finishFirst = finish
    await write()
    const after = cache.load('slow', slow)
    await nextTurn()
    finishFirst('old')
    expect(await before).toBe('old')
    expect(cache.get('slow')).toBeUndefined()
    finish('new')
    expect([await after, cache.get('slow')]).toEqual(['new', 'new'])
  })

  test('shares one load between concurrent callers and does not cache failures', async () => {
    const { cache } = opened()
    let reads = 0
    const make = async () => `read ${++reads}`
    expect(await Promise.all([cache.load('a', make), cache.load('a', make), cache.load('b', make)])).toEqual([
      'read 1',
      'read 1',
      'read 2',
    ])
    const failing = () => {
      throw new Error('no')
    }
    await expect(cache.load('c', failing)).rejects.toThrow('no')
    expect(await cache.load('c', make)).toBe('read 3')
  })

  test('is bypassed inside a transaction that writes its part', () => {
    const { db, read, insert } = opened()
    read()
    const rollBack = db.$client.transaction(() => {
      insert()
      expect([read(), read()]).toEqual(['read 2', 'read 3'])
      throw new Error('undone')
    })
    expect(rollBack).toThrow('undone')
    expect([read(), read()]).toEqual(['read 1', 'read 1'])
  })

  test('is used inside a transaction that does not write its part', async () => {
    const { db, read, insert } = opened('accounts')
    read()
    const inside = await writeTo(db, 'flights', () => {
      insert()
      return [read(), read('b')]
    })
    expect(inside).toEqual(['read 1', 'read 2'])
    expect([read(), read('b')]).toEqual(inside)
  })

  test('evicts beyond its byte limit and deletes a value by key', () => {
    const { cache, read } = opened('everything', 24)
    for (const key of ['a', 'b', 'c', 'd']) read(key)
    expect(['a', 'b', 'c', 'd'].map(cache.get)).toEqual([undefined, 'read 2', 'read 3', 'read 4'])
    cache.delete('c')
    expect(['b', 'c', 'd'].map(cache.get)).toEqual(['read 2', undefined, 'read 4'])
    expect(cache.read('long', () => 'x'.repeat(21))).toHaveLength(21)
    expect(['b', 'long', 'd'].map(cache.get)).toEqual(['read 2', undefined, 'read 4'])
  })

  test('counts the bytes of keys', () => {
    const { cache } = opened('everything', 100)
    const keys = Array.from({ length: 50 }, (_, number) => `filter ${100 + number}`)
    for (const key of keys) cache.read(key, () => '')
    expect(keys.filter((key) => cache.get(key) !== undefined)).toEqual(keys.slice(-10))
  })
})
