/** A thread that hears everything and never answers. */
import { type MessagePort, workerData } from 'node:worker_threads'

const { port } = workerData as { port: MessagePort }
port.on('message', () => undefined)
