import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import { Refusal } from '../lib/refusal.ts'
import { databasePath, prepareDirectory } from './directory.ts'
import { isBusy } from './fault.ts'
import { migrate } from './migrate.ts'
import * as tables from './tables/index.ts'

export type Db = BetterSQLite3Database<typeof tables> & { $client: Database.Database }

/** "PAXL": tells our file from another program's database. */
const APPLICATION_ID = 0x5041584c
const OLDEST_SQLITE = [3, 51, 3] as const

/** What every connection must report before it is used; a test reads the same list. */
export const requiredPragmas = {
  // Readers and the writer do not block each other, and Litestream can follow.
  journal_mode: 'wal',
  // The driver falls back to NORMAL when it reopens a WAL file; only FULL survives a power cut.
  synchronous: 2,
  foreign_keys: 1,
  // A backup or a command beside the server makes a write wait, not fail.
  busy_timeout: 5000,
} as const

function tune(client: Database.Database): void {
  client.pragma('busy_timeout = 5000')
  client.pragma('journal_mode = wal')
  client.pragma('synchronous = full')
  client.pragma('foreign_keys = on')
  client.pragma('trusted_schema = off')
  client.pragma('temp_store = memory')
  client.pragma('cache_size = -16000')
  // A long reader can make the log grow; afterwards it shrinks to this again.
  client.pragma('journal_size_limit = 33554432')
  for (const [name, wanted] of Object.entries(requiredPragmas)) {
    const found = client.pragma(name, { simple: true })
    if (found !== wanted) throw new Refusal(`SQLite refused the setting ${name}=${wanted} and reports ${found}.`)
  }
  const version = client.prepare('select sqlite_version()').pluck().get() as string
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const [a, b, c] = OLDEST_SQLITE
  if (major < a || (major === a && (minor < b || (minor === b && patch < c)))) {
    throw new Refusal(`SQLite ${version} can damage a database; ${OLDEST_SQLITE.join('.')} or newer is needed.`)
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
function examine(file: string): void {
  // SQLite would take an emptied file for a new one and start over without a word.
  const { size } = statSync(file)
  if (size === 0) throw new Error('the file is empty')
  requireOwnLog(file)
  const client = new Database(file, { readonly: true })
  try {
    const id = client.pragma('application_id', { simple: true })
    const empty = client.prepare('select count(*) from sqlite_schema').pluck().get() === 0
    if (id !== APPLICATION_ID && !empty) throw new Error('it was made by another program')
    // SQLite takes a missing piece of the last page for zeros; only a log beside the file could still complete it.
    const pageSize = client.pragma('page_size', { simple: true }) as number
    if (size % pageSize !== 0 && !hasLog(file)) throw new Error('its end is missing')
    const verdict = client.pragma('quick_check(1)', { simple: true })
    if (verdict !== 'ok') throw new Error(String(verdict).replaceAll('\n', ' '))
  } finally {
    client.close()
  }
}

function newestBackup(dataDir: string): string {
  const backups = readdirSync(dataDir).filter((name) => /^paxlog-before-.*\.db$/.test(name))
  const newest = backups.sort().at(-1)
  return newest ? ` The newest automatic backup is ${join(dataDir, newest)}.` : ''
}

function connect(dataDir: string): Db {
  const file = databasePath(dataDir)
  const existed = existsSync(file)
  let client: Database.Database | undefined
  try {
    if (existed) examine(file)
    client = new Database(file)
    if (client.pragma('application_id', { simple: true }) === 0) client.pragma(`application_id = ${APPLICATION_ID}`)
    tune(client)
  } catch (cause) {
    client?.close()
    if (cause instanceof Refusal || isBusy(cause)) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Refusal(
      existed
        ? `The database ${file} cannot be used: ${reason}. It was left as it is; put a good backup in its place to go on.${newestBackup(dataDir)}`
        : `The database ${file} cannot be created: ${reason}.`,
      { cause },
    )
  }
  return drizzle(client, { schema: tables }) as Db
}

/** Opens, checks and migrates the database, or makes a new one; every fault is a Refusal, and nothing is overwritten. */
export function openDatabase(dataDir: string): Db {
  prepareDirectory(dataDir)
  const db = connect(dataDir)
  try {
    migrate(db, dataDir)
  } catch (cause) {
    db.$client.close()
    throw cause
  }
  return db
}

/** Opens a database that must be there, as it is: nothing is made and nothing is migrated. */
export function openExisting(dataDir: string): Db {
  if (!existsSync(databasePath(dataDir))) throw new Refusal(`There is no database in ${dataDir}.`)
  return connect(dataDir)
}

/** A database without a file, for documents that need the services but no data. */
export function openInMemory(): Db {
  const db = drizzle(new Database(':memory:'), { schema: tables }) as Db
  migrate(db, '')
  return db
}

/** Leaves no write-ahead log behind, so that the one file is the whole database. */
export function closeDatabase(db: Db): void {
  db.$client.pragma('wal_checkpoint(truncate)')
  db.$client.close()
}
