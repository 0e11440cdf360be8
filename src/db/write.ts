import type { Db } from './connection.ts'
import { dataVersion, type WrittenPart } from './data-version.ts'
import { DatabaseLocked, databaseFault, isBusy } from './fault.ts'
import { perConnection } from './per-connection.ts'
import { isConflict, isTaken, TooManyConflicts } from './postgres/fault.ts'
import { postgresOf } from './postgres/open.ts'

/** How often a waiting write checks whether another connection still holds the lock. */
const POLL_MS = 10
/** Requests are answered within 10 s (contract 17.11), so a write gives up before that. */
const MAX_WAIT_MS = 8_000
/** How many turns of the event loop a group of writes waits for more of them. */
const MAX_TURNS = 2
/** PostgreSQL refuses a transaction that met another one; it is done again this often. */
const MAX_CONFLICTS = 30
/** A value that was free when the work checked it may be taken by another process; the next try sees by whom. */
const MAX_TAKEN = 3

interface Waiting {
  part: WrittenPart
  work: () => unknown
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
  /** When to give up waiting for the lock. */
  deadline: number
  failures: number
}

/** Every write takes this lock in PostgreSQL. Flights also take it in `new_change`, see the migrations. */
export const TRY_LOCK = 'select pg_try_advisory_xact_lock(1346459724, 1)'

class LockHeld extends Error {}

/** Another connection holds the lock or changed the same rows; nothing was written, and the same work may succeed later. */
function mayPass(error: unknown, failures: number): boolean {
  if (error instanceof LockHeld || isBusy(error)) return true
  return (isConflict(error) && failures < MAX_CONFLICTS) || (isTaken(error) && failures < MAX_TAKEN)
}

const maxWait = perConnection(() => ({ ms: MAX_WAIT_MS }))

const writer = perConnection((db) => {
  const client = db.$client
  const wait = maxWait(db)
  const versions = dataVersion(db)
  const tryLock = postgresOf(db)?.prepare(TRY_LOCK).pluck()
  const transaction = client.transaction((parts: readonly WrittenPart[], work: () => void) => {
    if (tryLock && tryLock.get() !== 1) throw new LockHeld()
    versions.during(parts, work)
  }).immediate

  let queue: Waiting[] = []
  let isScheduled = false
  let turns = 0
  let counted = 0
  /** Workers of this process that write on a connection of their own. */
  let workers = 0
  let lastWorker: Promise<unknown> = Promise.resolve()

  function schedule(): void {
    if (isScheduled || queue.length === 0) return
    isScheduled = true
    setImmediate(commit)
  }

  /** Several writes at once are often followed by more; a single one is not kept waiting. */
  function shouldWaitForMore(): boolean {
    if (queue.length === 1 || queue.length === counted || turns === MAX_TURNS) return false
    counted = queue.length
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
    turns = counted = 0
    if (!commitTogether(batch)) for (const waiting of batch) commitTogether([waiting])
  }

  /** False if one of several works failed: everything was undone, and each must be done alone. */
  function commitTogether(batch: readonly Waiting[]): boolean {
    let results: unknown[] = []
    try {
      transaction(
        batch.map(({ part }) => part),
        () => {
          results = batch.map(({ work }) => work())
        },
      )
    } catch (error) {
      if (batch.every(({ failures }) => mayPass(error, failures))) waitAndRetry(batch, error)
      else if (batch.length > 1 && !databaseFault(error)) return false
      else for (const { reject } of batch) reject(isConflict(error) ? new TooManyConflicts(error) : error)
      return true
    }
    for (const [index, { resolve }] of batch.entries()) resolve(results[index])
    return true
  }

  function waitAndRetry(batch: readonly Waiting[], error: unknown): void {
    const isLocked = error instanceof LockHeld || isBusy(error)
    for (const waiting of batch) if (!isLocked) waiting.failures++
    queue.push(...batch)
    isScheduled = true
    const retry = () => {
      isScheduled = false
      rejectExpired(error)
      schedule()
    }
    // Two processes that met must not meet again and again.
    setTimeout(retry, isLocked ? POLL_MS : Math.random() * POLL_MS)
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
 * The only way to write to the database. The work is synchronous and may run again from its start, so it must depend on
 * nothing but its request and the database; what it reads stays true until the commit. Works of the same turn of the event
 * loop share one commit, and a work that fails undoes only its own changes. The promise settles when the commit is durable.
 *
 * While another connection holds the write lock the work waits, without blocking the event loop, and fails with
 * `DatabaseLocked` after 8 s.
 */
export const write = <Result>(db: Db, part: WrittenPart, work: () => Result): Promise<Result> =>
  writer(db).add(part, work) as Promise<Result>

/** Runs a worker that writes on a connection of its own, one at a time. Writes of this connection wait until it is done. */
export const writeInWorker = <Result>(db: Db, run: () => Promise<Result>): Promise<Result> => writer(db).inWorker(run)

/** How long writes wait for the lock: longer at a start and in workers, where no request waits. */
export function setMaxWait(db: Db, ms = MAX_WAIT_MS): void {
  maxWait(db).ms = ms
}

/**
 * For a command that has the connection to itself: everything that the work writes is one transaction, and the lock is held
 * until it is done.
 */
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
