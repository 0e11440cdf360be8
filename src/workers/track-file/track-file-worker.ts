import { parentPort, workerData } from 'node:worker_threads'
import { packTrackFile, type TrackFile } from '../../domain/flights/tracks/files/read.ts'
import { AppError } from '../../lib/errors.ts'
import type { TrackFileMessage } from './track-file-thread.ts'

const { content, name, ends } = workerData as TrackFile

const message = await packTrackFile({ content: Buffer.from(content.buffer), name, ends }).then(
  (track): TrackFileMessage => ({ type: 'done', track }),
  (error): TrackFileMessage => {
    if (!(error instanceof AppError)) throw error
    return { type: 'refused', code: error.code, message: error.message }
  },
)
parentPort!.postMessage(message)
