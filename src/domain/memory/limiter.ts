import { type Clock, systemClock } from '../../lib/clock.ts'

export interface LimiterOptions {
  limit: number
  windowMs: number
  capacity: number
  now?: Clock | undefined
}

export interface Limiter {
  /** Returns 0 if the request is allowed, else the seconds until the window ends. */
  take(key: string): number
}

interface Window {
  start: number
  count: number
}

export const toRetrySeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

/** Fixed windows that start with the first request of a key (contract 7.10). */
export function createLimiter({ limit, windowMs, capacity, now = systemClock }: LimiterOptions): Limiter {
  const windows = new Map<string, Window>()
  return {
    take(key) {
      const time = now()
      const window = windows.get(key)
      // A clock that is set back must not extend a window.
      if (!window || time >= window.start + windowMs || time < window.start) {
        windows.delete(key)
        if (windows.size >= capacity) windows.delete(windows.keys().next().value!)
        windows.set(key, { start: time, count: 1 })
        return 0
      }
      window.count++
      return window.count <= limit ? 0 : toRetrySeconds(window.start + windowMs - time)
    },
  }
}
