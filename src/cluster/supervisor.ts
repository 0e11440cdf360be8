import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { createSharedLogger } from '../lib/logger.ts'
import { freePort, refusing } from '../lib/port.ts'
import { version } from '../version.ts'
import type { Order, Report } from './messages.ts'
import { removeDeadSockets, socketPathIn } from './socket.ts'

/** More unexpected ends than this within a minute are a defect that a new start does not mend. */
const MOST_ENDS = 10
const MINUTE = 60_000
/** Who ends sooner than this is started again after a pause. */
const SHORT_LIFE_MS = 5_000
const PAUSE_MS = 1_000
/** A container is killed ten seconds after it was told to stop. */
const READERS_END_MS = 8_000
const ALL_END_MS = 9_700

const WRITER = 'writer'

/** One process that writes and several that read, started in this order, and started again when one of them ends. */
export async function startCluster(config: Config) {
  const logger = await createSharedLogger(config.logLevel, 'supervisor')
  const port = config.port || (await refusing(config.host, 0, () => freePort(config.host)))
  const baseUrl = config.baseUrl ?? `http://localhost:${port}`
  const socketPath = socketPathIn(config.dataDir)
  const readers = Array.from({ length: config.readers }, (_, index) => `reader ${index + 1}`)
  const members = new Map<string, Worker>()
  const ends: number[] = []
  let [isUp, isStopping] = [false, false]
  let giveUp = () => undefined as void
  const gaveUp = new Promise<void>((resolve) => {
    giveUp = resolve
  })
  // All listen on the same socket, and each takes its connections itself: whoever ends takes no others with it.
  cluster.schedulingPolicy = cluster.SCHED_NONE

  function tell(name: string, order: Order): void {
    const worker = members.get(name)
    // Whoever ends at this moment hears nothing more.
    if (worker?.isConnected()) worker.send(order, undefined, () => undefined)
  }

  /** Starts a member, and resolves with its address once it serves. */
  function begin(name: string): Promise<string> {
    const began = performance.now()
    const worker = cluster.fork({ PORT: String(port) })
    let hasServed = false
    members.set(name, worker)
    worker.on('error', () => undefined)
    tell(name, { say: 'begin', name, process: name === WRITER ? 'writer' : 'reader', socketPath })
    return new Promise((resolve, reject) => {
      worker.on('message', (report: Report) => {
        if (report.say !== 'ready') return tell(WRITER, report)
        hasServed = true
        // Until then the first line of the log is waited for.
        if (isUp && name === WRITER) tell(WRITER, { say: 'announce' })
        resolve(report.address)
      })
      worker.once('exit', (exitCode, signal) => {
        members.delete(name)
        reject(new Error(`The ${name} ended before it was ready.`))
        if ((isUp || hasServed) && !isStopping) beginAgain(name, { exitCode, signal }, performance.now() - began)
      })
    })
  }

  function beginAgain(name: string, end: { exitCode: number | null; signal: string | null }, livedMs: number): void {
    const now = performance.now()
    ends.push(now)
    while (ends[0]! < now - MINUTE) ends.shift()
    if (ends.length > MOST_ENDS) {
      logger.fatal({ member: name, ...end }, `Members ended ${ends.length} times within a minute: Paxlog gives up.`)
      giveUp()
      return
    }
    logger.error({ member: name, ...end }, `The ${name} has ended and is started again.`)
    setTimeout(
      () => {
        if (!isStopping)
          begin(name).then(
            () => logger.info(`The ${name} serves again.`),
            () => undefined,
          )
      },
      livedMs < SHORT_LIFE_MS ? PAUSE_MS : 0,
    )
  }

  /** Tells members to end, and ends those that have not by then. */
  async function end(names: readonly string[], until: number): Promise<void> {
    const workers = names.flatMap((name) => members.get(name) ?? [])
    const ended = Promise.all(workers.map((worker) => once(worker, 'exit')))
    for (const name of names) tell(name, { say: 'stop' })
    await Promise.race([ended, wait(Math.max(0, until - performance.now()), undefined, { ref: false })])
    for (const worker of workers) if (!worker.isDead()) worker.process.kill('SIGKILL')
    await ended
  }

  /** Readers first: what they still pass on needs the writer. */
  async function stop(): Promise<void> {
    isStopping = true
    const began = performance.now()
    await end(readers, began + READERS_END_MS)
    await end([WRITER], began + ALL_END_MS)
    // Where DATA_DIR is a file, not even its absence can be asked for.
    if (existsSync(socketPath)) rmSync(socketPath, { force: true })
    if (isUp) logger.info('Paxlog has stopped')
  }

  try {
    await begin(WRITER)
    await removeDeadSockets(config.dataDir)
    // One alone says it if the port is taken.
    const address = await begin(readers[0]!)
    await Promise.all(readers.slice(1).map(begin))
    isUp = true
    const words = `Paxlog ${version} serves ${baseUrl} and listens on ${address}, with ${readers.length} ${readers.length === 1 ? 'reader' : 'readers'}`
    logger.info({ version, baseUrl, address, readers: readers.length }, words)
    tell(WRITER, { say: 'announce' })
  } catch {
    // The member has said why.
    giveUp()
  }
  return { gaveUp, stop }
}
