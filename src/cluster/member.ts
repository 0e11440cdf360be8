import cluster from 'node:cluster'
import { once } from 'node:events'
import type { Config } from '../config.ts'
import { createSharedLogger } from '../lib/logger.ts'
import { startServer } from '../server.ts'
import type { Order, Report } from './messages.ts'

const report = (words: Report) => void process.send?.(words, undefined, {}, () => undefined)

/** The writer or a reader: does what the supervisor says, and ends with it. */
export async function serveAsMember(config: Config): Promise<void> {
  // A terminal and a service manager signal all processes of a program; the supervisor says in which order they end.
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => undefined)
  try {
    await serve(config)
  } catch (error) {
    // Otherwise the channel to the supervisor would keep this process.
    cluster.worker?.disconnect()
    throw error
  }
}

async function serve(config: Config): Promise<void> {
  const [first] = (await once(process, 'message')) as [Order & { say: 'begin' }]
  const logger = await createSharedLogger(config.logLevel, first.name)
  const server = await startServer(config, logger, {
    process: first.process,
    socketPath: first.socketPath,
    handOver: (uses) => report({ say: 'uses', uses }),
  })
  process.on('message', async (order: Order) => {
    if (order.say === 'uses') server.takeOver(order.uses)
    if (order.say === 'announce') server.announce()
    if (order.say !== 'stop') return
    await server.stop()
    process.exit(0)
  })
  report({ say: 'ready', address: server.address })
}
