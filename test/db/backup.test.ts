import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { backupTo } from '../../src/db/maintenance/backup.ts'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { requireSqlite } from '../../src/db/sqlite/sqlite.ts'
import { closedDatabase, errorMessageOf, openedDatabase } from '../support/database.ts'
import { flightLog } from '../support/flight-log.ts'
import { openAgain, temporaryFolder } from '../support/paxlog.ts'

const filledDatabase = () =>
  openedDatabase(closedDatabase((db) => db.$client.exec("insert into settings values ('a', 'b')")).dataDir)

describe('a backup', () => {
  test('is one valid file that only its owner can read', () => {
    const folder = temporaryFolder()
    const file = join(folder, 'copy.db')
    const bytes = backupTo(filledDatabase(), file)
    expect(bytes).toBe(statSync(file).size)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['copy.db'])
    const copy = new Database(file, { readonly: true })
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(copy.prepare('select value from settings').pluck().get()).toBe('b')
    copy.close()
  })

  test('can be opened by the program', () => {
    const dataDir = temporaryFolder()
    backupTo(filledDatabase(), join(dataDir, 'paxlog.db'))
    const db = openDatabase(dataDir)
    expect(db.$client.prepare('select value from settings').pluck().get()).toBe('b')
    expect(requireSqlite(db).pragma('journal_mode', { simple: true })).toBe('wal')
    closeDatabase(db)
  })

  test('contains trips and deleted flights, which can be restored from it', async () => {
    const log = await flightLog()
    const { mira, flight } = log
    const api = log.as(mira)
    const created = await flight({ track: { coordinates: [[8.5, 47.4], [-9.1, 38.7]], sourceFormat: 'gpx' } }) // biome-ignore format: two points
    const trip = (await api.post('/trips', { name: 'Lisbon', flightIds: [created.id] })).body.data
    await api.delete(`/flights/${created.id}`)
    const dataDir = temporaryFolder()
    backupTo(log.db, join(dataDir, 'paxlog.db'))
    const copy = await openAgain(dataDir, { now: () => Date.parse('2025-05-05T00:00:00.000Z') })
    const restored = await copy.as(mira).post(`/flights/deleted/${created.id}/restore`)
    expect(restored.body.data).toEqual({ ...created, updatedAt: expect.any(String) })
    const { updatedAt: _, ...kept } = (await copy.as(mira).get(`/trips/${trip.id}`)).body.data
    expect({ ...kept, updatedAt: trip.updatedAt }).toEqual(trip)
  })

  test('never overwrites a file', () => {
    const folder = temporaryFolder()
    const file = join(folder, 'copy.db')
    writeFileSync(file, 'precious')
    expect(errorMessageOf(() => backupTo(filledDatabase(), file))).toBe(`${file} already exists. Choose another name.`)
    expect(readFileSync(file, 'utf8')).toBe('precious')
    expect(readdirSync(folder)).toEqual(['copy.db'])
  })

  test('is removed if the check fails', () => {
    const db = filledDatabase()
    requireSqlite(db).pragma('foreign_keys = off')
    db.$client.exec("insert into preferences select 'nobody', '', '', '', '', '', '', '', '', '', ''")
    const folder = temporaryFolder()
    expect(errorMessageOf(() => backupTo(db, join(folder, 'copy.db')))).toBe(
      'The copy has dangling references and was removed.',
    )
    expect(readdirSync(folder)).toEqual([])
  })

  test('leaves no file if writing fails', () => {
    const folder = temporaryFolder()
    const file = join(folder, 'missing/copy.db')
    expect(errorMessageOf(() => backupTo(filledDatabase(), file))).toMatch(
      new RegExp(`^The backup ${file} could not be written: `),
    )
    expect(readdirSync(folder)).toEqual([])
  })

  test('replaces an interrupted backup', () => {
    const folder = temporaryFolder()
    const file = join(folder, 'copy.db')
    writeFileSync(`${file}.paxlog.partial`, 'half a database')
    backupTo(filledDatabase(), file)
    expect(readdirSync(folder)).toEqual(['copy.db'])
  })

  test('removes leftovers of killed backups but no running backup or other file', () => {
    const folder = temporaryFolder()
    const createLeftover = (name: string, content: string, at = new Date(Date.now() - 3_600_000)) => {
      writeFileSync(join(folder, name), content)
      utimesSync(join(folder, name), at, at)
    }
    createLeftover('monday.db.paxlog.partial', 'half a database')
    createLeftover('monday.db.paxlog.partial-journal', 'of it')
    createLeftover('tuesday.db.paxlog.partial', '')
    createLeftover('film.mp4.partial', 'of another program')
    // A running backup holds no lock between two of its steps.
    createLeftover('friday.db.paxlog.partial', '', new Date())
    const running = new Database(join(folder, 'wednesday.db.paxlog.partial'))
    running.exec('create table t (a); begin immediate; insert into t values (1)')
    const before = new Date(Date.now() - 60_000)
    utimesSync(running.name, before, before)
    backupTo(filledDatabase(), join(folder, 'thursday.db'))
    running.exec('commit')
    running.close()
    expect(readdirSync(folder).sort()).toEqual([
      'film.mp4.partial',
      'friday.db.paxlog.partial',
      'thursday.db',
      'wednesday.db.paxlog.partial',
    ])
  })

  test('restores the cache size of the connection', () => {
    const db = filledDatabase()
    const size = () => requireSqlite(db).pragma('cache_size', { simple: true })
    expect(size()).toBe(-16_000)
    backupTo(db, join(temporaryFolder(), 'copy.db'))
    expect(size()).toBe(-16_000)
  })
})
