/** A timer for fractions of a millisecond. Those of Node have a granularity of 1 ms. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** A sleeping thread wakes up late by about this much, so it wakes up early and the event loop polls for the rest. */
const EARLY_NS = 150_000n
const NONE = 0n

if (!isMainThread) sleepInThread(workerData as BigInt64Array)

/** Sleeps until the time in shared memory, which the main thread can change. */
function sleepInThread(due: BigInt64Array): void {
  for (;;) {
    const time = Atomics.load(due, 0)
    const leftMs = Number(time - EARLY_NS - process.hrtime.bigint()) / 1e6
    if (time === NONE) Atomics.wait(due, 0, NONE)
    else if (leftMs <= 0 || Atomics.wait(due, 0, time, leftMs) === 'timed-out') {
      Atomics.compareExchange(due, 0, time, NONE)
      parentPort!.postMessage(undefined)
    }
  }
}

/** Returns a function that runs works in the given order, each at its time in nanoseconds of `process.hrtime`. */
export function preciseTimer(): (time: bigint, work: () => void) => void {
  const due = new BigInt64Array(new SharedArrayBuffer(8))
  const queue: { time: bigint; work: () => void }[] = []
  const thread = new Worker(import.meta.filename, { workerData: due })
  thread.on('message', runDue)

  function sleepUntil(time: bigint): void {
    Atomics.store(due, 0, time)
    Atomics.notify(due, 0)
  }

  function runDue(): void {
    const now = process.hrtime.bigint()
    while (queue[0] && queue[0].time <= now) queue.shift()!.work()
    const next = queue[0]?.time
    if (next === undefined) return
    if (next - now <= EARLY_NS) setImmediate(runDue)
    else sleepUntil(next)
  }

  return (time, work) => {
    queue.push({ time, work })
    if (queue.length === 1) sleepUntil(time)
  }
}
