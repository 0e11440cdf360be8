import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Caller } from '../../access/caller.ts'
import type { RequestKey } from '../../domain/idempotency/service.ts'
import type { ImportOrder, ImportReport } from '../../domain/transfer/contract.ts'
import type { ImportWork } from '../../domain/transfer/import-work.ts'
import type { ImportPreview } from '../../domain/transfer/preview.ts'
import { FILE_WORKER_LIMITS, takeFileWorker, transferable, workerFailure } from '../file-worker.ts'
import { type ErrorMessage, fromMessage } from '../worker-errors.ts'

/** The database that a worker opens on a connection of its own. */
export interface DatabasePlace {
  dataDir: string
  databaseUrl?: string | undefined
}

export interface ImportJob extends DatabasePlace {
  caller: Caller
  query: ImportOrder
  key: RequestKey | undefined
  wantsPreview: boolean
}

/** Sent by the worker. After `read` and `ready` it waits for an answer. */
export type ImportMessage =
  | { type: 'read' }
  | { type: 'ready' }
  | { type: 'committed' }
  | { type: 'progress'; done: number; rows: number }
  | { type: 'preview'; preview: ImportPreview }
  | { type: 'done'; report: ImportReport }
  | { type: 'refused'; error: ErrorMessage }

/** In the same folder in src and in dist. */
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
      const workerData: ImportJob = { dataDir, databaseUrl, caller, query, key: steps.key, wantsPreview }
      const worker = new Worker(program, { workerData, name: 'import', resourceLimits: FILE_WORKER_LIMITS })
      worker.postMessage(bytes, [bytes.buffer])
      let committed = () => undefined as void
      const end = (settle: () => void) => {
        committed()
        settle()
        void worker.terminate()
      }
      const resume = () => worker.postMessage('continue')

      async function onMessage(message: ImportMessage): Promise<void> {
        if (message.type === 'read') {
          await steps.wasRead()
          resume()
        } else if (message.type === 'ready') {
          const commit = Promise.withResolvers<void>()
          committed = commit.resolve
          await steps.alone(() => {
            resume()
            return commit.promise
          })
        } else if (message.type === 'committed') committed()
        else if (message.type === 'progress') steps.progress(message.done, message.rows)
        else if (message.type === 'preview') steps.preview?.(message.preview)
        else if (message.type === 'done') end(() => resolve(message.report))
        else end(() => reject(fromMessage(message.error)))
      }

      worker.on('message', (message: ImportMessage) => {
        onMessage(message).catch((error) => end(() => reject(error)))
      })
      worker.on('error', (error: Error) => end(() => reject(workerFailure(error))))
      worker.on('exit', () => end(() => reject(new Error('The worker of an import ended too early.'))))
    })
