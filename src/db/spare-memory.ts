import { type Db, openDatabase } from './open.ts'
import { sqliteOf } from './sqlite.ts'

/** For work on much data beside others: a sixteenth of what a server keeps of its file. More made it no faster. */
const spareMemory = (db: Db): void => void sqliteOf(db)?.pragma('cache_size = -1000')

/**
 * For a command that stages much: its temporary tables lie in a nameless file where the data is, of which nothing is
 * left however the command ends.
 */
export function openSparing(...where: Parameters<typeof openDatabase>): Db {
  const db = openDatabase(...where)
  spareMemory(db)
  sqliteOf(db)?.pragma('temp_store = file')
  sqliteOf(db)?.pragma('temp.cache_size = -1000')
  return db
}
