import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { StartupError } from '../../lib/startup-error.ts'
import type { Db } from '../connection.ts'
import { databasePath } from '../directory.ts'
import type { Engine } from '../engine.ts'
import { isBusy } from '../errors.ts'
import { checkFile, createDatabaseFile } from './file.ts'

export const sqliteOf = ({ $client }: Pick<Db, '$client'>): Database.Database | undefined =>
  $client instanceof Database ? ($client as Database.Database) : undefined

export function requireSqlite(db: Pick<Db, '$client'>): Database.Database {
  const client = sqliteOf(db)
  if (!client) throw new Error('This needs a SQLite database.')
  return client
}

export const wrapSqlite = (client: Database.Database): Db => drizzle(client)

const MIN_SQLITE_VERSION = [3, 51, 3] as const

export const requiredPragmas = {
  // Reads and writes do not block each other, and Litestream needs it.
  journal_mode: 'wal',
  // The driver resets this to NORMAL when it reopens a WAL file; only FULL survives a power cut.
  synchronous: 2,
  foreign_keys: 1,
  // Writes wait for commands and backups.
  busy_timeout: 5000,
} as const

function configure(client: Database.Database): void {
  client.pragma('busy_timeout = 5000')
  client.pragma('journal_mode = wal')
  client.pragma('synchronous = full')
  client.pragma('foreign_keys = on')
  client.pragma('trusted_schema = off')
  client.pragma('temp_store = memory')
  client.pragma('cache_size = -16000')
  // Half as many checkpoints as by default.
  client.pragma('wal_autocheckpoint = 2000')
  // The log may grow during long reads and shrinks to this afterwards.
  client.pragma('journal_size_limit = 33554432')
  for (const [name, wanted] of Object.entries(requiredPragmas)) {
    const found = client.pragma(name, { simple: true })
    if (found !== wanted) throw new StartupError(`SQLite did not apply ${name}=${wanted} and reports ${found}.`)
  }
  const version = client.prepare('select sqlite_version()').pluck().get() as string
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const [a, b, c] = MIN_SQLITE_VERSION
  if (major < a || (major === a && (minor < b || (minor === b && patch < c)))) {
    throw new StartupError(`SQLite ${version} can corrupt a database. Use ${MIN_SQLITE_VERSION.join('.')} or newer.`)
  }
}

/**
 * SQLite plans a statement again for each value of a bare `limit ?`, which took longer than finding a page of flights.
 * It does not do so for an expression.
 */
const avoidReplanning = (sql: string) => sql.replace(/\blimit (\?|@\w+)/g, 'limit ($1 + 0)')

function connect(file: string): Database.Database {
  const client = new Database(file)
  const prepare = client.prepare.bind(client) as Engine['prepare']
  return Object.assign(client, { prepare: (sql: string) => prepare(avoidReplanning(sql)) })
}

function newestBackup(dataDir: string): string {
  const backups = readdirSync(dataDir).filter((name) => /^paxlog-before-.*\.db$/.test(name))
  const newest = backups.sort().at(-1)
  return newest ? ` The newest automatic backup is ${join(dataDir, newest)}.` : ''
}

export function openSqlite(dataDir: string): Db {
  const file = databasePath(dataDir)
  const existed = existsSync(file)
  let client: Database.Database | undefined
  try {
    if (existed) checkFile(file)
    else createDatabaseFile(file)
    client = connect(file)
    configure(client)
  } catch (cause) {
    client?.close()
    if (cause instanceof StartupError || isBusy(cause)) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartupError(
      existed
        ? `The database ${file} cannot be used: ${reason}. It was not changed. Restore a backup.${newestBackup(dataDir)}`
        : `The database ${file} cannot be created: ${reason}.`,
      { cause },
    )
  }
  return wrapSqlite(client)
}
