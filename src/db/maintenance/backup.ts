import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { flushFile, flushFolder } from '../../lib/flush.ts'
import { createPrivateFile } from '../../lib/private-file.ts'
import { StartupError } from '../../lib/startup-error.ts'
import type { Db } from '../connection.ts'
import { isBusy } from '../errors.ts'
import { SMALL_CACHE_PRAGMA } from '../sqlite/file.ts'
import { requireSqlite } from '../sqlite/sqlite.ts'

/** Unique to Paxlog, so leftovers can be deleted. */
const PARTIAL = '.paxlog.partial'

/** A running backup has a lock or wrote to its file this recently. */
const MAX_UNLOCKED_MS = 10_000

function removePartial(partial: string): void {
  for (const file of [partial, `${partial}-journal`]) rmSync(file, { force: true })
}

function isBackupRunning(file: string): boolean {
  let client: Database.Database | undefined
  try {
    client = new Database(file, { timeout: 0 })
    client.exec('begin exclusive')
    return false
  } catch (error) {
    // An incomplete file is not a database; only a lock means that a backup is running.
    return client === undefined || isBusy(error)
  } finally {
    client?.close()
  }
}

function removeStalePartials(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith(PARTIAL))) {
    const file = join(folder, name)
    try {
      if (Date.now() - statSync(file).mtimeMs > MAX_UNLOCKED_MS && !isBackupRunning(file)) removePartial(file)
    } catch {
      // Owned by another user, or renamed in the meantime.
    }
  }
}

function copyPages(db: Db, file: string): void {
  const client = requireSqlite(db)
  const cacheSize = client.pragma('cache_size', { simple: true })
  // The copy inherits the cache size.
  client.pragma(SMALL_CACHE_PRAGMA)
  try {
    client.prepare('vacuum into ?').run(file)
  } finally {
    client.pragma(`cache_size = ${cacheSize}`)
  }
}

/** The open transaction marks the file as in use. */
function checkAndRename(file: string, name: string): void {
  const copy = new Database(file, { readonly: true })
  try {
    copy.pragma(SMALL_CACHE_PRAGMA)
    copy.exec('begin')
    const verdict = copy.pragma('integrity_check(1)', { simple: true })
    if (verdict !== 'ok') throw new StartupError(`The copy is damaged (${verdict}) and was removed.`)
    const dangling = copy.pragma('foreign_key_check') as unknown[]
    if (dangling.length > 0) throw new StartupError('The copy has dangling references and was removed.')
    renameSync(file, name)
  } finally {
    copy.close()
  }
}

/** Returns the size of the backup in bytes. The file gets its name only after all checks. */
export function backupTo(db: Db, file: string): number {
  if (existsSync(file)) throw new StartupError(`${file} already exists. Choose another name.`)
  const partial = `${file}${PARTIAL}`
  try {
    removeStalePartials(dirname(file))
    removePartial(partial)
    // SQLite keeps the mode of an existing file; a backup contains password hashes.
    createPrivateFile(partial)
    copyPages(db, partial)
    flushFile(partial)
    checkAndRename(partial, file)
    flushFolder(dirname(file))
  } catch (cause) {
    removePartial(partial)
    if (cause instanceof StartupError) throw cause
    throw new StartupError(`The backup ${file} could not be written: ${(cause as Error).message}.`, { cause })
  }
  return statSync(file).size
}
