import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../../src/db/maintenance/migrate.ts'
import { closeDatabase, type Db, openExisting } from '../../src/db/open.ts'
import { requireSqlite } from '../../src/db/sqlite/sqlite.ts'
import { temporaryFolder } from './paxlog.ts'

export const tableNames = (db: Db) =>
  db.$client.prepare("select name from sqlite_schema where type = 'table' order by name").pluck().all()

/** Migrates and copies the directory before each statement: what lies in the files then is what a kill would leave. */
export function momentsOf(dataDir: string, folder?: string): string[] {
  const db = openExisting(dataDir)
  // So small that the changes do not wait in memory for the commit.
  requireSqlite(db).pragma('cache_size = 4')
  const moments: string[] = []
  const { exec } = db.$client
  db.$client.exec = (statement) => {
    const moment = join(temporaryFolder(), 'data')
    cpSync(dataDir, moment, { recursive: true, filter: (name) => !name.endsWith('-shm') })
    moments.push(moment)
    return exec.call(db.$client, statement)
  }
  migrate(db, dataDir, folder)
  db.$client.exec = exec
  closeDatabase(db)
  return moments
}
