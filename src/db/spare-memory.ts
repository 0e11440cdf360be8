import type { Db } from './open.ts'

/** For work on much data beside others: a quarter of what a server keeps of the database. */
export const spareMemory = ({ $client }: Db): void => void $client.pragma('cache_size = -4000')

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
