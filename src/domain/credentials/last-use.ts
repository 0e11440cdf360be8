import type { Clock } from '../../lib/clock.ts'
import type { Use } from './store.ts'

const MINUTE = 60_000
const FLUSH_AFTER = 1_000

/** Keeps when each key or grant was last used, to the minute, with one write for each and minute at most. */
export function lastUse(save: (uses: Iterable<Use>) => void, clock: Clock, mustWait: () => boolean) {
  const written = new Map<number, number>()
  const pending = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (pending.size === 0) return
    const batch = [...pending]
    pending.clear()
    save(batch)
  }

  function flushLater(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      try {
        if (mustWait()) flushLater()
        else flush()
      } catch {
        // A full or read-only disk must not end the server over a time of last use; the next minute tries again.
      }
    }, FLUSH_AFTER)
    timer.unref()
  }

  function note(id: number): void {
    const minute = Math.floor(clock() / MINUTE) * MINUTE
    if ((written.get(id) ?? 0) === minute) return
    written.set(id, minute)
    pending.set(id, minute)
    flushLater()
  }

  return { note, flush }
}
