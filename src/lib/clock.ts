/** Milliseconds since the Unix epoch. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

/**
 * A clock that never goes back: if the system clock is set back, it continues from a stopwatch, so that nothing expired
 * becomes valid again.
 */
export function steadyClock(clock: Clock = systemClock, stopwatch: () => number = () => performance.now()): Clock {
  let current = clock()
  let lastReading = stopwatch()
  return () => {
    const now = stopwatch()
    current = Math.max(clock(), current + now - lastReading)
    lastReading = now
    return Math.floor(current)
  }
}
