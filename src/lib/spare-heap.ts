import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * For a command beside a server: what it holds counts, and not how fast it is. The engine would let the room for young
 * objects grow to sixteen times its first size, and the rest to twice what is in use, by 8 MB at least, before it looks
 * for garbage. Its compilers take room beside the heap that stays theirs: the one that works best takes 8 MB for a long
 * function with all that it calls, the two that work earlier and more often as much again.
 */
export function spareHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=30')
  setFlagsFromString('--optimize-for-size')
  setFlagsFromString('--no-maglev')
  setFlagsFromString('--no-sparkplug')
  setFlagsFromString('--max-optimized-bytecode-size=2000')
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=200')
}

let collect: (() => void) | undefined

/** Looks for garbage now, which the engine would leave for as long as it is less than 8 MB. */
export function sweepHeap(): void {
  setFlagsFromString('--expose-gc')
  collect ??= runInNewContext('gc') as () => void
  collect()
}

/** For a command too: where memory runs out, Linux ends this process, and not the server, which is larger. */
export function goFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Another system, or one that does not let itself be told.
  }
}
