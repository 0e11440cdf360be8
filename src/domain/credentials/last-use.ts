import type { Clock } from '../../lib/clock.ts'
import type { credentialStore } from './store.ts'

const MINUTE = 60_000
const FLUSH_AFTER = 1_000

/** Keeps when each key was last used, to the minute, with one write a key and minute at most. */
export function lastUse(store: ReturnType<typeof credentialStore>, clock: Clock) {
  const written = new Map<number, number>()
  const pending = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (pending.size === 0) return
    const batch = [...pending]
    pending.clear()
    store.touch(batch)
  }

  function note(keyId: number): void {
    const minute = Math.floor(clock() / MINUTE) * MINUTE
    if (written.get(keyId) === minute) return
    written.set(keyId, minute)
    pending.set(keyId, minute)
    timer ??= setTimeout(() => {
      try {
        flush()
      } catch {
        // A full or read-only disk must not end the server over a time of last use; the next minute tries again.
      }
    }, FLUSH_AFTER)
    timer.unref()
  }

  return { note, flush }
}
