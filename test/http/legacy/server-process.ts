import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../src/lib/port.ts'

const root = join(import.meta.dirname, '../../..')

/** The program itself over an existing data directory, where the environment of a process is the subject. */
export async function startServer(dataDir: string, environment: Record<string, string> = {}) {
  const port = await freePort('127.0.0.1')
  const origin = `http://127.0.0.1:${port}`
  const settings = { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(port), BASE_URL: origin, LOG_LEVEL: 'error' }
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    cwd: root,
    env: { ...process.env, ...settings, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stop = async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  for (let attempt = 0; ; attempt++) {
    const ready = await fetch(`${origin}/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) break
    if (attempt === 150 || child.exitCode !== null) {
      await stop()
      throw new Error('The server did not start.')
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  /** Resident memory in MiB. */
  const memory = () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024
  return { origin, stop, memory }
}
