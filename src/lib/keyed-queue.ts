import { Busy } from './errors.ts'

export function limitConcurrency(maxRunning: number, maxQueued = Infinity, fullError = () => new Busy('Busy.')) {
  const waiting: (() => void)[] = []
  let running = 0
  return async function run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (running >= maxRunning) {
      if (waiting.length >= maxQueued) throw fullError()
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running++
    }
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

interface QueueLimit {
  /** Per key, with the running task. */
  maxQueued?: number
  fullError?: () => Error
}

/** Runs tasks with the same key one after another, and at most `maxRunning` tasks at a time. */
export function keyedQueue(
  maxRunning: number,
  { maxQueued = Infinity, fullError = () => new Busy('Busy.') }: QueueLimit = {},
) {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>()
  const runWhenFree = limitConcurrency(maxRunning)

  return function run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 }
    if (queue.length >= maxQueued) return Promise.reject(fullError())
    const result = queue.last.then(() => runWhenFree(task))
    queue.last = result.catch(() => undefined)
    queue.length++
    queues.set(key, queue)
    queue.last.then(() => {
      if (--queue.length === 0) queues.delete(key)
    })
    return result
  }
}
