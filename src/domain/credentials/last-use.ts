import type { Clock } from '../../lib/clock.ts'
import type { Use } from './store.ts'

const MINUTE = 60_000
const FLUSH_AFTER = 1_000

/** Keeps when each key or grant was last used, to the minute, with at most one write a minute for each. */
export function lastUse(save: (uses: readonly Use[]) => Promise<void>, clock: Clock) {
  const written = new Map<number, number>()
  const pending = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (pending.size === 0) return
    const batch = [...pending]
    pending.clear()
    await save(batch)
  }

  function note(id: number): void {
    const minute = Math.floor(clock() / MINUTE) * MINUTE
    if ((written.get(id) ?? 0) === minute) return
    written.set(id, minute)
    pending.set(id, minute)
    // A full or read-only disk must not end the server over a time of last use; the next minute tries again.
    timer ??= setTimeout(() => void flush().catch(() => undefined), FLUSH_AFTER).unref()
  }

  return { note, flush }
}
