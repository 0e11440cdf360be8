import { extname, join } from 'node:path'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import {
  REFUSAL_SIGNAL,
  type Refused,
  SIGNALS,
  type StatementRequest,
  type StatementResult,
  type WorkerInput,
  type WorkerMessage,
} from './protocol.ts'

/** Beside this file in src, and beside the bundle in dist. */
const PROGRAM = join(import.meta.dirname, `postgres-worker${extname(import.meta.filename)}`)

interface Settings {
  url: string
  connectMs: number
}

/** `earlierConnections` is set for the replacement of a worker. */
function startWorker({ url, connectMs }: Settings, program: string | URL, earlierConnections?: number) {
  const isReplacement = earlierConnections !== undefined
  const { port1: port, port2: workerPort } = new MessageChannel()
  const signals = new Int32Array(new SharedArrayBuffer(16))
  if (isReplacement) Atomics.store(signals, SIGNALS.isUnreachable, 1)
  const connections = earlierConnections ?? 0
  const workerData: WorkerInput = { port: workerPort, signals, url, connectMs, connections, isReplacement }
  const worker = new Worker(program, { workerData, transferList: [workerPort], name: 'postgres' })
  // The caller notices a failed worker by its timeout.
  worker.on('error', () => undefined)
  worker.unref()
  port.unref()
  return { worker, port, signals }
}

/** A worker that is called synchronously. One that died or hangs is replaced. */
export function syncWorker(settings: Settings, program: string | URL = PROGRAM) {
  let current = startWorker(settings, program)
  let lastId = 0
  /** Continues the numbering, so that a transaction never continues in another worker. */
  let connections = 0

  function waitForAnswer(id: number, ms: number): StatementResult | undefined {
    const { port, signals } = current
    for (const end = performance.now() + ms; ; ) {
      const seen = Atomics.load(signals, SIGNALS.answers)
      const answer = receiveMessageOnPort(port)?.message as StatementResult | undefined
      if (answer?.id === id) return answer
      // Skip answers of requests that timed out.
      if (answer) continue
      const left = end - performance.now()
      if (left <= 0 || Atomics.wait(signals, SIGNALS.answers, seen, left) === 'timed-out') return undefined
    }
  }

  const post = (message: WorkerMessage) => current.port.postMessage(message)
  const isSet = (signal: number) => Atomics.load(current.signals, signal) === 1

  return {
    isUnreachable: (): boolean => isSet(SIGNALS.isUnreachable),
    isRefused: (what: Refused): boolean => isSet(REFUSAL_SIGNAL[what]),
    /** Until a probe of the worker succeeds. */
    refuse(what: Refused): void {
      if (isSet(REFUSAL_SIGNAL[what])) return
      Atomics.store(current.signals, REFUSAL_SIGNAL[what], 1)
      post({ probe: what })
    },
    execute(request: Omit<StatementRequest, 'id'>, ms: number): StatementResult | undefined {
      const id = ++lastId
      post({ id, ...request })
      const answer = waitForAnswer(id, ms)
      if (answer) {
        connections = Math.max(connections, answer.connection)
        return answer
      }
      void current.worker.terminate()
      current = startWorker(settings, program, connections)
      return undefined
    },
    close(): void {
      const { worker, signals } = current
      const seen = Atomics.load(signals, SIGNALS.answers)
      post('end')
      Atomics.wait(signals, SIGNALS.answers, seen, settings.connectMs)
      void worker.terminate()
    },
  }
}
