import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { flushFile, flushFolder } from '../lib/flush.ts'
import { ownFile } from '../lib/own-file.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Db } from './connection.ts'
import { isBusy } from './fault.ts'
import { SMALL_CACHE } from './file.ts'
import { sqliteOf } from './sqlite.ts'

/** Nobody else names a file like this, so whatever is left of one may go. */
const PARTIAL = '.paxlog.partial'

/** Between two steps of a backup nobody has a lock on its copy, which was written to just before. */
const STEP_MS = 10_000

/** With the journal that SQLite may have kept beside it. */
function remove(partial: string): void {
  for (const file of [partial, `${partial}-journal`]) rmSync(file, { force: true })
}

/** Whether a backup works on the file at this moment: its locks end with its process, however that ended. */
function isInWork(file: string): boolean {
  let client: Database.Database | undefined
  try {
    client = new Database(file, { timeout: 0 })
    client.exec('begin exclusive')
    return false
  } catch (error) {
    // Half a database is none; only a lock tells of somebody alive.
    return client === undefined || isBusy(error)
  } finally {
    client?.close()
  }
}

/** What a killed backup has left in the folder goes with the next one, whatever that is called. */
function clearUnfinished(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith(PARTIAL))) {
    const file = join(folder, name)
    try {
      if (Date.now() - statSync(file).mtimeMs > STEP_MS && !isInWork(file)) remove(file)
    } catch {
      // Of another user, who will make room for it; or it has its name by now.
    }
  }
}

/** Copies into an empty file, in one snapshot and page by page. */
function copyPages(db: Db, file: string): void {
  const client = sqliteOf(db)
  const usual = client.pragma('cache_size', { simple: true })
  // The copy takes over the size of its source's cache.
  client.pragma(SMALL_CACHE)
  try {
    client.prepare('vacuum into ?').run(file)
  } finally {
    client.pragma(`cache_size = ${usual}`)
  }
}

/** Checks a copy and gives it its name, under one lock, which says that somebody is at work here. */
function nameIfSound(file: string, name: string): void {
  const copy = new Database(file, { readonly: true })
  try {
    copy.pragma(SMALL_CACHE)
    copy.exec('begin')
    const verdict = copy.pragma('integrity_check(1)', { simple: true })
    if (verdict !== 'ok') throw new Refusal(`The copy is damaged (${verdict}) and was removed.`)
    const dangling = copy.pragma('foreign_key_check') as unknown[]
    if (dangling.length > 0) throw new Refusal('The copy holds rows that point nowhere and was removed.')
    renameSync(file, name)
  } finally {
    copy.close()
  }
}

/** Copies one moment of the database, checks the copy, and only then gives it its name. Returns its size. */
export function backUpTo(db: Db, file: string): number {
  if (existsSync(file)) throw new Refusal(`${file} exists already: choose another name, nothing is overwritten.`)
  const partial = `${file}${PARTIAL}`
  try {
    clearUnfinished(dirname(file))
    remove(partial)
    // SQLite fills an empty file without changing its mode: a copy holds password hashes and is nobody else's business.
    ownFile(partial)
    copyPages(db, partial)
    flushFile(partial)
    nameIfSound(partial, file)
    // The name itself must survive a power cut too.
    flushFolder(dirname(file))
  } catch (cause) {
    remove(partial)
    if (cause instanceof Refusal) throw cause
    throw new Refusal(`The backup ${file} could not be written: ${(cause as Error).message}.`, { cause })
  }
  return statSync(file).size
}
