import { closeSync, constants, copyFileSync, linkSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { flushFile } from '../../lib/flush.ts'
import { chmodPrivate, createPrivateFile } from '../../lib/private-file.ts'
import { StartupError } from '../../lib/startup-error.ts'

/** "PAXL": identifies our databases. */
const APPLICATION_ID = 0x5041584c

/** For reading every page once, without taking memory from the server. */
export const SMALL_CACHE_PRAGMA = 'cache_size = -1000'

/** Another process may create the file at the same time. */
function linkInPlace(draft: string, file: string): void {
  try {
    linkSync(draft, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    // Some file systems have no hard links. The copy is flushed before anything relies on it.
    copyFileSync(draft, file, constants.COPYFILE_EXCL)
    chmodPrivate(file)
    flushFile(file)
  }
}

/** Created under another name first, so that no other process ever sees an empty file. */
export function createDatabaseFile(file: string): void {
  const draft = `${file}.${process.pid}.new`
  rmSync(draft, { force: true })
  try {
    // SQLite keeps the mode of an existing file and uses it for its log.
    createPrivateFile(draft)
    const client = new Database(draft)
    client.pragma(`application_id = ${APPLICATION_ID}`)
    client.pragma('journal_mode = wal')
    client.close()
    linkInPlace(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}

const hasWal = (file: string) => (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0

/**
 * SQLite replays any log beside a file. A backup is written without a log, so a log beside it belongs to the previous
 * database and would damage the restored one.
 */
function rejectForeignWal(file: string): void {
  if (!hasWal(file)) return
  const header = Buffer.alloc(20)
  const handle = openSync(file, 'r')
  readSync(handle, header)
  closeSync(handle)
  // Byte 18 is 1 if the file was written without a log (SQLite file format, section 1.3.3).
  if (header[18] !== 1) return
  throw new StartupError(
    `${file}-wal belongs to a previous database, not to ${file}. Remove it, or restore the database that it belongs to.`,
  )
}

/** Read-only: closing a writable connection would remove the log of a damaged file. */
export function checkFile(file: string): void {
  // SQLite treats an empty file as a new database.
  const { size } = statSync(file)
  if (size === 0) throw new Error('the file is empty')
  rejectForeignWal(file)
  const client = new Database(file, { readonly: true })
  try {
    client.pragma(SMALL_CACHE_PRAGMA)
    if (client.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
      throw new Error('it was created by another program')
    }
    // SQLite reads a truncated last page as zeros; only a log could still complete it.
    const pageSize = client.pragma('page_size', { simple: true }) as number
    if (size % pageSize !== 0 && !hasWal(file)) throw new Error('it is truncated')
    const verdict = client.pragma('quick_check(1)', { simple: true })
    if (verdict !== 'ok') throw new Error(String(verdict).replaceAll('\n', ' '))
  } finally {
    client.close()
  }
}
