import { existsSync, rmSync } from 'node:fs'
import { DatabaseUrl } from '../app/config.ts'
import { databasePath } from '../db/directory.ts'
import { copyDatabase } from '../db/maintenance/copy.ts'
import { schemaState } from '../db/maintenance/migrate.ts'
import { closeDatabase, type Db, openDatabase, openExisting, STARTUP_TIMEOUT_MS, setBusyTimeout } from '../db/open.ts'
import { requireReachable } from '../db/postgres/checks.ts'
import { postgresSchemaState } from '../db/postgres/migrate.ts'
import { sqliteOf } from '../db/sqlite/sqlite.ts'
import { StartupError } from '../lib/startup-error.ts'
import { type Call, type Command, printJson, TEXT, UsageError } from './command.ts'

const PROGRESS_INTERVAL_ROWS = 20_000

function requireCurrent(source: Db): void {
  const isFile = sqliteOf(source) !== undefined
  if (!isFile) requireReachable(source, '--from')
  const { newer, pending } = isFile ? schemaState(source) : postgresSchemaState(source)
  if (newer)
    throw new StartupError('The database to copy was written by a newer version of Paxlog. Copy it with that version.')
  if (pending.length > 0)
    throw new StartupError(
      `The database to copy is ${pending.length} migration(s) behind. Apply them with "paxlog serve".`,
    )
}

function parseDatabases(call: Call) {
  const [to, from] = [call.option('to'), call.option('from')]
  if ((to === undefined) === (from === undefined)) throw new UsageError('Give either --to or --from.')
  const { error } = DatabaseUrl.safeParse(to ?? from)
  if (error) throw new UsageError(`--${to === undefined ? 'from' : 'to'} ${error.issues[0]!.message}.`)
  const { dataDir } = call.config()
  if (to !== undefined)
    return {
      open: () => openExisting(dataDir),
      openTarget: () => openDatabase(dataDir, to, '--to'),
      discard: () => undefined,
    }
  const file = databasePath(dataDir)
  return {
    open: () => openExisting(dataDir, from),
    discard: () => {
      for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
    },
    openTarget: () => {
      if (existsSync(file)) throw new StartupError(`${file} already exists. Use another directory.`)
      return openDatabase(dataDir)
    },
  }
}

function copy(source: Db, target: Db): void {
  for (const db of [source, target]) setBusyTimeout(db, STARTUP_TIMEOUT_MS)
  let [tables, all, reported] = [0, 0, 0]
  copyDatabase(source, target, {
    onRows(table, rows) {
      if (rows < PROGRESS_INTERVAL_ROWS) reported = 0
      if (rows - reported < PROGRESS_INTERVAL_ROWS) return
      reported = rows
      process.stderr.write(`${table}: ${rows} rows so far\n`)
    },
    onTable(copied) {
      tables++
      all += copied.rows
      printJson(copied)
    },
  })
  printJson({ tables, rows: all, checked: true })
}

export const copyCommand: Command = {
  name: 'copy',
  usage: '(--to URL | --from URL)',
  summary: 'Copy the whole instance from the file to an empty PostgreSQL database, or back',
  details:
    'Stop the server first: what it writes meanwhile is not copied. Every row is read back and compared. If anything fails, nothing is copied. The password of the URL may be in PGPASSWORD instead, where other users cannot see it.',
  options: { to: TEXT, from: TEXT },
  run: (call) => {
    const { open, openTarget, discard } = parseDatabases(call)
    const source = open()
    try {
      requireCurrent(source)
      const target = openTarget()
      let isDone = false
      try {
        copy(source, target)
        isDone = true
      } finally {
        closeDatabase(target)
        if (!isDone) discard()
      }
    } finally {
      closeDatabase(source)
    }
  },
}
