import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { DocumentFlight } from '../../domain/documents/document-flight.ts'
import type { ReadDocument, TravelDocument } from '../../domain/documents/readers/registry.ts'
import { AppError, type ErrorCode } from '../../lib/errors.ts'
import { english } from '../../messages/english.ts'
import { FILE_WORKER_LIMITS, takeFileWorker, transferable, workerFailure } from '../file-worker.ts'

export type DocumentMessage =
  | { type: 'ready' }
  | { type: 'done'; flights: DocumentFlight[] }
  | { type: 'refused'; code: ErrorCode; message: string }

/** An ordinary e-mail takes 0.2 s, a hostile one up to 31 s. */
const MAX_READ_MS = 2_000
/** For documents of up to 2 MiB; most of their memory is outside of the heap. */
const LIMITS = { ...FILE_WORKER_LIMITS, maxOldGenerationSizeMb: 32 }
/** Loading the program takes 0.1 s, and longer on a busy machine. */
const MAX_START_MS = 30_000

/** In the same folder in src and in dist. */
const PROGRAM = join(import.meta.dirname, `document-worker${extname(import.meta.filename)}`)

const readInWorker = (
  { content, ...rest }: TravelDocument,
  program: string,
  maxReadMs: number,
): Promise<DocumentFlight[]> =>
  new Promise((resolve, reject) => {
    const bytes = transferable(content)
    const worker = new Worker(program, {
      workerData: { content: bytes, ...rest },
      transferList: [bytes.buffer],
      name: 'document',
      resourceLimits: LIMITS,
    })
    let settle = () => reject(new Error('The worker that reads a document ended too early.'))
    const refuse = (error: Error) => {
      settle = () => reject(error)
    }
    const stop = () => {
      refuse(new AppError('validation_failed', english.documents.tooSlow))
      void worker.terminate()
    }
    let deadline = setTimeout(stop, MAX_START_MS)
    worker.on('message', (message: DocumentMessage) => {
      if (message.type === 'ready') {
        clearTimeout(deadline)
        deadline = setTimeout(stop, maxReadMs)
      } else if (message.type === 'refused') refuse(new AppError(message.code, message.message))
      else settle = () => resolve(message.flights)
    })
    worker.on('error', (error: Error) => refuse(workerFailure(error)))
    // The next document is read when the memory of this worker is free.
    worker.on('exit', () => {
      clearTimeout(deadline)
      settle()
    })
  })

export const documentThread =
  ({ program = PROGRAM, maxReadMs = MAX_READ_MS } = {}): ReadDocument =>
  (document) =>
    takeFileWorker(() => readInWorker(document, program, maxReadMs))
