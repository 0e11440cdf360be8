import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Caller } from '../../access/caller.ts'
import type { RequestKey } from '../../domain/idempotency/service.ts'
import type { ImportOrder, ImportReport } from '../../domain/transfer/contract.ts'
import type { ImportWork } from '../../domain/transfer/import-work.ts'
import type { ImportPreview } from '../../domain/transfer/preview.ts'
import { FILE_WORKER_LIMITS, takeFileWorker, transferable, workerFailure } from '../file-worker.ts'
import { type ErrorMessage, fromMessage } from '../worker-errors.ts'

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
export const importThread =
  (place: DatabasePlace, program = PROGRAM): ImportWork =>
  (...job) =>
    takeFileWorker(() => runWorker(place, program, ...job))

const runWorker = (
  { dataDir, databaseUrl }: DatabasePlace,
  program: string,
  ...[caller, content, query, steps]: Parameters<ImportWork>
): Promise<ImportReport> =>
  new Promise((resolve, reject) => {
    const bytes = transferable(content)
    const wantsPreview = steps.preview !== undefined
    const workerData: ImportJob = { dataDir, databaseUrl, caller, query, key: steps.key, wantsPreview }
    const worker = new Worker(program, { workerData, name: 'import', resourceLimits: FILE_WORKER_LIMITS })
    worker.postMessage(bytes, [bytes.buffer])
    let commit = Promise.withResolvers<void>()
    const resume = () => worker.postMessage('continue')

    function end(settle: () => void): void {
      commit.resolve()
      settle()
      void worker.terminate()
    }

    async function onMessage(message: ImportMessage): Promise<void> {
      if (message.type === 'read') {
        await steps.authorize()
        resume()
      } else if (message.type === 'ready') {
        // The worker tries again after a concurrent write.
        commit = Promise.withResolvers()
        await steps.exclusively(() => {
          resume()
          return commit.promise
        })
      } else if (message.type === 'committed') commit.resolve()
      else if (message.type === 'progress') steps.progress?.(message.done, message.rows)
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
