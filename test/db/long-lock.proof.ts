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
  const insert = db.$client.prepare("insert into settings (key, value) values (?, 'x')")
  let tries = 0
  const add = (key: string) =>
    write(db, 'uncached', () => {
      tries++
      return insert.run(key).changes
    })
  return { db, add, tries: () => tries, other: otherConnection(folder) }
}

describe('a write', () => {
  test('waits 8 s for the lock of another program and then fails, like all of its turn', async () => {
    const { db, other, add, tries } = opened()
    requireSqlite(db).pragma('busy_timeout = 0')
    other.exec('begin immediate')
    const attempt = (key: string) => add(key).catch((error) => error.name)
    const failed = ['DatabaseLocked', 'DatabaseLocked', 'DatabaseLocked']
    expect(await Promise.all([attempt('a'), attempt('b'), attempt('c')])).toEqual(failed)
    expect(tries()).toBe(0)
    other.exec('rollback')
    expect(await attempt('a')).toBe(1)
    expect(other.prepare('select key from settings').pluck().all()).toEqual(['a'])
  })

  test('waits at most 8 s for a worker', async () => {
    const { db, add } = opened()
    let end = () => undefined as void
    const worker = writeInWorker(db, () => new Promise<void>((resolve) => (end = resolve)))
    await nextTurn()
    await expect(add('a')).rejects.toThrow(expect.objectContaining({ name: 'DatabaseLocked' }))
    end()
    await worker
    expect(await add('a')).toBe(1)
  })
})
