import { parentPort, workerData } from 'node:worker_threads'
import { createServices } from '../../app/services.ts'
import { allowLongStatements, openExisting, STARTUP_TIMEOUT_MS, setBusyTimeout } from '../../db/open.ts'
import { sqliteOf } from '../../db/sqlite/sqlite.ts'
import { toMessage } from '../worker-errors.ts'
import type { LongWriteMessage, LongWriteTask } from './long-write-thread.ts'

const { dataDir, databaseUrl, job, now } = workerData as LongWriteTask

async function work(): Promise<LongWriteMessage> {
  const db = openExisting(dataDir, databaseUrl)
  try {
    // Wait for an import of another process.
    setBusyTimeout(db, STARTUP_TIMEOUT_MS)
    allowLongStatements(db)
    // A checkpoint as part of the commit would hold the lock longer.
    sqliteOf(db)?.pragma('wal_autocheckpoint = 0')
    const { longWrites } = createServices({ db, clock: () => now })
    const result = await longWrites.run(job)
    sqliteOf(db)?.pragma('wal_checkpoint(passive)')
    return { type: 'done', result }
  } catch (error) {
    return { type: 'refused', error: toMessage(error) }
  } finally {
    db.$client.close()
  }
}

parentPort!.postMessage(await work())
