import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFlags } from '../support/start-flags.ts'
import { fillLog } from './fill.ts'

const root = join(import.meta.dirname, '../..')

/** A server in a process of its own, so that its CPU time can be told from the driver's. */
export interface Subject {
  pid: number
  origin: string
  stop: () => Promise<void>
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

async function answers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${url} did not answer in ten seconds.`)
}

async function subject(child: ChildProcess, origin: string, sign: string): Promise<Subject> {
  await answers(origin + sign)
  const stop = async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { pid: child.pid!, origin, stop }
}

const nodeOptions = () => (process.env.BENCH_NODE_OPTIONS ?? '').split(' ').filter(Boolean)

/** The built program over a new database with an owner, and a key that holds every scope. */
export async function startPaxlog(flights: number): Promise<Subject & { key: string; lastPage: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'paxlog-bench-'))
  const port = await freePort()
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    BASE_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
  }
  const paxlog = (args: string[], input = '') => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/cli.js', ...args], {
      cwd: root,
      env,
      input,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stderr)
    return stdout
  }
  paxlog(['user', 'create', '--owner', '--username', 'bench', '--password-stdin'], 'bench bench\n')
  const made = paxlog(['key', 'create', '--username', 'bench', '--name', 'bench', '--scopes', 'all'])
  const key = /pxl_[0-9A-Za-z]{43}/.exec(made)![0]
  const { lastPage } = fillLog(dataDir, 'bench', flights)
  const child = spawn(process.execPath, [...startFlags, ...nodeOptions(), 'dist/main.js'], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  const { stop, ...running } = await subject(child, `http://127.0.0.1:${port}`, '/health')
  return {
    ...running,
    key,
    lastPage,
    stop: async () => {
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Fastify and nothing else, answering one path with the bytes that Paxlog gave: ready made, or serialized each time. */
export async function startBare(path: string, status: number, body: string, serializes = false): Promise<Subject> {
  const port = await freePort()
  const child = spawn(process.execPath, [...nodeOptions(), join(import.meta.dirname, 'bare.ts')], {
    env: { ...process.env, BARE: JSON.stringify({ port, path: path.replace(/\?.*$/, ''), status, body, serializes }) },
    stdio: 'inherit',
  })
  return subject(child, `http://127.0.0.1:${port}`, '/health')
}

const MICROSECONDS_PER_TICK = 10_000

/** CPU time of a process so far, in microseconds, of all its threads. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_PER_TICK
}
