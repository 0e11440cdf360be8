import { writeSync } from 'node:fs'

/** As much as one write takes; it hardly costs more than that of one line. */
const BATCH_LENGTH = 16 * 1024
/** What waits at most where nobody reads; then lines are dropped, since memory has an end. */
const MAX_WAITING = 4 * 1024 * 1024
const FLUSH_INTERVAL_MS = 200

/**
 * The destination of the log. `write` writes at once. `batch` is for the line of every request: such lines are written
 * together, after `FLUSH_INTERVAL_MS` or with the next line that is not batched.
 */
export function lineBatches(write: (bytes: Buffer) => number = (bytes) => writeSync(1, bytes)) {
  let waiting = ''
  /** What a slow reader has not taken yet. */
  let rest = Buffer.alloc(0)
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function flushSync(): void {
    clearTimeout(timer)
    timer = undefined
    rest = Buffer.concat([rest, Buffer.from(waiting)])
    waiting = ''
    try {
      while (rest.length > 0) rest = rest.subarray(write(rest))
    } catch (error) {
      // A slow reader gets the rest later; a closed pipe gets nothing more.
      closed = (error as NodeJS.ErrnoException).code !== 'EAGAIN'
      if (!closed) flushLater()
    }
  }

  function flushLater(): void {
    timer ??= setTimeout(flushSync, FLUSH_INTERVAL_MS).unref()
  }

  function append(line: string): boolean {
    if (closed || rest.length + waiting.length > MAX_WAITING) return false
    waiting += line
    return true
  }

  process.once('exit', flushSync)
  return {
    flushSync,
    write(line: string): void {
      if (append(line) && rest.length === 0) flushSync()
    },
    batch(line: string): void {
      if (!append(line)) return
      if (waiting.length >= BATCH_LENGTH) flushSync()
      else flushLater()
    },
  }
}
