import { DatabaseLocked, databaseFault } from './fault.ts'
import type { Db } from './open.ts'
import { writeGate } from './write-gate.ts'
import { writing } from './writing.ts'

/** How many turns a commit of several transactions waits for more of them. */
const MAX_TURNS = 2

type Around = <Result>(work: () => Result) => Result

interface Waiting {
  work: () => unknown
  /** Whether another program took the write lock just before this was begun. */
  wasLocked?: true
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Transactions that arrive in the same turn of the event loop share one commit: the disk is waited for once, and
 * nobody is answered before it has everything. A transaction that fails takes no other with it: then each is done
 * again on its own, so a work must be a function of nothing but its request and the database.
 * Every transaction runs inside `around`.
 */
export function groupCommit(db: Db, around: Around = (work) => work()) {
  const begin = (work: () => void) => around(() => writing(db, work))
  const gate = writeGate(db)
  let queue: Waiting[] = []
  let [turns, counted] = [0, 0]

  function commitBatch(batch: readonly Waiting[]): boolean {
    let results: unknown[] = []
    try {
      begin(() => {
        // The whole may be done again.
        results = []
        for (const { work } of batch) results.push(work())
      })
    } catch (error) {
      if (error instanceof DatabaseLocked) {
        waitAgain(batch, error)
        return true
      }
      // Everything was undone. Whose fault it was shows when each is done alone, unless the disk or a lock is at fault:
      // then waiting for it once is enough.
      if (!databaseFault(error)) return false
      for (const { reject } of batch) reject(error)
      return true
    }
    for (const [index, { resolve }] of batch.entries()) resolve(results[index])
    return true
  }

  /** Another program took the lock after the gate was checked: wait at the gate once more. */
  function waitAgain(batch: readonly Waiting[], error: DatabaseLocked): void {
    const isScheduled = queue.length > 0
    for (const waiting of batch) {
      if (waiting.wasLocked) waiting.reject(error)
      else queue.push({ ...waiting, wasLocked: true })
    }
    if (!isScheduled && queue.length > 0) setImmediate(commit)
  }

  function commitAlone(waiting: Waiting): void {
    const { work, resolve, reject } = waiting
    let result: unknown
    try {
      begin(() => {
        result = work()
      })
    } catch (error) {
      if (error instanceof DatabaseLocked) waitAgain([waiting], error)
      else reject(error)
      return
    }
    resolve(result)
  }

  /** Where several came at once, more are on their way; somebody alone is not kept waiting. */
  function shouldWait(): boolean {
    if (queue.length === 1 || queue.length === counted || turns === MAX_TURNS) return false
    counted = queue.length
    turns++
    return true
  }

  function taken(): Waiting[] {
    const batch = queue
    queue = []
    turns = counted = 0
    return batch
  }

  function commit(): void {
    if (shouldWait()) {
      setImmediate(commit)
      return
    }
    let closed: Promise<void> | undefined
    try {
      closed = gate.closed()
    } catch (error) {
      // To look takes the database, which may be away; whoever waits hears of it, and the process goes on.
      for (const { reject } of taken()) reject(error)
      return
    }
    if (closed) {
      closed.then(commit, (error: unknown) => {
        for (const { reject } of taken()) reject(error)
      })
      return
    }
    const batch = taken()
    if (batch.length > 1 && commitBatch(batch)) return
    for (const waiting of batch) commitAlone(waiting)
  }

  return <Result>(work: () => Result): Promise<Result> =>
    new Promise<unknown>((resolve, reject) => {
      if (queue.length === 0) setImmediate(commit)
      queue.push({ work, resolve, reject })
    }) as Promise<Result>
}
