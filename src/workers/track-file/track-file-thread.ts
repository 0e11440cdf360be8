import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ReadTrackFile, TrackFile } from '../../domain/flights/tracks/files/read.ts'
import type { PackedTrack } from '../../domain/flights/tracks/packing.ts'
import { AppError, type ErrorCode } from '../../lib/errors.ts'
import { english } from '../../messages/english.ts'
import { FILE_WORKER_LIMITS, takeFileWorker, transferable, workerFailure } from '../file-worker.ts'

export type TrackFileMessage =
  | { type: 'done'; track: PackedTrack }
  | { type: 'refused'; code: ErrorCode; message: string }

/** Buffers arrive as plain bytes. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength)

/** The largest file takes a few seconds; a busy machine gets many times as much. */
const MAX_READ_MS = 30_000

/** In the same folder in src and in dist. */
const PROGRAM = join(import.meta.dirname, `track-file-worker${extname(import.meta.filename)}`)

const readInWorker = ({ content, ...rest }: TrackFile, program: string, maxReadMs: number): Promise<PackedTrack> =>
  new Promise((resolve, reject) => {
    const bytes = transferable(content)
    const worker = new Worker(program, {
      workerData: { content: bytes, ...rest },
      transferList: [bytes.buffer],
      name: 'track-file',
      resourceLimits: FILE_WORKER_LIMITS,
    })
    let settle = () => reject(new Error('The worker that reads a track file ended too early.'))
    const refuse = (error: Error) => {
      settle = () => reject(error)
    }
    const deadline = setTimeout(() => {
      refuse(new AppError('validation_failed', english.files.tooSlow))
      void worker.terminate()
    }, maxReadMs)
    worker.on('message', (message: TrackFileMessage) => {
      if (message.type === 'refused') return refuse(new AppError(message.code, message.message))
      const { points, line, ...track } = message.track
      settle = () => resolve({ ...track, points: bufferOf(points), line: bufferOf(line) })
    })
    worker.on('error', (error: Error) => refuse(workerFailure(error)))
    // The next file is read when the memory of this worker is free.
    worker.on('exit', () => {
      clearTimeout(deadline)
      settle()
    })
  })

export const trackFileThread =
  ({ program = PROGRAM, maxReadMs = MAX_READ_MS } = {}): ReadTrackFile =>
  (file) =>
    takeFileWorker(() => readInWorker(file, program, maxReadMs))
