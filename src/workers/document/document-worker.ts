import { parentPort, workerData } from 'node:worker_threads'
import { readDocument, type TravelDocument } from '../../domain/documents/readers/registry.ts'
import { AppError } from '../../lib/errors.ts'
import type { DocumentMessage } from './document-thread.ts'

const { content, ...rest } = workerData as TravelDocument
const send = (message: DocumentMessage) => parentPort!.postMessage(message)

// The deadline begins when the program is loaded.
await Promise.all([import('ical.js'), import('postal-mime')])
send({ type: 'ready' })
send(
  await readDocument({ content: Buffer.from(content.buffer), ...rest }).then(
    (flights): DocumentMessage => ({ type: 'done', flights }),
    (error): DocumentMessage => {
      if (!(error instanceof AppError)) throw error
      return { type: 'refused', code: error.code, message: error.message }
    },
  ),
)
