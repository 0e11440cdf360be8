import { json } from 'node:stream/consumers'
import { get } from '../lib/node-http.ts'
import { StartupError } from '../lib/startup-error.ts'
import { type Command, print } from './command.ts'

const TIMEOUT_MS = 5_000

const loopbackOf: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Not fetch, which refuses some ports. */
function readReadiness(host: string, port: number): Promise<{ status?: string; reason?: string }> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    get({ host, port, path: '/ready', signal, agent: false }, (response) => {
      // The answer may come from another program.
      json(response).then((answer) => resolve((answer ?? {}) as object), reject)
    }).on('error', reject)
  })
}

function reasonOf(error: Error & { code?: string }): string {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'no answer within 5 seconds'
  return error instanceof SyntaxError ? 'another program answers there' : `nothing is listening there (${error.code})`
}

export const healthcheck: Command = {
  name: 'healthcheck',
  usage: '',
  summary: 'Check whether the server on this machine is ready',
  details: 'Prints "ok", or the reason with exit code 1. Uses the HOST and PORT of the server.',
  run: async ({ config }) => {
    const { host, port } = config()
    if (port === 0) throw new StartupError('PORT is 0, so the port of the server is unknown. Set PORT.')
    const { status, reason } = await readReadiness(loopbackOf[host] ?? host, port).catch((error: Error) => {
      throw new StartupError(`The server on port ${port} cannot be reached: ${reasonOf(error)}.`, { cause: error })
    })
    if (status !== 'ready') throw new StartupError(reason ?? `Another program answers on port ${port}.`)
    print('ok')
  },
}
