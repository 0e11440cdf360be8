import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { backUpTo } from '../../src/db/backup.ts'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { sqliteOf } from '../../src/db/sqlite.ts'
import { closedDatabase, openedDatabase, refusalOf } from '../support/database.ts'
import { temporaryFolder } from '../support/paxlog.ts'

const filled = () =>
  openedDatabase(closedDatabase((db) => db.$client.exec("insert into settings values ('a', 'b')")).dataDir)

describe('a backup', () => {
  test('is one sound file with everything in it, for its owner alone', () => {
    const folder = temporaryFolder()
    const file = join(folder, 'copy.db')
    const bytes = backUpTo(filled(), file)
    expect(bytes).toBe(statSync(file).size)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['copy.db'])
    const copy = new Database(file, { readonly: true })
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(copy.prepare('select value from settings').pluck().get()).toBe('b')
    copy.close()
  })

  test('is a database that the program opens again', () => {
    const dataDir = temporaryFolder()
    backUpTo(filled(), join(dataDir, 'paxlog.db'))
    const db = openDatabase(dataDir)
    expect(db.$client.prepare('select value from settings').pluck().get()).toBe('b')
    expect(sqliteOf(db).pragma('journal_mode', { simple: true })).toBe('wal')
    closeDatabase(db)
  })

  test('never replaces a file', () => {
    const folder = temporaryFolder()
    const file = join(folder, 'copy.db')
    writeFileSync(file, 'precious')
    expect(refusalOf(() => backUpTo(filled(), file))).toBe(
      `${file} exists already: choose another name, nothing is overwritten.`,
    )
    expect(readFileSync(file, 'utf8')).toBe('precious')
    expect(readdirSync(folder)).toEqual(['copy.db'])
  })

  test('is removed when it turns out faulty', () => {
    const db = filled()
    sqliteOf(db).pragma('foreign_keys = off')
    db.$client.exec("insert into preferences select 'nobody', '', '', '', '', '', '', '', ''")
    const folder = temporaryFolder()
    expect(refusalOf(() => backUpTo(db, join(folder, 'copy.db')))).toBe(
      'The copy holds rows that point nowhere and was removed.',
    )
    expect(readdirSync(folder)).toEqual([])
  })

  test('leaves nothing behind when it cannot be written', () => {
    const folder = temporaryFolder()
    const file = join(folder, 'missing/copy.db')
    expect(refusalOf(() => backUpTo(filled(), file))).toMatch(new RegExp(`^The backup ${file} could not be written: `))
    expect(readdirSync(folder)).toEqual([])
  })

  test('starts over where an earlier one was cut short', () => {
    const folder = temporaryFolder()
    const file = join(folder, 'copy.db')
    writeFileSync(`${file}.paxlog.partial`, 'half a database')
    backUpTo(filled(), file)
    expect(readdirSync(folder)).toEqual(['copy.db'])
  })

  test('clears what killed ones have left under other names, and nothing that is in work or not its own', () => {
    const folder = temporaryFolder()
    const left = (name: string, content: string, at = new Date(Date.now() - 3_600_000)) => {
      writeFileSync(join(folder, name), content)
      utimesSync(join(folder, name), at, at)
    }
    left('monday.db.paxlog.partial', 'half a database')
    left('monday.db.paxlog.partial-journal', 'of it')
    left('tuesday.db.paxlog.partial', '')
    left('film.mp4.partial', 'of another program')
    // Between two of its steps another backup has no lock.
    left('friday.db.paxlog.partial', '', new Date())
    const running = new Database(join(folder, 'wednesday.db.paxlog.partial'))
    running.exec('create table t (a); begin immediate; insert into t values (1)')
    const before = new Date(Date.now() - 60_000)
    utimesSync(running.name, before, before)
    backUpTo(filled(), join(folder, 'thursday.db'))
    running.exec('commit')
    running.close()
    expect(readdirSync(folder).sort()).toEqual([
      'film.mp4.partial',
      'friday.db.paxlog.partial',
      'thursday.db',
      'wednesday.db.paxlog.partial',
    ])
  })

  test('leaves the cache of its connection as large as it was', () => {
    const db = filled()
    const size = () => sqliteOf(db).pragma('cache_size', { simple: true })
    expect(size()).toBe(-16_000)
    backUpTo(db, join(temporaryFolder(), 'copy.db'))
    expect(size()).toBe(-16_000)
  })
})
