import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { LongJob, RunInWorker } from './db/long-writes.ts'
import type { DatabasePlace } from './import-thread.ts'
import { AppError, Busy, type ErrorCode, type ErrorDetail } from './lib/errors.ts'

/** What the thread is started with. */
export interface LongWriteTask extends DatabasePlace {
  job: LongJob
  now: number
}

/** What it says at its end; a refusal without a code may be tried again. */
export type LongWriteWord = { say: 'done'; result: unknown } | ({ say: 'refused' } & JobFailure)

/** An error of ours on its way between threads, which know no classes. */
interface JobFailure {
  code?: ErrorCode
  message: string
  details?: ErrorDetail[] | undefined
}

const errorOf = ({ code, message, details }: JobFailure) =>
  code === undefined ? new Busy(message) : new AppError(code, message, { ...(details && { details }) })

/** Lies beside this file in src as in dist. */
const PROGRAM = join(import.meta.dirname, `long-write-worker${extname(import.meta.filename)}`)

/** Runs a write of very many flights in a worker thread, so that it does not block the event loop. */
export const longWriteThread =
  ({ dataDir, databaseUrl }: DatabasePlace, program = PROGRAM): RunInWorker =>
  (job, now) =>
    new Promise((resolve, reject) => {
      const workerData: LongWriteTask = { dataDir, databaseUrl, job, now }
      const thread = new Worker(program, { workerData, name: 'long-write' })
      thread.on('message', (word: LongWriteWord) => {
        if (word.say === 'done') resolve(word.result)
        else reject(errorOf(word))
      })
      thread.on('error', reject)
      thread.on('exit', () => reject(new Error('The thread of a long write ended too early.')))
    })
