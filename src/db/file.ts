import { closeSync, constants, copyFileSync, linkSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { flushFile } from '../lib/flush.ts'
import { makeOwn, ownFile } from '../lib/own-file.ts'
import { Refusal } from '../lib/refusal.ts'

/** "PAXL": tells our file from another program's database. */
const APPLICATION_ID = 0x5041584c

/** For whoever reads every page once: a larger cache would only take memory from the server beside it. */
export const SMALL_CACHE = 'cache_size = -1000'

/** Gives a finished file its name, unless another process was first. */
function putInPlace(draft: string, file: string): void {
  try {
    linkSync(draft, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    // Some file systems know no second name for a file. Nobody else would flush the copy before the log is relied upon.
    copyFileSync(draft, file, constants.COPYFILE_EXCL)
    makeOwn(file)
    flushFile(file)
  }
}

/** Made aside and then named: in its place a file is never empty, also not for a process that starts at the same time. */
export function createFile(file: string): void {
  const draft = `${file}.${process.pid}.new`
  rmSync(draft, { force: true })
  try {
    // SQLite fills an empty file without changing its mode, and gives its log the same.
    ownFile(draft)
    const client = new Database(draft)
    client.pragma(`application_id = ${APPLICATION_ID}`)
    client.pragma('journal_mode = wal')
    client.close()
    putInPlace(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}

const ROLLBACK_FORMAT = 1

const hasLog = (file: string) => (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0

/**
 * SQLite replays whatever log lies beside a file. A backup is written in the format without a log, so one beside it
 * is left over from the database before and would spoil the restored one.
 */
function requireOwnLog(file: string): void {
  const log = `${file}-wal`
  if (!hasLog(file)) return
  const header = Buffer.alloc(20)
  const handle = openSync(file, 'r')
  readSync(handle, header)
  closeSync(handle)
  // Byte 18 is the write version of the format (SQLite file format, section 1.3.3).
  if (header[18] !== ROLLBACK_FORMAT) return
  throw new Refusal(
    `${log} is left over from the database that was there before ${file}: remove it, or put back the database it belongs to.`,
  )
}

/** Looks at a file through a connection that cannot write: closing any other one would tidy the log of a damaged file away. */
export function examineFile(file: string): void {
  // SQLite would take an emptied file for a new one and start over without a word.
  const { size } = statSync(file)
  if (size === 0) throw new Error('the file is empty')
  requireOwnLog(file)
  const client = new Database(file, { readonly: true })
  try {
    client.pragma(SMALL_CACHE)
    if (client.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
      throw new Error('it was made by another program')
    }
    // SQLite takes a missing piece of the last page for zeros; only a log beside the file could still complete it.
    const pageSize = client.pragma('page_size', { simple: true }) as number
    if (size % pageSize !== 0 && !hasLog(file)) throw new Error('its end is missing')
    const verdict = client.pragma('quick_check(1)', { simple: true })
    if (verdict !== 'ok') throw new Error(String(verdict).replaceAll('\n', ' '))
  } finally {
    client.close()
  }
}
