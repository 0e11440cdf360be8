import { extname, join } from 'node:path'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { ANSWERS, IS_AWAY } from './signals.ts'
import type { Answer, Given, Question } from './worker.ts'

/** The worker lies beside this file in src, and beside the one bundle of the program in dist. */
const isBuilt = extname(import.meta.filename) === '.js'
const PROGRAM = join(import.meta.dirname, isBuilt ? 'postgres-worker.js' : 'worker.ts')

interface Settings {
  url: string
  connectMs: number
}

function startThread({ url, connectMs }: Settings, program: string | URL, connections = 0) {
  const { port1: port, port2: theirs } = new MessageChannel()
  const signals = new Int32Array(new SharedArrayBuffer(8))
  const workerData: Given = { port: theirs, signals, url, connectMs, connections }
  const worker = new Worker(program, { workerData, transferList: [theirs], name: 'postgres' })
  // Whoever waits for a thread that failed hears of it by the time that this takes.
  worker.on('error', () => undefined)
  worker.unref()
  port.unref()
  return { worker, port, signals }
}

/** A thread that is waited for, though never for ever: one that died or hangs is replaced by another one. */
export function waitedThread(settings: Settings, program: string | URL = PROGRAM) {
  let thread = startThread(settings, program)
  let asked = 0
  /** The highest number of a connection that was heard of: a transaction of an old thread must not go on in another one. */
  let connections = 0

  function awaited(id: number, ms: number): Answer | undefined {
    const { port, signals } = thread
    for (const end = performance.now() + ms; ; ) {
      const seen = Atomics.load(signals, ANSWERS)
      const answer = receiveMessageOnPort(port)?.message as Answer | undefined
      if (answer?.id === id) return answer
      // An answer that nobody waits for any more.
      if (answer) continue
      const left = end - performance.now()
      if (left <= 0 || Atomics.wait(signals, ANSWERS, seen, left) === 'timed-out') return undefined
    }
  }

  return {
    /** While it is so, the thread looks for the database by itself, and nobody has to wait for that. */
    isAway: (): boolean => Atomics.load(thread.signals, IS_AWAY) === 1,
    /** Undefined when nothing was heard within this time. */
    ask(question: Omit<Question, 'id'>, ms: number): Answer | undefined {
      const id = ++asked
      thread.port.postMessage({ id, ...question } satisfies Question)
      const answer = awaited(id, ms)
      if (answer) {
        connections = Math.max(connections, answer.connection)
        return answer
      }
      void thread.worker.terminate()
      thread = startThread(settings, program, connections)
      return undefined
    },
    close(): void {
      const { worker, port, signals } = thread
      const seen = Atomics.load(signals, ANSWERS)
      port.postMessage('end')
      Atomics.wait(signals, ANSWERS, seen, settings.connectMs)
      void worker.terminate()
    },
  }
}
