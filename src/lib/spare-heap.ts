import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'

/**
 * For a command beside a server: what it holds counts, and not how fast it is. The engine would let the room for young
 * objects grow to sixteen times its first size, and the rest to twice what is in use, by 8 MB at least, before it looks
 * for garbage. Of its two compilers the one that works earlier and more often takes 8 MB beside the heap.
 */
export function spareHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=30')
  setFlagsFromString('--optimize-for-size')
  setFlagsFromString('--no-maglev')
}

/** For a command too: where memory runs out, Linux ends this process, and not the server, which is larger. */
export function goFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Another system, or one that does not let itself be told.
  }
}
