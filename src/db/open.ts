import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { makeOwn } from '../lib/own-file.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Db } from './connection.ts'
import { databasePath, prepareDirectory } from './directory.ts'
import { isBusy } from './fault.ts'
import { createFile, examineFile } from './file.ts'
import { migrate } from './migrate.ts'
import { readInSnapshots } from './snapshots.ts'
import * as tables from './tables/index.ts'

export type { Db }

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
  // The pages that every flight touches are copied back to the file half as often as by default.
  client.pragma('wal_autocheckpoint = 2000')
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
    if (existed) examineFile(file)
    else createFile(file)
    client = new Database(file)
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

/** An earlier release left the modes of what it made to the umask. */
function closeToOthers(dataDir: string): void {
  const ours = /^paxlog(-before-.*)?\.db(-wal|-shm|\.partial)?$/
  for (const name of readdirSync(dataDir)) if (ours.test(name)) makeOwn(join(dataDir, name))
}

/** As long as another process may take to migrate and to load the shipped data, on a slow machine. */
export const START_PATIENCE_MS = 120_000

/** How long a write waits for one of another process. At a start nobody is served yet, and several starts wait for each other. */
export const setPatience = (db: Db, ms: number = requiredPragmas.busy_timeout): void =>
  void db.$client.pragma(`busy_timeout = ${ms}`)

/** Opens, checks and migrates the database, or makes a new one; every fault is a Refusal, and nothing is overwritten. */
export function openDatabase(dataDir: string): Db {
  prepareDirectory(dataDir)
  closeToOthers(dataDir)
  const db = connect(dataDir)
  try {
    setPatience(db, START_PATIENCE_MS)
    migrate(db, dataDir)
    setPatience(db)
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

/** The same for a process that only reads beside one that writes. */
export function openReader(dataDir: string): Db {
  const db = openExisting(dataDir)
  readInSnapshots(db.$client)
  return db
}

/** A database without a file, for documents that need the services but no data. */
export function openInMemory(): Db {
  const db = drizzle(new Database(':memory:'), { schema: tables }) as Db
  migrate(db, '')
  return db
}

/** Leaves no write-ahead log behind, so that the one file is the whole database. */
export function closeDatabase(db: Db): void {
  // While somebody else still works on the file, the log is theirs to tidy.
  db.$client.pragma('busy_timeout = 0')
  db.$client.pragma('wal_checkpoint(truncate)')
  db.$client.close()
}
