import { type Db, perConnection } from './connection.ts'
import { DatabaseLocked, describeDatabaseError, isBusy } from './errors.ts'
import { isConflict, isUniqueViolation, TooManyConflicts, TurnTaken } from './postgres/errors.ts'
import { postgresOf } from './postgres/open.ts'
import { dataVersion, type WrittenPart } from './version.ts'

const POLL_MS = 10
/** Requests must be answered within 10 s (contract 17.11). */
const MAX_WAIT_MS = 8_000
/** Turns of the event loop that a group waits for more writes. */
const MAX_TURNS = 2
/** A group ends after this time, so that the event loop is not blocked for longer. */
const MAX_GROUP_MS = 50
/** How long a write blocks while another server writes. After that it tries again without blocking. */
const TURN_MS = 100
const MAX_CONFLICTS = 30
/** Retries after unique violations: another process may have inserted the same value after the check. */
const MAX_UNIQUE_VIOLATIONS = 3

interface QueuedWrite {
  part: WrittenPart
  work: () => unknown
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
  deadline: number
  failures: number
}

const isLocked = (error: unknown): boolean => error instanceof TurnTaken || isBusy(error)

function canRetry(error: unknown, failures: number): boolean {
  if (isLocked(error)) return true
  return (
    (isConflict(error) && failures < MAX_CONFLICTS) || (isUniqueViolation(error) && failures < MAX_UNIQUE_VIOLATIONS)
  )
}

const maxWait = perConnection(() => ({ ms: MAX_WAIT_MS }))

const writer = perConnection((db) => {
  const client = db.$client
  const wait = maxWait(db)
  const versions = dataVersion(db)
  const postgres = postgresOf(db)
  const inFile = client.transaction(versions.during).immediate

  function transaction(parts: readonly WrittenPart[], work: () => void): void {
    if (!postgres) {
      inFile(parts, work)
      return
    }
    const turnMs = isTurnTaken ? 0 : TURN_MS
    postgres.write(turnMs, () => versions.during(parts, work))
  }

  let queue: QueuedWrite[] = []
  let isScheduled = false
  let turns = 0
  let lastLength = 0
  let isTurnTaken = false
  /** Workers of this process that write on their own connection. */
  let workers = 0
  let lastWorker: Promise<unknown> = Promise.resolve()

  function schedule(): void {
    if (isScheduled || queue.length === 0) return
    isScheduled = true
    setImmediate(commit)
  }

  /** Several writes are often followed by more; a single one does not wait. */
  function shouldWaitForMore(): boolean {
    if (queue.length === 1 || queue.length === lastLength || turns === MAX_TURNS) return false
    lastLength = queue.length
    turns++
    return true
  }

  function commit(): void {
    isScheduled = false
    if (workers > 0 || queue.length === 0) return
    if (shouldWaitForMore()) {
      schedule()
      return
    }
    const batch = queue
    queue = []
    turns = lastLength = 0
    if (!commitTogether(batch)) commitAlone(batch)
  }

  function commitAlone(batch: readonly QueuedWrite[]): void {
    const start = performance.now()
    for (const [index, waiting] of batch.entries()) {
      if (performance.now() - start > MAX_GROUP_MS) {
        queue.unshift(...batch.slice(index))
        schedule()
        return
      }
      commitTogether([waiting])
    }
  }

  /** Returns false if one of several writes failed: all were rolled back and must run alone. */
  function commitTogether(batch: readonly QueuedWrite[]): boolean {
    const results: unknown[] = []
    function runAll(): void {
      const start = performance.now()
      for (const { work } of batch) {
        results.push(work())
        if (performance.now() - start > MAX_GROUP_MS) return
      }
    }
    try {
      transaction(
        batch.map(({ part }) => part),
        runAll,
      )
      isTurnTaken = false
    } catch (error) {
      isTurnTaken = error instanceof TurnTaken
      if (batch.every(({ failures }) => canRetry(error, failures))) waitAndRetry(batch, error)
      else if (batch.length > 1 && !describeDatabaseError(error)) return false
      else for (const { reject } of batch) reject(isConflict(error) ? new TooManyConflicts(error) : error)
      return true
    }
    for (const [index, result] of results.entries()) batch[index]!.resolve(result)
    queue.unshift(...batch.slice(results.length))
    schedule()
    return true
  }

  function waitAndRetry(batch: readonly QueuedWrite[], error: unknown): void {
    const delay = isLocked(error) ? POLL_MS : Math.random() * POLL_MS
    for (const waiting of batch) if (!isLocked(error)) waiting.failures++
    queue.push(...batch)
    isScheduled = true
    const retry = () => {
      isScheduled = false
      rejectExpired(error)
      schedule()
    }
    // Random, so that two processes do not collide again.
    setTimeout(retry, delay)
  }

  function rejectExpired(cause?: unknown): void {
    const now = performance.now()
    const expired = queue.filter(({ deadline }) => deadline <= now)
    if (expired.length === 0) return
    queue = queue.filter(({ deadline }) => deadline > now)
    for (const { reject } of expired) reject(new DatabaseLocked(cause))
  }

  function add(part: WrittenPart, work: () => unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      queue.push({ part, work, resolve, reject, deadline: performance.now() + wait.ms, failures: 0 })
      schedule()
    })
  }

  async function runAlone<Result>(run: () => Promise<Result>): Promise<Result> {
    workers++
    const checking = setInterval(rejectExpired, POLL_MS)
    try {
      return await run()
    } finally {
      clearInterval(checking)
      workers--
      versions.pollNow()
      schedule()
    }
  }

  return {
    add,
    inWorker<Result>(run: () => Promise<Result>): Promise<Result> {
      const done = lastWorker.then(() => runAlone(run))
      lastWorker = done.catch(() => undefined)
      return done
    },
  }
})

/**
 * The only way to write to the database. The work is synchronous and may run again, so it must depend only on its
 * request and the database. Writes of one turn of the event loop share a commit; a failed write rolls back only its own
 * changes. The promise settles when the commit is durable. While another connection holds the write lock, the work
 * waits without blocking the event loop and fails with `DatabaseLocked` after 8 s.
 */
export const write = <Result>(db: Db, part: WrittenPart, work: () => Result): Promise<Result> =>
  writer(db).add(part, work) as Promise<Result>

/** Runs a worker that writes on its own connection, one at a time. Writes of this connection wait for it. */
export const writeInWorker = <Result>(db: Db, run: () => Promise<Result>): Promise<Result> => writer(db).inWorker(run)

export function setMaxWait(db: Db, ms = MAX_WAIT_MS): void {
  maxWait(db).ms = ms
}

/** For a command: all its writes are one transaction that holds the lock. */
export async function writeAsOne<Result>({ $client }: Db, work: () => Promise<Result>): Promise<Result> {
  $client.exec('begin immediate')
  try {
    const result = await work()
    $client.exec('commit')
    return result
  } finally {
    if ($client.inTransaction) $client.exec('rollback')
  }
}
