import { backupTo } from '../db/maintenance/backup.ts'
import { closeDatabase, openExisting } from '../db/open.ts'
import { StartupError } from '../lib/startup-error.ts'
import { type Command, printJson } from './command.ts'

const USE_PG_DUMP =
  'The data is in PostgreSQL. Back it up with pg_dump, such as: pg_dump --format=custom --no-unlogged-table-data --file=paxlog.dump "$DATABASE_URL".'

export const backup: Command = {
  name: 'backup',
  usage: 'FILE',
  summary: 'Back up the database and check the copy',
  details:
    'The server may keep running. An existing FILE is never overwritten. To restore, stop the server and replace paxlog.db with the copy.',
  positionals: [1, 1],
  run: ({ config, positionals }) => {
    const file = positionals[0]!
    const { dataDir, databaseUrl } = config()
    if (databaseUrl !== undefined) throw new StartupError(USE_PG_DUMP)
    const db = openExisting(dataDir)
    try {
      printJson({ file, bytes: backupTo(db, file), integrity: 'ok' })
    } finally {
      closeDatabase(db)
    }
  },
}
