import { parentPort, workerData } from 'node:worker_threads'
import { allowLongStatements, openExisting, STARTUP_TIMEOUT_MS, setBusyTimeout } from './db/open.ts'
import { sqliteOf } from './db/sqlite.ts'
import { AppError, Busy } from './lib/errors.ts'
import type { LongWriteTask, LongWriteWord } from './long-write-thread.ts'
import { createServices } from './services.ts'

const { dataDir, databaseUrl, job, now } = workerData as LongWriteTask

async function work(): Promise<LongWriteWord> {
  const db = openExisting(dataDir, databaseUrl)
  try {
    // Another process may be importing.
    setBusyTimeout(db, STARTUP_TIMEOUT_MS)
    allowLongStatements(db)
    // The log of a long write is copied into the file here, and not as part of somebody else's commit.
    sqliteOf(db)?.pragma('wal_autocheckpoint = 0')
    const { longWrites } = createServices({ db, clock: () => now })
    const result = await longWrites.run(job)
    sqliteOf(db)?.pragma('wal_checkpoint(passive)')
    return { say: 'done', result }
  } catch (error) {
    if (error instanceof Busy) return { say: 'refused', message: error.message }
    if (!(error instanceof AppError)) throw error
    const { code, message, details } = error
    return { say: 'refused', code, message, details }
  } finally {
    db.$client.close()
  }
}

parentPort!.postMessage(await work())
