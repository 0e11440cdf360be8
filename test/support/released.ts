import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { temporaryFolder } from './paxlog.ts'

export const RELEASES_FOLDER = join(import.meta.dirname, '../db/releases')
/** Dumps of databases, with a row in every table. */
export const releases = readdirSync(RELEASES_FOLDER).filter((name) => name.endsWith('.sql'))

/** Creates a data directory from the dump of a release. */
export function released(name: string): string {
  const dataDir = join(temporaryFolder(), 'data')
  mkdirSync(dataDir)
  const client = new Database(join(dataDir, 'paxlog.db'))
  // Tables are sorted by name, so some rows reference rows of later tables.
  client.pragma('foreign_keys = off')
  client.exec(`begin; ${readFileSync(join(RELEASES_FOLDER, name), 'utf8')} commit`)
  client.pragma('journal_mode = wal')
  client.close()
  return dataDir
}
