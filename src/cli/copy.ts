import { existsSync } from 'node:fs'
import { copyDatabase } from '../db/copy.ts'
import { databasePath } from '../db/directory.ts'
import { closeDatabase, type Db, openDatabase, openExisting, START_PATIENCE_MS, setPatience } from '../db/open.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Call, type Command, printJson, UsageError } from './command.ts'

/** Somebody who waits for a long table hears of it this often. */
const TELL_EVERY_ROWS = 20_000

interface Ends {
  open: () => Db
  openTarget: () => Db
}

function endsOf(call: Call): Ends {
  const [to, from] = [call.option('to'), call.option('from')]
  if ((to === undefined) === (from === undefined)) throw new UsageError('Either --to or --from is needed.')
  const { dataDir } = call.config()
  if (to !== undefined) return { open: () => openExisting(dataDir), openTarget: () => openDatabase(dataDir, to) }
  return {
    open: () => openExisting(dataDir, from),
    openTarget: () => {
      const file = databasePath(dataDir)
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
  options: { to: { type: 'string' }, from: { type: 'string' } },
  run: (call) => {
    const { open, openTarget } = endsOf(call)
    const source = open()
    try {
      const target = openTarget()
      try {
        copy(source, target)
      } finally {
        closeDatabase(target)
      }
    } finally {
      closeDatabase(source)
    }
  },
}
