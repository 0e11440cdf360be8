import { existsSync, rmSync } from 'node:fs'
import { DatabaseUrl } from '../config.ts'
import { copyDatabase } from '../db/copy.ts'
import { databasePath } from '../db/directory.ts'
import { schemaState } from '../db/migrate.ts'
import { closeDatabase, type Db, openDatabase, openExisting, START_PATIENCE_MS, setPatience } from '../db/open.ts'
import { requireReachable } from '../db/postgres/checks.ts'
import { postgresSchemaState } from '../db/postgres/migrate.ts'
import { fileOf } from '../db/sqlite.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Call, type Command, printJson, TEXT, UsageError } from './command.ts'

/** Somebody who waits for a long table hears of it this often. */
const TELL_EVERY_ROWS = 20_000

interface Ends {
  open: () => Db
  openTarget: () => Db
  /** Takes away what was made for nothing, so that the next attempt finds it empty again. */
  discard: () => void
}

/** Before anything is made at the other end: it answers, and has the tables of this version. */
function requireCurrent(source: Db): void {
  const isFile = fileOf(source) !== undefined
  if (!isFile) requireReachable(source, '--from')
  const { newer, pending } = isFile ? schemaState(source) : postgresSchemaState(source)
  if (newer) throw new Refusal('The database to copy was written by a newer Paxlog: copy it with that version.')
  if (pending.length > 0)
    throw new Refusal(
      `The database to copy is ${pending.length} migration(s) behind: "paxlog doctor" looks at it, "paxlog serve" applies them.`,
    )
}

function endsOf(call: Call): Ends {
  const [to, from] = [call.option('to'), call.option('from')]
  if ((to === undefined) === (from === undefined)) throw new UsageError('Either --to or --from is needed.')
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
      if (existsSync(file)) throw new Refusal(`${file} exists already: nothing is overwritten, give another directory.`)
      return openDatabase(dataDir)
    },
  }
}

function copy(source: Db, target: Db): void {
  let [tables, all] = [0, 0]
  for (const db of [source, target]) setPatience(db, START_PATIENCE_MS)
  let told = 0
  copyDatabase(source, target, {
    onRows(table, rows) {
      if (rows < TELL_EVERY_ROWS) told = 0
      if (rows - told < TELL_EVERY_ROWS) return
      told = rows
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
  details: [
    'Stop the server first: what it writes meanwhile stays behind. Every row is read again and compared before anything',
    'counts; when something fails, nothing was copied. The password of the URL may be in PGPASSWORD instead, where others',
    'cannot see it.',
  ].join('\n'),
  options: { to: TEXT, from: TEXT },
  run: (call) => {
    const { open, openTarget, discard } = endsOf(call)
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
