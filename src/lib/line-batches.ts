import { writeSync } from 'node:fs'

/** As much as one write takes; it hardly costs more than that of one line. */
const BATCH_LENGTH = 16 * 1024
/** What waits at most where nobody reads; then lines are dropped, since memory has an end. */
const MAX_WAITING = 4 * 1024 * 1024
const LONGEST_WAIT_MS = 500

interface Options {
  write?: (text: Buffer) => number
  /** True where other processes write to the same place: what one write takes is then never mixed with lines of theirs. */
  isShared?: boolean
}

/** As much as the system writes to a pipe in one piece, whoever else writes (POSIX). */
const PIPE_BUF = 4096

/** The end of the last line that still fits; a longer one stays whole. */
function whole(bytes: Buffer): number {
  if (bytes.length <= PIPE_BUF) return bytes.length
  return bytes.lastIndexOf('\n', PIPE_BUF - 1) + 1 || bytes.indexOf('\n') + 1 || bytes.length
}

/**
 * Lines of a log, written some at a time: after half a second, when there are many, at the exit of the process and when
 * the logger asks for it after a fatal error. Nothing of it is on the way of a request.
 */
export function lineBatches({ write = (bytes) => writeSync(1, bytes), isShared = false }: Options = {}) {
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
      while (rest.length > 0) rest = rest.subarray(write(isShared ? rest.subarray(0, whole(rest)) : rest))
    } catch (error) {
      // A reader who is slow gets the rest later; one who has gone gets nothing more.
      closed = (error as NodeJS.ErrnoException).code !== 'EAGAIN'
    }
  }

  process.once('exit', flushSync)
  return {
    flushSync,
    write(line: string): void {
      if (closed || rest.length > MAX_WAITING) return
      waiting += line
      if (waiting.length >= BATCH_LENGTH) flushSync()
      timer ??= setTimeout(flushSync, LONGEST_WAIT_MS).unref()
    },
  }
}
