import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { LongJob, RunInWorker } from '../../db/long-writes.ts'
import type { DatabasePlace } from '../import/import-thread.ts'
import { type ErrorMessage, fromMessage } from '../worker-errors.ts'

export interface LongWriteTask extends DatabasePlace {
  job: LongJob
  now: number
}

export type LongWriteMessage = { type: 'done'; result: unknown } | { type: 'refused'; error: ErrorMessage }

/** In the same folder in src and in dist. */
const PROGRAM = join(import.meta.dirname, `long-write-worker${extname(import.meta.filename)}`)

/** Runs a write of very many flights in a worker thread, so that it does not block the event loop. */
export const longWriteThread =
  ({ dataDir, databaseUrl }: DatabasePlace, program = PROGRAM): RunInWorker =>
  (job, now) =>
    new Promise((resolve, reject) => {
      const workerData: LongWriteTask = { dataDir, databaseUrl, job, now }
      const worker = new Worker(program, { workerData, name: 'long-write' })
      worker.on('message', (message: LongWriteMessage) => {
        if (message.type === 'done') resolve(message.result)
        else reject(fromMessage(message.error))
      })
      worker.on('error', reject)
      worker.on('exit', () => reject(new Error('The worker of a long write ended too early.')))
    })
