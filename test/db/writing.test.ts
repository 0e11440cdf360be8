import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { databasePath } from '../../src/db/directory.ts'
import { settings } from '../../src/db/tables/index.ts'
import { writing } from '../../src/db/writing.ts'
import { openedDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/paxlog.ts'

function opened() {
  const folder = temporaryFolder()
  const db = openedDatabase(folder)
  const put = (key: string) => db.insert(settings).values({ key, value: 'x' }).run()
  const keys = () =>
    db
      .select({ key: settings.key })
      .from(settings)
      .all()
      .map(({ key }) => key)
  return { folder, db, put, keys }
}

const failure = new Error('no')
function failing(work: () => unknown): () => never {
  return () => {
    work()
    throw failure
  }
}

test('a write that fails leaves nothing behind', () => {
  const { db, put, keys } = opened()
  const before = keys()
  expect(() =>
    writing(
      db,
      failing(() => put('a')),
    ),
  ).toThrow(failure)
  expect(keys()).toEqual(before)
  expect(writing(db, () => put('a').changes)).toBe(1)
  expect(keys()).toContain('a')
})

test('a write inside another one is undone alone, or together with it', () => {
  const { db, put, keys } = opened()
  writing(db, () => {
    put('outer')
    expect(() =>
      writing(
        db,
        failing(() => put('inner')),
      ),
    ).toThrow(failure)
  })
  expect(keys()).toContain('outer')
  expect(keys()).not.toContain('inner')
  expect(() =>
    writing(
      db,
      failing(() => writing(db, () => put('committed too early'))),
    ),
  ).toThrow(failure)
  expect(keys()).not.toContain('committed too early')
})

test('nobody else writes between what a write reads and what it writes', () => {
  const { folder, db, keys } = opened()
  const other = new Database(databasePath(folder), { timeout: 0 })
  writing(db, () => {
    keys()
    expect(() => other.exec("insert into settings values ('other', 'x')")).toThrow('database is locked')
  })
  other.close()
})
