import { backUpTo } from '../db/backup.ts'
import { closeDatabase, openExisting } from '../db/open.ts'
import { type Command, printJson } from './command.ts'

export const backup: Command = {
  name: 'backup',
  usage: 'FILE',
  summary: 'Copy the database while the server runs, and check the copy',
  details: 'An existing FILE is never overwritten. To restore, stop the server and put the copy in place of paxlog.db.',
  words: [1, 1],
  run: ({ config, words }) => {
    const file = words[0]!
    const db = openExisting(config().dataDir)
    try {
      printJson({ file, bytes: backUpTo(db, file), integrity: 'ok' })
    } finally {
      closeDatabase(db)
    }
  },
}
