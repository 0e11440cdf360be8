export type Clock = () => number

export const systemClock: Clock = () => Date.now()

/** Continues from a stopwatch if the system clock is set back, so that nothing expired becomes valid again. */
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
