import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { AccountJob, AccountWork } from './domain/users/account-work.ts'
import type { DatabasePlace } from './import-thread.ts'
import { AppError, type ErrorCode, type ErrorDetail } from './lib/errors.ts'

/** What the thread is started with. */
export interface AccountTask extends DatabasePlace {
  job: AccountJob
  now: number
}

/** What it says at its end. */
export type AccountWord =
  | { say: 'done'; result: unknown }
  | { say: 'refused'; code: ErrorCode; message: string; details: ErrorDetail[] | undefined }

/** Lies beside this file in src as in dist. */
const PROGRAM = join(import.meta.dirname, `account-worker${extname(import.meta.filename)}`)

/** Writes that are of every flight of an account, in a thread of their own: a long log holds up nobody. */
export const accountThread =
  ({ dataDir, databaseUrl }: DatabasePlace, program = PROGRAM): AccountWork =>
  (job, now) =>
    new Promise((resolve, reject) => {
      const workerData: AccountTask = { dataDir, databaseUrl, job, now }
      const thread = new Worker(program, { workerData, name: 'account' })
      thread.on('message', (word: AccountWord) => {
        if (word.say === 'done') resolve(word.result)
        else reject(new AppError(word.code, word.message, { ...(word.details && { details: word.details }) }))
      })
      thread.on('error', reject)
      thread.on('exit', () => reject(new Error('The thread of an account ended too early.')))
    })
