import { parentPort, workerData } from 'node:worker_threads'
import { createServices } from '../../app/services.ts'
import { openExisting, STARTUP_TIMEOUT_MS, setBusyTimeout } from '../../db/open.ts'
import { sqliteOf } from '../../db/sqlite/sqlite.ts'
import { toMessage } from '../worker-errors.ts'
import type { LongWriteMessage, LongWriteTask } from './long-write-thread.ts'

const { dataDir, databaseUrl, job, now } = workerData as LongWriteTask
const db = openExisting(dataDir, databaseUrl)

async function work(): Promise<LongWriteMessage> {
  // Wait for an import of another process.
  setBusyTimeout(db, STARTUP_TIMEOUT_MS)
  // A checkpoint as part of the commit would hold the lock longer.
  sqliteOf(db)?.pragma('wal_autocheckpoint = 0')
  const result = await createServices({ db, clock: () => now }).longWrites.run(job)
  sqliteOf(db)?.pragma('wal_checkpoint(passive)')
  return { type: 'done', result }
}

parentPort!.postMessage(
  await work()
    .catch((error): LongWriteMessage => ({ type: 'refused', error: toMessage(error) }))
    .finally(() => db.$client.close()),
)
