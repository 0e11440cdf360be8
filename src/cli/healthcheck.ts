import { json } from 'node:stream/consumers'
import { get } from '../lib/node-http.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Command, print } from './command.ts'

const PATIENCE_MS = 5_000

/** The address at which this machine reaches its own server. */
function ownHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}

interface Readiness {
  status?: string
  reason?: string
}

/** Asked with the plain client, since fetch refuses some ports that a server may well have. */
function ask(host: string, port: number): Promise<Readiness> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    get({ host, port, path: '/ready', signal, agent: false }, (response) => {
      // Another program may answer with anything.
      json(response).then((answer) => resolve((answer ?? {}) as Readiness), reject)
    }).on('error', reject)
  })
}

function reasonOf(error: Error & { code?: string }): string {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'it did not answer in 5 seconds'
  return error instanceof SyntaxError ? 'another program answers there' : `nothing listens there (${error.code})`
}

export const healthcheck: Command = {
  name: 'healthcheck',
  usage: '',
  summary: 'Ask the server on this machine whether it is ready',
  details: 'Prints "ok", or the reason with exit code 1. HOST and PORT must be those of the server.',
  run: async ({ config }) => {
    const { host, port } = config()
    if (port === 0) throw new Refusal('PORT is 0, so the port of the server is not known here: set PORT.')
    const { status, reason } = await ask(ownHost(host), port).catch((error: Error) => {
      throw new Refusal(`The server on port ${port} cannot be reached: ${reasonOf(error)}.`, { cause: error })
    })
    if (status !== 'ready') throw new Refusal(reason ?? `Another program answers on port ${port}.`)
    print('ok')
  },
}
