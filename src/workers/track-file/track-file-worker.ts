import { parentPort, workerData } from 'node:worker_threads'
import { packTrackFile, type TrackFile } from '../../domain/flights/tracks/files/read.ts'
import { AppError } from '../../lib/errors.ts'
import type { TrackFileMessage } from './track-file-thread.ts'

const { content, name, ends } = workerData as TrackFile

async function read(): Promise<TrackFileMessage> {
  try {
    return { type: 'done', track: await packTrackFile({ content: Buffer.from(content.buffer), name, ends }) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { type: 'refused', code: error.code, message: error.message }
  }
}

const message = await read()
parentPort!.postMessage(message)
