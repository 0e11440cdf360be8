import { type Config, settings } from '../app/config.ts'
import type { ServerOptions } from '../app/server.ts'
import type { Command } from './command.ts'

/** npm forwards a Ctrl-C that the terminal has already sent, so two signals this close count as one. */
const DUPLICATE_SIGNAL_MS = 300

function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    const onSignal = () => {
      if (firstAt !== undefined && performance.now() - firstAt > DUPLICATE_SIGNAL_MS) process.exit(1)
      firstAt ??= performance.now()
      resolve()
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
  })
}

/** Starts a server and stops it after a signal. */
export async function serveUntilSignal(
  readConfig: () => Config | Promise<Config>,
  options?: ServerOptions,
  onListening?: (baseUrl: string) => void,
): Promise<void> {
  // First of all: process 1 of a container ignores signals without a handler.
  const signal = waitForSignal()
  const config = await readConfig()
  const [{ startServer }, { openLog }] = await Promise.all([import('../app/server.ts'), import('../lib/logger.ts')])
  const { logger, close } = await openLog(config.logLevel)
  const server = await startServer(config, logger, options)
  onListening?.(server.baseUrl)
  await signal
  await server.stop()
  await close()
}

export const serve: Command = {
  name: 'serve',
  usage: '',
  summary: 'Start the server',
  details: [
    'Applies migrations and loads newer reference data first. Stops on SIGTERM or SIGINT after running requests, within ten seconds; a second signal stops it at once.',
    '',
    'Environment variables:',
    ...settings.map(
      ({ name, description, fallback }) =>
        `  ${name.padEnd(28)}${description}${fallback === undefined ? '' : ` (default ${fallback})`}`,
    ),
  ].join('\n'),
  run: async ({ config }) => {
    await serveUntilSignal(config)
    process.exit(0)
  },
}
