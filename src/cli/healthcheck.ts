import { type Command, print } from './command.ts'

const PATIENCE_MS = 5_000

/** The address at which this machine reaches its own server. */
function ownHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

export const healthcheck: Command = {
  name: 'healthcheck',
  usage: '',
  summary: 'Ask the server on this machine whether it is ready',
  run: async ({ config }) => {
    const { host, port } = config()
    try {
      const response = await fetch(`http://${ownHost(host)}:${port}/ready`, {
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      const answer = (await response.json()) as { reason?: string }
      if (response.ok) {
        print('ok')
        return 0
      }
      process.stderr.write(`${answer.reason ?? `The server answered with status ${response.status}.`}\n`)
    } catch (error) {
      const reason =
        (error as Error).name === 'TimeoutError' ? 'it did not answer in 5 seconds' : 'nothing listens there'
      process.stderr.write(`The server on port ${port} cannot be reached: ${reason}.\n`)
    }
    return 1
  },
}
