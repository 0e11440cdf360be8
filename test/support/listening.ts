import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { freePort } from '../../src/lib/port.ts'
import { imageEnvironment } from './image-environment.ts'

const root = join(import.meta.dirname, '../..')

/** Starts the built program on a free port. */
export async function listening(dataDir: string, environment: Record<string, string> = {}) {
  const port = await freePort('127.0.0.1')
  const server = fork(join(root, 'dist/main.js'), {
    execArgv: ['--import', join(import.meta.dirname, 'loop-delay.ts')],
    // The test runner sets its own BASE_URL.
    env: {
      ...process.env,
      ...imageEnvironment,
      BASE_URL: '',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ...environment,
    },
  })
  const ended = once(server, 'exit')
  onTestFinished(async () => {
    server.kill('SIGTERM')
    await ended
  })
  const url = `http://127.0.0.1:${port}`
  for (let ready = false; !ready; ) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    ready = await fetch(`${url}/ready`).then(
      ({ ok }) => ok,
      // The server is not listening yet.
      () => false,
    )
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}.`)
  }

  /** The longest task of the server's event loop during the work, in milliseconds. */
  async function longestTurn(work: () => Promise<unknown>): Promise<number> {
    server.send('reset')
    await work()
    server.send('delay')
    const [{ longestMs }] = (await once(server, 'message')) as [{ longestMs: number }]
    return Math.round(longestMs)
  }
  return { url, longestTurn }
}
