import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { createDatabaseFile } from '../../src/db/sqlite/file.ts'
import { requireSqlite } from '../../src/db/sqlite/sqlite.ts'
import { openedDatabase } from '../support/database.ts'
import { momentsOf, tableNames } from '../support/killed-migration.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { root } from '../support/process.ts'

test('K7: the next start completes the first migrations if they are killed before any statement', () => {
  const dataDir = temporaryFolder()
  createDatabaseFile(join(dataDir, 'paxlog.db'))
  const moments = momentsOf(dataDir)
  const statements = readMigrationFiles({ migrationsFolder: join(root, 'migrations') }).flatMap(({ sql }) => sql)
  expect(moments).toHaveLength(statements.length + 1)
  const wanted = tableNames(openedDatabase(dataDir))
  for (const moment of moments) {
    const db = openDatabase(moment)
    expect(tableNames(db)).toEqual(wanted)
    expect(requireSqlite(db).pragma('integrity_check', { simple: true })).toBe('ok')
    closeDatabase(db)
  }
})
