import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { freePort } from '../../src/lib/port.ts'
import { serverFolder, unprivileged, writeServerFile } from './postgres.ts'

const PROGRAM = '/usr/sbin/pgbouncer'

/** The reason why PgBouncer tests are skipped, or false. */
export const pgbouncerMissing: string | false = !existsSync(PROGRAM) && `${PROGRAM} is not installed`

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

/** Starts a pool for the database `paxlog` on a free port. `settings` are lines of its configuration. */
export async function startPgbouncer(server: { port: number }, settings: string) {
  const folder = serverFolder()
  const port = await freePort('127.0.0.1')
  const file = join(folder, 'pgbouncer.ini')
  writeServerFile(join(folder, 'users.txt'), '"paxlog" ""\n')
  const lines = [
    '[databases]',
    `paxlog = host=127.0.0.1 port=${server.port}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
    `auth_type = trust\nauth_file = ${join(folder, 'users.txt')}`,
    settings,
  ]
  writeServerFile(file, `${lines.join('\n')}\n`)

  async function start() {
    const command = ['--pdeathsig', 'KILL', PROGRAM, '--quiet', file]
    const child = spawn('/usr/bin/setpriv', command, { ...unprivileged(), cwd: folder, stdio: 'ignore' })
    const exited = once(child, 'exit')
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended with code ${child.exitCode}.`)
      await wait(20)
    }
    return async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exited
    }
  }

  let end = await start()
  onTestFinished(async () => {
    await end()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    url: `postgres://paxlog@127.0.0.1:${port}/paxlog`,
    kill: () => end(),
    async restart() {
      end = await start()
    },
  }
}
