import { backUpTo } from '../db/backup.ts'
import { closeDatabase, openExisting } from '../db/open.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Command, printJson } from './command.ts'

const USE_PG_DUMP =
  'The data is in PostgreSQL: back it up with pg_dump, such as pg_dump --format=custom --no-unlogged-table-data --file=paxlog.dump "$DATABASE_URL".'

export const backup: Command = {
  name: 'backup',
  usage: 'FILE',
  summary: 'Copy the database while the server runs, and check the copy',
  details: 'An existing FILE is never overwritten. To restore, stop the server and put the copy in place of paxlog.db.',
  words: [1, 1],
  run: ({ config, words }) => {
    const file = words[0]!
    const { dataDir, databaseUrl } = config()
    if (databaseUrl !== undefined) throw new Refusal(USE_PG_DUMP)
    const db = openExisting(dataDir)
    try {
      printJson({ file, bytes: backUpTo(db, file), integrity: 'ok' })
    } finally {
      closeDatabase(db)
    }
  },
}
