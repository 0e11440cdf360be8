import { type Clock, systemClock } from '../../lib/clock.ts'

export interface LimiterOptions {
  limit: number
  windowMs: number
  /** Keys remembered at most; the oldest are dropped first. */
  capacity: number
  now?: Clock | undefined
}

export interface Limiter {
  /** Counts a request: 0 when it is allowed, else the whole seconds until the window ends. */
  take(key: string): number
}

interface Window {
  start: number
  count: number
}

export const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

/** Fixed windows that begin with the first request of a key, kept in memory (contract 7.10). */
export function createLimiter({ limit, windowMs, capacity, now = systemClock }: LimiterOptions): Limiter {
  const windows = new Map<string, Window>()
  return {
    take(key) {
      const time = now()
      const window = windows.get(key)
      // A clock that was set back must not make a window last longer than it should.
      if (!window || time >= window.start + windowMs || time < window.start) {
        windows.delete(key)
        if (windows.size >= capacity) windows.delete(windows.keys().next().value!)
        windows.set(key, { start: time, count: 1 })
        return 0
      }
      window.count++
      return window.count <= limit ? 0 : secondsOf(window.start + windowMs - time)
    },
  }
}
