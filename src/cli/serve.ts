import { startServer } from '../server.ts'
import type { Command } from './command.ts'

export const serve: Command = {
  name: 'serve',
  usage: '',
  summary: 'Apply migrations, load newer shipped data, and serve',
  details:
    'Ends on SIGTERM or SIGINT after running requests are finished, ten seconds at most; a second signal ends it at once.',
  run: async ({ config }) => {
    const server = await startServer(config())
    await new Promise<void>((resolve, reject) => {
      let stopping = false
      const onSignal = () => {
        if (stopping) process.exit(1)
        stopping = true
        server.stop().then(resolve, reject)
      }
      process.on('SIGTERM', onSignal)
      process.on('SIGINT', onSignal)
    })
    // Keep-alive timers of clients must not hold the process.
    process.exit(0)
  },
}
