import { holdWriteLock, otherConnection } from './other-connection.ts'

/**
 * Starts work while another connection holds the write lock, runs checks, and then releases the lock. Waiting for the lock
 * inside SQLite would block the whole process.
 */
export function meanwhileOf(dataDir: string) {
  const writer = otherConnection(dataDir)
  return async <Result>(begin: () => Result | Promise<Result>, look: () => Promise<void>): Promise<Result> => {
    holdWriteLock(writer)
    try {
      const work = Promise.resolve(begin())
      // Awaited below.
      work.catch(() => undefined)
      await look()
      writer.exec('rollback')
      return await work
    } finally {
      if (writer.inTransaction) writer.exec('rollback')
    }
  }
}
