import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../../src/db/maintenance/migrate.ts'
import { closeDatabase, type Db, openExisting } from '../../src/db/open.ts'
import { requireSqlite } from '../../src/db/sqlite/sqlite.ts'
import { temporaryFolder } from './paxlog.ts'

export const tableNames = (db: Db) =>
  db.$client.prepare("select name from sqlite_schema where type = 'table' order by name").pluck().all()

/** Migrates and copies the directory before each statement, as a kill at that time would leave it. */
export function snapshotsDuringMigration(dataDir: string, folder?: string): string[] {
  const db = openExisting(dataDir)
  // A small cache writes changes to the log before the commit.
  requireSqlite(db).pragma('cache_size = 4')
  const snapshots: string[] = []
  const { exec } = db.$client
  db.$client.exec = (statement) => {
    const snapshot = join(temporaryFolder(), 'data')
    cpSync(dataDir, snapshot, { recursive: true, filter: (name) => !name.endsWith('-shm') })
    snapshots.push(snapshot)
    return exec.call(db.$client, statement)
  }
  migrate(db, dataDir, folder)
  db.$client.exec = exec
  closeDatabase(db)
  return snapshots
}
