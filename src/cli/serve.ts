import { settings } from '../config.ts'
import type { Command } from './command.ts'

/** npm passes on a Ctrl-C that the terminal has already sent: two signals this close together are one wish. */
const SAME_WISH_MS = 300

/** Resolves with the first signal; a later one ends the process at once. */
function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    let since: number | undefined
    const onSignal = () => {
      if (since !== undefined && performance.now() - since > SAME_WISH_MS) process.exit(1)
      since ??= performance.now()
      resolve()
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
  })
}

export const serve: Command = {
  name: 'serve',
  usage: '',
  summary: 'Apply migrations, load newer shipped data, and serve',
  details: [
    'Ends on SIGTERM or SIGINT after running requests are finished, ten seconds at most; a second signal ends it at once.',
    '',
    'Environment variables:',
    ...settings.map(
      ({ name, description, fallback }) =>
        `  ${name.padEnd(28)}${description}${fallback === undefined ? '' : ` (default ${fallback})`}`,
    ),
  ].join('\n'),
  run: async ({ config }) => {
    // Before anything else is loaded: the first process of a container is deaf to signals that it does not listen for.
    const signal = firstSignal()
    const settings = config()
    const [{ startServer }, { openLog }] = await Promise.all([import('../server.ts'), import('../lib/logger.ts')])
    const { logger, close } = await openLog(settings.logLevel)
    const server = await startServer(settings, logger)
    await signal
    await server.stop()
    await close()
    // Whatever still holds the event loop is not worth waiting for.
    process.exit(0)
  },
}
