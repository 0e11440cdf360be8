import { randomBytes } from 'node:crypto'
import { copyFileSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { closeDatabase, type Db, openDatabase } from '../../src/db/open.ts'
import { requireSqlite } from '../../src/db/sqlite/sqlite.ts'
import { closedDatabase, contentsOf, errorMessageOf } from '../support/database.ts'
import { measured } from '../support/measured.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { root, run } from '../support/process.ts'
import { seeded } from '../support/random.ts'

/** One flip takes about 30 ms. */
const FLIPS = process.env.PAXLOG_SLOW_TESTS ? 1_000 : 60

/** Enough rows for tables and indexes of several pages. */
function fill(db: Db): void {
  const insert = db.$client.prepare('insert into airlines (source_id, name, name_key, icao) values (?, ?, ?, ?)')
  db.$client.transaction(() => {
    for (let n = 0; n < 2000; n++) insert.run(`s${n}`, `Airline number ${n}`, `airline number ${n}`, null)
  })()
}

type Verdict = 'rejected' | 'opened'

/** Opens a damaged copy as a start does. A rejected file must not change. */
function openDamaged(damage: (file: string, bytes: Buffer) => void): { verdict: Verdict; file: string } {
  const dataDir = temporaryFolder()
  const file = join(dataDir, 'paxlog.db')
  copyFileSync(original().file, file)
  damage(file, readFileSync(file))
  const before = contentsOf(dataDir)
  let db: Db
  try {
    db = openDatabase(dataDir)
  } catch (error) {
    expect((error as Error).name).toBe('StartupError')
    expect((error as Error).message).toContain(`${file} cannot be used: `)
    expect(contentsOf(dataDir)).toEqual(before)
    return { verdict: 'rejected', file }
  }
  closeDatabase(db)
  return { verdict: 'opened', file }
}

/** Opens a copy with a damaged structure. An accepted file must pass the integrity check. */
function verdictOn(damage: (file: string, bytes: Buffer) => void): Verdict {
  const { verdict, file } = openDamaged(damage)
  if (verdict === 'rejected') return verdict
  const client = new Database(file, { readonly: true })
  expect(client.pragma('integrity_check(1)', { simple: true })).toBe('ok')
  expect(client.prepare('select count(*) from airlines').pluck().get()).toBe(2000)
  client.close()
  return verdict
}

/** Reads every row of every table without an index. */
function rowsIn(file: string): Set<string> {
  const client = new Database(file, { readonly: true })
  const tables = client.prepare("select name from sqlite_schema where type = 'table'").pluck().all() as string[]
  const rows = tables.flatMap((table) =>
    (client.prepare(`select * from "${table}" not indexed`).raw().all() as unknown[]).map(
      (row) => table + JSON.stringify(row),
    ),
  )
  client.close()
  return new Set(rows)
}

let sharedDatabase: { dataDir: string; file: string } | undefined
function original() {
  sharedDatabase ??= closedDatabase(fill)
  return sharedDatabase
}

/** A database whose process was killed: the changes of the statement are only in the write-ahead log. */
async function killedDatabase(statement: string): Promise<string> {
  const { dataDir } = closedDatabase((db) => db.$client.exec("insert into settings values ('early', 'in the file')"))
  const { signal } = await run([
    '--input-type=module',
    '-e',
    `const { openDatabase } = await import('${root}/src/db/open.ts')
     openDatabase('${dataDir}').$client.exec(${JSON.stringify(statement)})
     process.kill(process.pid, 'SIGKILL')`,
  ])
  expect(signal).toBe('SIGKILL')
  expect(statSync(join(dataDir, 'paxlog.db-wal')).size).toBeGreaterThan(0)
  return dataDir
}

const flipByte = (offset: number) => (file: string, bytes: Buffer) => {
  bytes[offset]! ^= 0xff
  writeFileSync(file, bytes)
}

describe('K6: a damaged database', () => {
  test('is rejected or intact with any header byte changed', () => {
    sharedDatabase = undefined
    const verdicts = Array.from({ length: 100 }, (_, offset) => verdictOn(flipByte(offset)))
    // A wrong magic string, page size or application id is always rejected.
    for (const offset of [...Array(18).keys(), 68, 69, 70, 71])
      expect([offset, verdicts[offset]]).toEqual([offset, 'rejected'])
  })

  test('is rejected or intact with any structural byte of a page changed', () => {
    sharedDatabase = undefined
    const size = readFileSync(original().file).length
    const offsets: number[] = []
    for (let page = 1; page * 4096 < size; page += 3) offsets.push(page * 4096, page * 4096 + 3, page * 4096 + 5)
    const verdicts = offsets.map((offset) => verdictOn(flipByte(offset)))
    expect(verdicts.filter((verdict) => verdict === 'rejected').length).toBeGreaterThan(offsets.length / 2)
  })

  test('is rejected, or differs only in one value, with any byte changed', {
    timeout: 600_000,
  }, () => {
    sharedDatabase = undefined
    const random = seeded(6)
    const { size } = statSync(original().file)
    const originalRows = rowsIn(original().file)
    const counts = { rejected: 0, intact: 0, changed: 0 }
    for (let flips = 0; flips < FLIPS; flips++) {
      const offset = random.between(0, size - 1)
      const { verdict, file } = openDamaged(flipByte(offset))
      if (verdict === 'rejected') counts.rejected++
      else {
        const missingRows = originalRows.difference(rowsIn(file)).size
        expect([`byte ${offset}`, missingRows <= 1]).toEqual([`byte ${offset}`, true])
        counts[missingRows === 0 ? 'intact' : 'changed']++
      }
    }
    expect(counts.rejected).toBeGreaterThan(0)
    measured(
      `${FLIPS} files with one wrong byte: ${counts.rejected} refused, ${counts.intact} intact, ${counts.changed} with one other value`,
    )
  })

  test('is rejected if truncated', () => {
    sharedDatabase = undefined
    const size = readFileSync(original().file).length
    for (let length = 0; length < size; length += 4096) {
      expect([length, verdictOn((file) => truncateSync(file, length))]).toEqual([length, 'rejected'])
    }
    expect(verdictOn((file) => truncateSync(file, size - 1))).toBe('rejected')
  })

  test.each<[what: string, bytes: Buffer | string]>([
    ['an empty file', ''],
    ['zeros', Buffer.alloc(8192)],
    ['text', 'Dear diary,\nwe flew to Oslo.\n'.repeat(200)],
    ['noise', randomBytes(8192)],
  ])('is rejected if it is %s', (_what, bytes) => {
    const dataDir = temporaryFolder()
    const file = join(dataDir, 'paxlog.db')
    writeFileSync(file, bytes)
    const before = contentsOf(dataDir)
    expect(errorMessageOf(() => openDatabase(dataDir))).toMatch(
      new RegExp(`^The database ${file} cannot be used: .*\\. It was not changed\\. Restore a backup\\.$`),
    )
    expect(contentsOf(dataDir)).toEqual(before)
  })

  test.each(['delete', 'wal'])('is rejected if another program created it, in %s mode', (mode) => {
    const dataDir = temporaryFolder()
    const other = new Database(join(dataDir, 'paxlog.db'))
    other.pragma(`journal_mode = ${mode}`)
    other.exec('create table notes (text); insert into notes values (1)')
    other.close()
    const before = contentsOf(dataDir)
    expect(errorMessageOf(() => openDatabase(dataDir))).toContain('it was created by another program')
    expect(contentsOf(dataDir)).toEqual(before)
  })

  test('keeps its write-ahead log when it is rejected', async () => {
    const dataDir = temporaryFolder()
    const file = join(dataDir, 'paxlog.db')
    await run([
      '-e',
      `const Database = require('${root}/node_modules/better-sqlite3')
       const db = new Database('${file}')
       db.pragma('journal_mode = wal')
       db.exec('create table notes (text); insert into notes values (1)')
       process.kill(process.pid, 'SIGKILL')`,
    ])
    const before = contentsOf(dataDir)
    expect(Object.keys(before)).toEqual(['paxlog.db', 'paxlog.db-wal'])
    expect(errorMessageOf(() => openDatabase(dataDir))).toContain('it was created by another program')
    expect(contentsOf(dataDir)).toEqual(before)
  })

  test('is rejected after a restore next to the log of the previous database', async () => {
    const dataDir = temporaryFolder()
    const file = join(dataDir, 'paxlog.db')
    await run([
      '--input-type=module',
      '-e',
      `const { openDatabase } = await import('${root}/src/db/open.ts')
       const { backupTo } = await import('${root}/src/db/maintenance/backup.ts')
       const db = openDatabase('${dataDir}')
       backupTo(db, '${dataDir}/copy.db')
       db.$client.exec("insert into settings values ('later', 'than the backup')")
       process.kill(process.pid, 'SIGKILL')`,
    ])
    renameSync(join(dataDir, 'copy.db'), file)
    const before = contentsOf(dataDir)
    expect(errorMessageOf(() => openDatabase(dataDir))).toBe(
      `${file}-wal belongs to a previous database, not to ${file}. Remove it, or restore the database that it belongs to.`,
    )
    expect(contentsOf(dataDir)).toEqual(before)
    rmSync(`${file}-wal`)
    const db = openDatabase(dataDir)
    expect(db.$client.prepare('select count(*) from settings').pluck().get()).toBe(0)
    closeDatabase(db)
  })

  test('is rejected next to the log of another database', async () => {
    const other = await killedDatabase("insert into settings values ('of', 'another')")
    const { dataDir, file } = closedDatabase(fill)
    copyFileSync(join(other, 'paxlog.db-wal'), `${file}-wal`)
    const before = contentsOf(dataDir)
    expect(errorMessageOf(() => openDatabase(dataDir))).toContain(`${file} cannot be used: `)
    expect(contentsOf(dataDir)).toEqual(before)
  })

  test('is intact in an earlier state without its log', async () => {
    const dataDir = await killedDatabase("insert into settings values ('late', 'only in the log')")
    rmSync(join(dataDir, 'paxlog.db-wal'))
    const db = openDatabase(dataDir)
    expect(requireSqlite(db).pragma('integrity_check', { simple: true })).toBe('ok')
    expect(db.$client.prepare('select key from settings').pluck().all()).toEqual(['early'])
    closeDatabase(db)
  })

  test('is rejected with the name of the newest automatic backup', () => {
    const { dataDir, file } = closedDatabase()
    for (const day of ['2026-01-05', '2026-11-02', '2026-03-01']) {
      copyFileSync(file, join(dataDir, `paxlog-before-${day}T10-00-00-000Z-1.db`))
    }
    copyFileSync(file, join(dataDir, 'zz-my-own.db'))
    writeFileSync(file, 'gone')
    expect(errorMessageOf(() => openDatabase(dataDir))).toMatch(
      / The newest automatic backup is .*paxlog-before-2026-11-02T10-00-00-000Z-1\.db\.$/,
    )
  })

  test('works again after a restore', () => {
    const { dataDir, file } = closedDatabase((db) => db.$client.exec("insert into settings values ('a', 'b')"))
    const good = readFileSync(file)
    truncateSync(file, 5000)
    errorMessageOf(() => openDatabase(dataDir))
    writeFileSync(file, good)
    const db = openDatabase(dataDir)
    expect(db.$client.prepare("select value from settings where key = 'a'").pluck().get()).toBe('b')
    closeDatabase(db)
  })
})
