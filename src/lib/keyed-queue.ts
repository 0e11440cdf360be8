/** Runs tasks with the same key one after another, and at most `maxRunning` tasks at a time. */
export function keyedQueue(maxRunning: number) {
  const lastOf = new Map<string, Promise<unknown>>()
  const waiting: (() => void)[] = []
  let running = 0

  async function runWhenFree<Result>(task: () => Promise<Result>): Promise<Result> {
    if (running >= maxRunning) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  return function run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const before = lastOf.get(key) ?? Promise.resolve()
    const result = before.then(() => runWhenFree(task))
    const settled = result.then(
      () => undefined,
      () => undefined,
    )
    lastOf.set(key, settled)
    settled.then(() => {
      if (lastOf.get(key) === settled) lastOf.delete(key)
    })
    return result
  }
}
