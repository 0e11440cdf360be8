import { setTimeout as wait } from 'node:timers/promises'
import { Busy } from './errors.ts'

/** Runs one task at a time. A task that waits longer than `maxWaitMs` fails with `Busy`. */
export function mutex(maxWaitMs: number, busyMessage: string) {
  let last: Promise<unknown> = Promise.resolve()
  return async function take<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = last
    const { promise, resolve: release } = Promise.withResolvers<void>()
    last = promise
    const stop = new AbortController()
    const tooLong = wait(maxWaitMs, true, { signal: stop.signal }).catch(() => false)
    try {
      if (await Promise.race([before.then(() => false), tooLong])) {
        // Later tasks still wait for the one before.
        void before.then(() => release())
        throw new Busy(busyMessage)
      }
      return await work().finally(release)
    } finally {
      stop.abort()
    }
  }
}
