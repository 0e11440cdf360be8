import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { closeDatabase, type Db, openDatabase, openExisting, openInMemory } from '../../src/db/open.ts'
import { requiredPragmas, requireSqlite } from '../../src/db/sqlite/sqlite.ts'
import { closedDatabase, contentsOf, errorMessageOf, openedDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { cli, forEach, root, run } from '../support/process.ts'

const pragma = (db: Db, name: string) => requireSqlite(db).pragma(name, { simple: true })

describe('an opened database', () => {
  test('K3: reports every pragma needed for durability', () => {
    const db = openedDatabase(temporaryFolder())
    const reported = Object.fromEntries(Object.keys(requiredPragmas).map((name) => [name, pragma(db, name)]))
    expect(reported).toEqual({ journal_mode: 'wal', synchronous: 2, foreign_keys: 1, busy_timeout: 5000 })
    const [major, minor, patch] = String(db.$client.prepare('select sqlite_version()').pluck().get())
      .split('.')
      .map(Number) as [number, number, number]
    expect(major * 1e6 + minor * 1e3 + patch).toBeGreaterThanOrEqual(3_051_003)
  })

  test('K3: flushes every commit after it is reopened', () => {
    const { dataDir, file } = closedDatabase()
    const bare = new Database(file)
    // The default of the driver is lower, so the assertions below depend on our setting.
    expect(bare.pragma('synchronous', { simple: true })).toBe(1)
    bare.close()
    expect(pragma(openedDatabase(dataDir), 'synchronous')).toBe(requiredPragmas.synchronous)
  })

  test('K3: is rejected if a pragma is not applied', () => {
    const { dataDir } = closedDatabase()
    const pragmas = requiredPragmas as { synchronous: number }
    pragmas.synchronous = 3
    onTestFinished(() => {
      pragmas.synchronous = 2
    })
    const sentence = 'SQLite did not apply synchronous=3 and reports 2.'
    expect(errorMessageOf(() => openDatabase(dataDir))).toBe(sentence)
    expect(errorMessageOf(() => openExisting(dataDir))).toBe(sentence)
  })

  test('K3: is the only kind of connection that writes data', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx?$/.test(name),
    )
    const opened = sources.flatMap((name) =>
      [...readFileSync(join(root, 'src', name), 'utf8').matchAll(/new Database\([^)]*\)/g)].map(
        ([call]) => `${name}: ${call}`,
      ),
    )
    expect(opened.sort()).toEqual([
      // Checks a finished copy.
      'db/maintenance/backup.ts: new Database(file, { readonly: true })',
      // Checks whether an unfinished copy is still being written. Writes nothing.
      'db/maintenance/backup.ts: new Database(file, { timeout: 0 })',
      "db/open.ts: new Database(':memory:')",
      // Creates an empty database file under a temporary name.
      'db/sqlite/file.ts: new Database(draft)',
      'db/sqlite/file.ts: new Database(file, { readonly: true })',
      // Temporary storage of one request, unlinked before the first write.
      'db/sqlite/scratch.ts: new Database(path)',
      // Sets and checks the pragmas.
      'db/sqlite/sqlite.ts: new Database(file)',
    ])
  })

  test('does not trust the schema', () => {
    expect(pragma(openedDatabase(temporaryFolder()), 'trusted_schema')).toBe(0)
  })

  test('is a single file after it is closed', () => {
    const { dataDir } = closedDatabase((db) => db.$client.exec("insert into settings values ('a', 'b')"))
    expect(Object.keys(contentsOf(dataDir))).toEqual(['paxlog.db'])
  })

  test('keeps commits when the process is killed', async () => {
    const dataDir = temporaryFolder()
    const { signal } = await run([
      '--input-type=module',
      '-e',
      `const { openDatabase } = await import('${root}/src/db/open.ts')
       const db = openDatabase('${dataDir}')
       db.$client.exec("insert into settings values ('kept', 'yes')")
       process.kill(process.pid, 'SIGKILL')`,
    ])
    expect(signal).toBe('SIGKILL')
    expect(existsSync(join(dataDir, 'paxlog.db-wal'))).toBe(true)
    const db = openedDatabase(dataDir)
    expect(db.$client.prepare("select value from settings where key = 'kept'").pluck().get()).toBe('yes')
  })

  test('waits for the lock of another connection', async () => {
    const { dataDir, file } = closedDatabase()
    const db = openedDatabase(dataDir)
    const holder = run([
      '-e',
      `const Database = require('${root}/node_modules/better-sqlite3')
       const db = new Database('${file}')
       db.exec("begin immediate; insert into settings values ('other', '1')")
       setTimeout(() => { db.exec('commit'); db.close() }, 500)`,
    ])
    const other = db.$client.prepare("select count(*) from settings where key = 'other'").pluck()
    const lock = new Database(file, { timeout: 0 })
    while (isFree(lock)) await new Promise((resolve) => setTimeout(resolve, 10))
    lock.close()
    db.$client.exec("insert into settings values ('own', '1')")
    expect(other.get()).toBe(1)
    expect((await holder).code).toBe(0)
  })
})

function isFree(db: Database.Database): boolean {
  try {
    db.exec('begin immediate; rollback')
    return true
  } catch {
    // The other process holds the lock.
    return false
  }
}

test('several processes that start together create one database', async () => {
  const dataDir = join(temporaryFolder(), 'data')
  await forEach([1, 2, 3], async () => {
    const { code, stderr } = await cli(['user', 'list', '--data-dir', dataDir])
    expect([code, stderr]).toEqual([0, ''])
  })
  expect(Object.keys(contentsOf(dataDir))).toEqual(['paxlog.db'])
})

describe('openExisting', () => {
  test('creates nothing', () => {
    const dataDir = temporaryFolder()
    expect(errorMessageOf(() => openExisting(dataDir))).toBe(`There is no database in ${dataDir}.`)
    expect(contentsOf(dataDir)).toEqual({})
  })

  test('opens an existing database', () => {
    const { dataDir } = closedDatabase()
    const db = openExisting(dataDir)
    expect(db.$client.prepare('select count(*) from users').pluck().get()).toBe(0)
    closeDatabase(db)
  })
})

test('a database in memory has the schema and leaves no file', () => {
  const db = openInMemory()
  expect(db.$client.prepare('select count(*) from flights').pluck().get()).toBe(0)
  expect(db.$client.name).toBe(':memory:')
})

test('a new data directory is private', () => {
  const dataDir = join(temporaryFolder(), 'a/b')
  closeDatabase(openDatabase(dataDir))
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
})
