import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { Refusal } from '../lib/refusal.ts'
import type { Db } from './connection.ts'
import { databasePath } from './directory.ts'
import type { Engine } from './engine.ts'
import { isBusy } from './fault.ts'
import { createFile, examineFile } from './file.ts'
import * as tables from './tables/index.ts'

const isSqlite = (client: Engine): client is Database.Database => client instanceof Database

/** The driver, for what only a file has: settings, functions, backups. Undefined where the data is in PostgreSQL. */
export const fileOf = ({ $client }: Pick<Db, '$client'>): Database.Database | undefined =>
  isSqlite($client) ? $client : undefined

/** The same where there must be a file. */
export function sqliteOf(db: Pick<Db, '$client'>): Database.Database {
  const client = fileOf(db)
  if (!client) throw new Error('This needs a database in a file.')
  return client
}

/** Drizzle over a connection that is open already. */
export const overFile = (client: Database.Database): Db => drizzle(client, { schema: tables })

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

/**
 * Where a limit is nothing but a parameter SQLite plans the statement anew with every run, since the plan may depend on its
 * value: of a page of flights that took longer than to find them. Into an expression it does not look.
 */
const plannedOnce = (sql: string) => sql.replace(/\blimit (\?|@\w+)/g, 'limit ($1 + 0)')

function connect(file: string): Database.Database {
  const client = new Database(file)
  const prepare = client.prepare.bind(client) as Engine['prepare']
  return Object.assign(client, { prepare: (sql: string) => prepare(plannedOnce(sql)) })
}

function newestBackup(dataDir: string): string {
  const backups = readdirSync(dataDir).filter((name) => /^paxlog-before-.*\.db$/.test(name))
  const newest = backups.sort().at(-1)
  return newest ? ` The newest automatic backup is ${join(dataDir, newest)}.` : ''
}

/** Opens the file, or makes it; a fault is a Refusal, and nothing is overwritten. */
export function connectFile(dataDir: string): Db {
  const file = databasePath(dataDir)
  const existed = existsSync(file)
  let client: Database.Database | undefined
  try {
    if (existed) examineFile(file)
    else createFile(file)
    client = connect(file)
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
  return overFile(client)
}
