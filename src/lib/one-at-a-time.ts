import { setTimeout as wait } from 'node:timers/promises'
import { Busy } from './errors.ts'

/** Runs one piece of work at a time. Work that waits longer than `maxWaitMs` fails with `Busy`. */
export function oneAtATime(maxWaitMs: number, busyMessage: string) {
  let last: Promise<unknown> = Promise.resolve()
  return async function take<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = last
    let leave = () => undefined as void
    last = new Promise<void>((resolve) => {
      leave = resolve
    })
    const stop = new AbortController()
    const tooLong = wait(maxWaitMs, true, { signal: stop.signal }).catch(() => false)
    try {
      if (await Promise.race([before.then(() => false), tooLong])) {
        // The work behind this one still waits for the work before it.
        void before.then(leave)
        throw new Busy(busyMessage)
      }
      return await work().finally(leave)
    } finally {
      stop.abort()
    }
  }
}
