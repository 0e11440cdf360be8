import { type Db, openDatabase } from './open.ts'

/** For work on much data beside others: a quarter of what a server keeps of the database. */
const spareMemory = ({ $client }: Db): void => void $client.pragma('cache_size = -4000')

/** The same while one work runs: it would fill the whole cache, and the allocator keeps that for good. */
export function sparingMemory<Result>(db: Db, work: () => Result): Result {
  const usual = db.$client.pragma('cache_size', { simple: true })
  spareMemory(db)
  try {
    return work()
  } finally {
    db.$client.pragma(`cache_size = ${usual}`)
  }
}

/**
 * For a command that stages much: its temporary tables lie in a nameless file where the data is, of which nothing is
 * left however the command ends.
 */
export function openSparing(dataDir: string): Db {
  const db = openDatabase(dataDir)
  spareMemory(db)
  db.$client.pragma('temp_store = file')
  db.$client.pragma('temp.cache_size = -1000')
  return db
}
