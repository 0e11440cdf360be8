import { otherConnection } from './other-connection.ts'

/**
 * Begins something while another program writes for long, looks at what is served meanwhile, and lets it be done: whoever
 * waited for the lock inside of SQLite would hold the whole process.
 */
export function meanwhileOf(dataDir: string) {
  const writer = otherConnection(dataDir)
  return async <Result>(begin: () => Result | Promise<Result>, look: () => Promise<void>): Promise<Result> => {
    writer.exec('begin immediate')
    try {
      const doing = Promise.resolve(begin())
      // Its end is waited for below.
      doing.catch(() => undefined)
      await look()
      writer.exec('rollback')
      return await doing
    } finally {
      if (writer.inTransaction) writer.exec('rollback')
    }
  }
}
