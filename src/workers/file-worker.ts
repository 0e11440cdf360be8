import type { ResourceLimits } from 'node:worker_threads'
import { AppError } from '../lib/errors.ts'
import { mutex } from '../lib/mutex.ts'

/** For files of up to 20 MB. `--max-old-space-size` on Node's command line would override it. */
export const FILE_WORKER_LIMITS: ResourceLimits = { maxOldGenerationSizeMb: 72, maxYoungGenerationSizeMb: 4 }

/** The bytes of a file, to be moved to a worker; a copy if they share their memory with other buffers. */
export const transferable = (content: Buffer): Uint8Array<ArrayBuffer> =>
  content.buffer instanceof ArrayBuffer && content.byteLength === content.buffer.byteLength
    ? new Uint8Array(content.buffer)
    : new Uint8Array(content)

const MAX_WAIT_MS = 30_000

/** One file at a time, since the worker of each may take as much memory as the rest of the server. */
export const takeFileWorker = mutex(MAX_WAIT_MS, 'Another file is being read; try again in a minute.')

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY'

/** What the caller gets when the worker has died. */
export const workerFailure = (error: Error & { code?: string }) =>
  error.code === OUT_OF_MEMORY
    ? new AppError(
        'validation_failed',
        'The file is too complex: it needs more memory than this instance has. Split it.',
        {
          cause: error,
        },
      )
    : error
