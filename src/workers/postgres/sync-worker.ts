import { extname, join } from 'node:path'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { ANSWERS, IS_UNREACHABLE, type StatementRequest, type StatementResult, type WorkerInput } from './protocol.ts'

/** Beside this file in src, and beside the bundle in dist. */
const PROGRAM = join(import.meta.dirname, `postgres-worker${extname(import.meta.filename)}`)

interface Settings {
  url: string
  connectMs: number
}

function startWorker({ url, connectMs }: Settings, program: string | URL, connections = 0) {
  const { port1: port, port2: workerPort } = new MessageChannel()
  const signals = new Int32Array(new SharedArrayBuffer(8))
  const workerData: WorkerInput = { port: workerPort, signals, url, connectMs, connections }
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
      const seen = Atomics.load(signals, ANSWERS)
      const answer = receiveMessageOnPort(port)?.message as StatementResult | undefined
      if (answer?.id === id) return answer
      // Skip answers of requests that timed out.
      if (answer) continue
      const left = end - performance.now()
      if (left <= 0 || Atomics.wait(signals, ANSWERS, seen, left) === 'timed-out') return undefined
    }
  }

  return {
    isUnreachable: (): boolean => Atomics.load(current.signals, IS_UNREACHABLE) === 1,
    execute(request: Omit<StatementRequest, 'id'>, ms: number): StatementResult | undefined {
      const id = ++lastId
      current.port.postMessage({ id, ...request } satisfies StatementRequest)
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
      const { worker, port, signals } = current
      const seen = Atomics.load(signals, ANSWERS)
      port.postMessage('end')
      Atomics.wait(signals, ANSWERS, seen, settings.connectMs)
      void worker.terminate()
    },
  }
}
