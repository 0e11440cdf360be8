/** Milliseconds since 1970 in UTC; tests pass their own. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

/**
 * A clock that never goes back: when the system's is set back, time goes on from where it was, at the pace of a
 * stopwatch. What has run out by it has run out for good.
 */
export function steadyClock(clock: Clock = systemClock, stopwatch: () => number = () => performance.now()): Clock {
  let reached = clock()
  let seen = stopwatch()
  return () => {
    const now = stopwatch()
    reached = Math.max(clock(), reached + now - seen)
    seen = now
    return Math.floor(reached)
  }
}
