/** A thread that receives messages and never responds. */
import { type MessagePort, workerData } from 'node:worker_threads'

const { port } = workerData as { port: MessagePort }
port.on('message', () => undefined)
