import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'
import { migrate, schemaState } from '../../src/db/maintenance/migrate.ts'
import { closeDatabase, type Db, openDatabase, openExisting } from '../../src/db/open.ts'
import { requireSqlite } from '../../src/db/sqlite/sqlite.ts'
import * as tables from '../../src/db/tables/index.ts'
import { closedDatabase, contentsOf, errorMessageOf, openedDatabase } from '../support/database.ts'
import { snapshotsDuringMigration, tableNames } from '../support/killed-migration.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { root, run } from '../support/process.ts'

const declaredTables = Object.values(tables).filter((table) => is(table, SQLiteTable))

/** Copies the migrations and adds one. */
function withMigration(sql: string): string {
  const folder = join(temporaryFolder(), 'migrations')
  cpSync(join(root, 'migrations'), folder, { recursive: true })
  const journalFile = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(journalFile, 'utf8'))
  const last = journal.entries.at(-1)
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1000, tag: '9999_next' })
  writeFileSync(journalFile, JSON.stringify(journal))
  writeFileSync(join(folder, '9999_next.sql'), sql)
  return folder
}

const backups = (dataDir: string) => readdirSync(dataDir).filter((name) => name.startsWith('paxlog-before-'))
const value = (db: Db, key: string) => db.$client.prepare('select value from settings where key = ?').pluck().get(key)
const insertSetting = (key: string) => (db: Db) =>
  db.$client.prepare('insert into settings values (?, ?)').run(key, 'x')

describe('a new database', () => {
  test('has the declared tables and columns', () => {
    const db = openedDatabase(temporaryFolder())
    const found = (tableNames(db) as string[]).filter((name) => !/^(sqlite_|__drizzle)/.test(name))
    expect(found).toEqual(declaredTables.map(getTableName).sort())
    for (const table of declaredTables) {
      const name = getTableName(table)
      const { primaryKeys } = getTableConfig(table)
      const keyColumns = new Set(primaryKeys.flatMap(({ columns }) => columns.map((column) => column.name)))
      const expected = Object.values(getTableColumns(table)).map((column) => ({
        name: column.name,
        type: column.getSQLType().toUpperCase(),
        notnull: Number(column.notNull),
        key: column.primary || keyColumns.has(column.name),
      }))
      const columns = requireSqlite(db).pragma(`table_info(${name})`) as {
        name: string
        type: string
        notnull: number
        pk: number
      }[]
      expect({
        name,
        columns: columns.map(({ name, type, notnull, pk }) => ({
          name,
          type: type.toUpperCase(),
          notnull,
          key: pk > 0,
        })),
      }).toEqual({
        name,
        columns: expected,
      })
    }
  })

  test('has the declared indexes and references', () => {
    const db = openedDatabase(temporaryFolder())
    for (const table of declaredTables) {
      const { name, indexes, foreignKeys } = getTableConfig(table)
      const found = db.$client
        .prepare(
          "select name from sqlite_schema where type = 'index' and tbl_name = ? and sql is not null order by name",
        )
        .pluck()
        .all(name)
      expect(found).toEqual(indexes.map((index) => index.config.name).sort())
      const references = requireSqlite(db).pragma(`foreign_key_list(${name})`) as {
        from: string
        table: string
        on_delete: string
      }[]
      const declaredReferences = foreignKeys.map((key) => {
        const { columns, foreignTable } = key.reference()
        return `${columns[0]!.name} ${getTableName(foreignTable)} ${(key.onDelete ?? 'no action').toUpperCase()}`
      })
      expect(references.map(({ from, table, on_delete }) => `${from} ${table} ${on_delete}`).sort()).toEqual(
        declaredReferences.sort(),
      )
    }
  })

  test('has strict tables', () => {
    const db = openedDatabase(temporaryFolder())
    const tablesWithoutStrict = db.$client
      .prepare("select name from pragma_table_list where schema = 'main' and type = 'table' and strict = 0")
      .pluck()
    expect((tablesWithoutStrict.all() as string[]).filter((name) => !/^(sqlite_|__drizzle)/.test(name))).toEqual([])
  })

  test('is created without a backup and only once', () => {
    const { dataDir } = closedDatabase()
    const before = contentsOf(dataDir)
    closeDatabase(openDatabase(dataDir))
    expect(backups(dataDir)).toEqual([])
    expect(contentsOf(dataDir)).toEqual(before)
  })
})

describe('a pending migration', () => {
  test('is applied after a backup', () => {
    const { dataDir } = closedDatabase(insertSetting('old'))
    const db = openedDatabase(dataDir)
    const folder = withMigration(
      "create table extra (id integer primary key) strict;\n--> statement-breakpoint\ninsert into settings values ('new', 'y');",
    )
    migrate(db, dataDir, folder)
    expect([value(db, 'old'), value(db, 'new')]).toEqual(['x', 'y'])
    expect(schemaState(db, folder)).toMatchObject({ pending: [], newer: false })
    expect(requireSqlite(db).pragma('foreign_keys', { simple: true })).toBe(1)
    const [backup, ...others] = backups(dataDir)
    expect(others).toEqual([])
    const copy = new Database(join(dataDir, backup!), { readonly: true })
    expect(copy.prepare('select key from settings').pluck().all()).toEqual(['old'])
    copy.close()
  })

  test('is applied once', () => {
    const { dataDir } = closedDatabase()
    const db = openedDatabase(dataDir)
    const folder = withMigration("insert into settings values ('new', 'y');")
    migrate(db, dataDir, folder)
    migrate(db, dataDir, folder)
    expect(backups(dataDir)).toHaveLength(1)
  })

  test('K7: is rolled back without a backup for each attempt if it fails', () => {
    const { dataDir } = closedDatabase(insertSetting('old'))
    const db = openedDatabase(dataDir)
    const before = tableNames(db)
    const folder = withMigration(
      'create table extra (id integer primary key) strict;\n--> statement-breakpoint\ndelete from settings;\n--> statement-breakpoint\ninsert into nowhere values (1);',
    )
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(errorMessageOf(() => migrate(db, dataDir, folder))).toBe(
        'The migration failed and was rolled back: no such table: nowhere.',
      )
    }
    expect(tableNames(db)).toEqual(before)
    expect(value(db, 'old')).toBe('x')
    expect(schemaState(db, folder).pending).toHaveLength(1)
    expect(requireSqlite(db).pragma('foreign_keys', { simple: true })).toBe(1)
    expect(backups(dataDir)).toEqual([])
  })

  test('is rolled back if it leaves dangling references', () => {
    const { dataDir } = closedDatabase()
    const db = openedDatabase(dataDir)
    const folder = withMigration("insert into preferences select 'nobody', '', '', '', '', '', '', '', '', '', '';")
    expect(errorMessageOf(() => migrate(db, dataDir, folder))).toContain('dangling references')
    expect(db.$client.prepare('select count(*) from preferences').pluck().get()).toBe(0)
  })

  test('may rebuild a referenced table', () => {
    const { dataDir } = closedDatabase((db) =>
      db.$client.exec(`
        insert into roles values ('r', 'R', 'r', null, '[]', 1, 0, 0);
        insert into users values ('u', 'ada', 'Ada', '', 'r', 0, 0, 0);`),
    )
    const db = openedDatabase(dataDir)
    const folder = withMigration(
      [
        'create table `new_roles` as select * from roles;',
        'drop table roles;',
        'alter table new_roles rename to roles;',
        'create unique index roles_id on roles (id);',
      ].join('\n--> statement-breakpoint\n'),
    )
    migrate(db, dataDir, folder)
    expect(db.$client.prepare('select role_id from users').pluck().all()).toEqual(['r'])
  })

  test('K7: is rolled back if the process is killed', async () => {
    const { dataDir } = closedDatabase(insertSetting('old'))
    const folder = withMigration('delete from settings;\n--> statement-breakpoint\nselect die();')
    const { signal } = await run([
      '--input-type=module',
      '-e',
      `const { openDatabase } = await import('${root}/src/db/open.ts')
       const { migrate } = await import('${root}/src/db/maintenance/migrate.ts')
       const db = openDatabase('${dataDir}')
       db.$client.function('die', () => process.kill(process.pid, 'SIGKILL'))
       migrate(db, '${dataDir}', '${folder}')`,
    ])
    expect(signal).toBe('SIGKILL')
    expect(backups(dataDir)).toHaveLength(1)
    const db = openedDatabase(dataDir)
    expect(value(db, 'old')).toBe('x')
  })

  test('is not applied if the backup cannot be written', () => {
    const { dataDir } = closedDatabase(insertSetting('old'))
    const db = openedDatabase(dataDir)
    const folder = withMigration('delete from settings;')
    const missing = join(dataDir, 'not-there')
    expect(errorMessageOf(() => migrate(db, missing, folder))).toMatch(/^The backup .* could not be written: /)
    expect(value(db, 'old')).toBe('x')
  })
})

describe('K7: a migration that is killed before any of its statements', () => {
  test('is completed by the next start with a backup', () => {
    const { dataDir } = closedDatabase(insertSetting('old'))
    const folder = withMigration(
      [
        'create table extra (id integer primary key, text text) strict;',
        `insert into extra with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)
           select i, hex(zeroblob(2000)) from n;`,
        'create index extra_text on extra (text);',
        'delete from settings;',
        "insert into settings values ('new', 'y');",
        'alter table extra add column more text;',
      ].join('\n--> statement-breakpoint\n'),
    )
    const snapshots = snapshotsDuringMigration(dataDir, folder)
    expect(snapshots).toHaveLength(7)
    // Part of the migration was written to the log, so there is something to roll back.
    expect(statSync(join(snapshots.at(-1)!, 'paxlog.db-wal')).size).toBeGreaterThan(1_000_000)
    for (const snapshot of snapshots) {
      expect(backups(snapshot)).toHaveLength(1)
      const db = openExisting(snapshot)
      expect([value(db, 'old'), value(db, 'new')]).toEqual(['x', undefined])
      expect(tableNames(db)).not.toContain('extra')
      migrate(db, snapshot, folder)
      expect([value(db, 'old'), value(db, 'new')]).toEqual([undefined, 'y'])
      expect(db.$client.prepare('select count(*) from extra').pluck().get()).toBe(300)
      expect(requireSqlite(db).pragma('integrity_check', { simple: true })).toBe('ok')
      closeDatabase(db)
      const copy = new Database(join(snapshot, backups(snapshot)[0]!), { readonly: true })
      expect(copy.prepare('select key from settings').pluck().all()).toEqual(['old'])
      copy.close()
    }
  })
})

describe('a database of a newer version', () => {
  test('K7: is rejected and not changed', () => {
    const { dataDir } = closedDatabase((db) =>
      db.$client.exec("insert into __drizzle_migrations (hash, created_at) values ('of the future', 1)"),
    )
    const before = contentsOf(dataDir)
    expect(errorMessageOf(() => openDatabase(dataDir))).toBe(
      `The database in ${dataDir} was written by a newer version of Paxlog. Start that version, or restore a backup of this one.`,
    )
    expect(contentsOf(dataDir)).toEqual(before)
  })
})

test('two processes that start together migrate once', async () => {
  const { dataDir } = closedDatabase()
  const folder = withMigration("insert into settings values ('once', 'y');")
  const one = () =>
    run([
      '--input-type=module',
      '-e',
      `const { openExisting } = await import('${root}/src/db/open.ts')
       const { migrate } = await import('${root}/src/db/maintenance/migrate.ts')
       migrate(openExisting('${dataDir}'), '${dataDir}', '${folder}')`,
    ])
  const results = await Promise.all([one(), one()])
  expect(results.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ])
})
