import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { imageEnvironment } from './image-environment.ts'

const root = join(import.meta.dirname, '../..')

/** Runs inside the server before it starts and measures the event loop and memory. */
const WATCH = `
import { monitorEventLoopDelay } from 'node:perf_hooks'
const delay = monitorEventLoopDelay({ resolution: 2 })
delay.enable()
let [most, longest] = [0, 0]
const cpu = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000 }
let before = cpu()
setInterval(() => { const now = cpu(); longest = Math.max(longest, now - before); before = now }, 2).unref()
setInterval(() => { most = Math.max(most, process.memoryUsage.rss()) }, 20).unref()
process.on('message', () => {
  const mostBytes = Math.max(most, process.memoryUsage.rss())
  process.send({ longestDelayMs: delay.max / 1e6, longestWorkMs: longest, mostBytes })
  delay.reset()
  most = longest = 0
})
`

/** Twice the limit of the contract (17.11), because slow machines run the proofs too. */
export const MAX_WORK_MS = 500

export interface Measurements {
  /** The longest event loop delay since the last call. */
  longestDelayMs: number
  /** The longest CPU time of one event loop task, which does not depend on the load of the machine. */
  longestWorkMs: number
  mostBytes: number
}

/** Builds dist/ if sources have changed. */
function buildDist(): string {
  execFileSync(process.execPath, ['src/build/bundle.ts', '--if-changed'], { cwd: root })
  return join(root, 'dist')
}

interface Options {
  flags?: readonly string[]
  /** The program to run instead of Node. */
  program?: string | undefined
}

/** Starts the built server in a separate process. */
export async function watchedServer(
  dataDir: string,
  environment: Record<string, string> = {},
  { flags = [], program = process.execPath }: Options = {},
) {
  const child = fork(join(buildDist(), 'main.js'), {
    execPath: program,
    execArgv: [...flags, '--import', `data:text/javascript,${encodeURIComponent(WATCH)}`],
    env: {
      ...imageEnvironment,
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: '0',
      HOST: '127.0.0.1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  let output = ''
  child.stdout!.on('data', (chunk) => {
    output += chunk
  })
  while (!/127\.0\.0\.1:\d+/.test(output)) {
    if (child.exitCode !== null) throw new Error(`The server ended: ${output}`)
    await pause(20)
  }
  const url = `http://${/127\.0\.0\.1:\d+/.exec(output)![0]}`
  async function watched(): Promise<Measurements> {
    child.send('measure')
    const [answer] = await once(child, 'message')
    return answer as Measurements
  }
  return { url, watched, pid: child.pid! }
}
