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

/** Runs tasks with the same key one after another, and at most `maxRunning` tasks at a time. */
export function keyedQueue(maxRunning: number) {
  const lastOf = new Map<string, Promise<unknown>>()
  const runWhenFree = limitConcurrency(maxRunning)

  return function run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const before = lastOf.get(key) ?? Promise.resolve()
    const result = before.then(() => runWhenFree(task))
    const settled = result.catch(() => undefined)
    lastOf.set(key, settled)
    settled.then(() => {
      if (lastOf.get(key) === settled) lastOf.delete(key)
    })
    return result
  }
}
