import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Caller } from './access/caller.ts'
import type { RequestKey } from './domain/idempotency/answers.ts'
import type { ImportOrder, ImportReport } from './domain/transfer/contract.ts'
import type { ImportWork } from './domain/transfer/import-work.ts'
import { UserNotChosen } from './domain/transfer/people.ts'
import type { ImportPreview } from './domain/transfer/preview.ts'
import { type Parameter, ParameterMismatch } from './domain/transfer/read-file.ts'
import { FILE_WORKER_LIMITS, takeFileWorker, transferable, workerFailure } from './file-worker.ts'
import { AppError, Busy, type ErrorCode, type ErrorDetail } from './lib/errors.ts'

/** Where a thread opens the database of this process once more. */
export interface DatabasePlace {
  dataDir: string
  databaseUrl?: string | undefined
}

/** What the thread is started with. */
export interface ImportJob {
  dataDir: string
  databaseUrl: string | undefined
  caller: Caller
  query: ImportOrder
  key: RequestKey | undefined
  wantsPreview: boolean
}

/** What it says. After `read` and `ready` it waits for a word to go on. */
export type ImportWord =
  | { say: 'read' }
  | { say: 'ready' }
  | { say: 'moved' }
  | { say: 'progress'; done: number; rows: number }
  | { say: 'preview'; preview: ImportPreview }
  | { say: 'done'; report: ImportReport }
  | { say: 'refused'; refusal: PlainError }

/** An error of ours on its way between threads, which know no classes. */
interface PlainError {
  name: string
  /** None where it may be tried again. */
  code?: ErrorCode
  message: string
  details?: ErrorDetail[] | undefined
  parameters?: readonly Parameter[]
  kind?: string
  users?: readonly string[]
}

function errorOf({ name, code, message, details, parameters, kind, users }: PlainError): AppError | Busy {
  if (code === undefined) return new Busy(message)
  if (name === 'UserNotChosen') return new UserNotChosen(message, users ?? [])
  if (name === 'ParameterMismatch') return new ParameterMismatch(parameters ?? [], kind ?? '')
  return new AppError(code, message, { ...(details && { details }) })
}

/** Lies beside this file in src as in dist. */
const PROGRAM = join(import.meta.dirname, `import-worker${extname(import.meta.filename)}`)

/**
 * Imports in a worker thread, so that neither reading a file nor writing its flights blocks the event loop. The content moves
 * to the worker: its caller cannot use it afterwards.
 */
export const importThread = (place: DatabasePlace, program = PROGRAM): ImportWork => {
  const run = importWorker(place, program)
  return (...job) => takeFileWorker(() => run(...job))
}

const importWorker =
  ({ dataDir, databaseUrl }: DatabasePlace, program: string): ImportWork =>
  (caller, content, query, steps) =>
    new Promise((resolve, reject) => {
      const bytes = transferable(content)
      const wantsPreview = steps.preview !== undefined
      const workerData: ImportJob = {
        dataDir,
        databaseUrl,
        caller,
        query,
        key: steps.key,
        wantsPreview,
      }
      const thread = new Worker(program, {
        workerData,
        name: 'import',
        resourceLimits: FILE_WORKER_LIMITS,
      })
      thread.postMessage(bytes, [bytes.buffer])
      let moved = () => undefined as void
      const end = (settle: () => void) => {
        moved()
        settle()
        void thread.terminate()
      }
      const resume = () => thread.postMessage('go on')

      async function hear(word: ImportWord): Promise<void> {
        if (word.say === 'read') {
          await steps.wasRead()
          resume()
        } else if (word.say === 'ready') {
          const done = new Promise<void>((settle) => {
            moved = settle
          })
          void steps.alone(() => {
            resume()
            return done
          })
        } else if (word.say === 'moved') moved()
        else if (word.say === 'progress') steps.progress(word.done, word.rows)
        else if (word.say === 'preview') steps.preview?.(word.preview)
        else if (word.say === 'done') end(() => resolve(word.report))
        else end(() => reject(errorOf(word.refusal)))
      }

      thread.on('message', (word: ImportWord) => void hear(word).catch((error) => end(() => reject(error))))
      thread.on('error', (error: Error) => end(() => reject(workerFailure(error))))
      thread.on('exit', () => end(() => reject(new Error('The thread of an import ended too early.'))))
    })
