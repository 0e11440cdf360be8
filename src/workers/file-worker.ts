import { totalmem } from 'node:os'
import type { ResourceLimits } from 'node:worker_threads'
import { AppError } from '../lib/errors.ts'
import { mutex } from '../lib/mutex.ts'
import { english } from '../messages/english.ts'

const MEGABYTE = 2 ** 20

/** A limit of the container is below the memory of the machine. */
const memoryMb = Math.min(process.constrainedMemory() || Infinity, totalmem()) / MEGABYTE

/**
 * For files of up to 20 MB, of which some need more than the smallest container has.
 * `--max-old-space-size` on Node's command line would override it.
 */
export const FILE_WORKER_LIMITS: ResourceLimits = {
  maxOldGenerationSizeMb: memoryMb < 500 ? 72 : 200,
  maxYoungGenerationSizeMb: 4,
}

/** A copy if the bytes share their memory with other buffers. */
export const transferable = (content: Buffer): Uint8Array<ArrayBuffer> =>
  content.buffer instanceof ArrayBuffer && content.byteLength === content.buffer.byteLength
    ? new Uint8Array(content.buffer)
    : new Uint8Array(content)

const MAX_WAIT_MS = 30_000

/** One file at a time, since each worker may take as much memory as the rest of the server. */
export const takeFileWorker = mutex(MAX_WAIT_MS, english.busy.file)

const TOO_COMPLEX = english.files.tooMuchMemory

export const workerFailure = (error: Error & { code?: string }) =>
  error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new AppError('validation_failed', TOO_COMPLEX, { cause: error }) : error
