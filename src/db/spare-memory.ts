import { type Db, openDatabase } from './open.ts'
import { fileOf } from './sqlite.ts'

/** For work on much data beside others: a sixteenth of what a server keeps of its file. More made it no faster. */
const spareMemory = (db: Db): void => void fileOf(db)?.pragma('cache_size = -1000')

/** The same while one work runs: it would fill the whole cache, and the allocator keeps that for good. */
export function sparingMemory<Result>(db: Db, work: () => Result): Result {
  const usual = fileOf(db)?.pragma('cache_size', { simple: true })
  spareMemory(db)
  try {
    return work()
  } finally {
    fileOf(db)?.pragma(`cache_size = ${usual}`)
  }
}

/**
 * For a command that stages much: its temporary tables lie in a nameless file where the data is, of which nothing is
 * left however the command ends.
 */
export function openSparing(...where: Parameters<typeof openDatabase>): Db {
  const db = openDatabase(...where)
  spareMemory(db)
  fileOf(db)?.pragma('temp_store = file')
  fileOf(db)?.pragma('temp.cache_size = -1000')
  return db
}
