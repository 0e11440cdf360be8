import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { createDatabaseFile } from '../../src/db/sqlite/file.ts'
import { requireSqlite } from '../../src/db/sqlite/sqlite.ts'
import { openedDatabase } from '../support/database.ts'
import { snapshotsDuringMigration, tableNames } from '../support/killed-migration.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { root } from '../support/process.ts'

test('K7: the next start completes the first migrations after a kill before any of their statements', () => {
  const dataDir = temporaryFolder()
  createDatabaseFile(join(dataDir, 'paxlog.db'))
  const snapshots = snapshotsDuringMigration(dataDir)
  const statements = readMigrationFiles({ migrationsFolder: join(root, 'migrations') }).flatMap(({ sql }) => sql)
  expect(snapshots).toHaveLength(statements.length + 1)
  const expected = tableNames(openedDatabase(dataDir))
  for (const snapshot of snapshots) {
    const db = openDatabase(snapshot)
    expect(tableNames(db)).toEqual(expected)
    expect(requireSqlite(db).pragma('integrity_check', { simple: true })).toBe('ok')
    closeDatabase(db)
  }
})
