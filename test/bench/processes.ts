import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../src/lib/port.ts'
import { imageEnvironment } from '../support/image-environment.ts'
import { pinToCore } from './cores.ts'
import { withFlushDelay } from './disk.ts'

const root = join(import.meta.dirname, '../..')

/** A server in a separate process, so that its CPU time can be measured separately. */
export interface BenchServer {
  pid: number
  origin: string
  /** From the start of the process to its first response. */
  startMs: number
  stop: () => Promise<void>
}

const START_TIMEOUT_MS = 60_000

async function waitForServer(child: ChildProcess, origin: string, path: string): Promise<BenchServer> {
  const start = performance.now()
  for (;;) {
    const ok = await fetch(origin + path).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) break
    if (performance.now() - start > START_TIMEOUT_MS || child.exitCode !== null)
      throw new Error(`${origin} does not respond.`)
    await pause(5)
  }
  const startMs = performance.now() - start
  const stop = async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { pid: child.pid!, origin, startMs, stop }
}

const nodeOptions = () => (process.env.BENCH_NODE_OPTIONS ?? '').split(' ').filter(Boolean)

interface PaxlogOptions {
  dataDir: string
  port: number
  /** Defaults to that of `npm start`. */
  logLevel?: string
  /** The URL of a PostgreSQL database instead of the file in `dataDir`. */
  databaseUrl?: string
}

/** Starts the built program with its log in a file. */
export function startPaxlog({
  dataDir,
  port,
  logLevel = process.env.LOG_LEVEL,
  databaseUrl,
}: PaxlogOptions): Promise<BenchServer> {
  const origin = `http://127.0.0.1:${port}`
  const env = {
    ...imageEnvironment,
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    BASE_URL: origin,
    // Rate limits apply per address, so the load sets many addresses.
    ADDRESS_HEADER: 'x-bench-address',
    ...(logLevel !== undefined && { LOG_LEVEL: logLevel }),
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  }
  const args = [...nodeOptions(), 'dist/main.js']
  const log = openSync(join(dataDir, 'bench.log'), 'a')
  const program = pinToCore('server', withFlushDelay(process.execPath, args))
  return waitForServer(spawn(...program, { cwd: root, env, stdio: ['ignore', log, 'inherit'] }), origin, '/ready')
}

export interface Sample {
  path: string
  method: string
  status: number
  type: string
  body: string
  /** Whether each request sends ready bytes, serializes the record, or also commits a small row. */
  mode: 'sends' | 'serializes' | 'commits'
}

/** Replaces ids with a parameter. */
const routeOf = (path: string) => path.replace(/\?.*$/, '').replace(/\/\d+/g, '/:id')

/** Starts bare Fastify, which answers one path with the bytes of Paxlog. */
export async function startBare(sample: Sample): Promise<BenchServer> {
  const port = await freePort('127.0.0.1')
  const args = [...nodeOptions(), join(import.meta.dirname, 'bare.ts')]
  const program = pinToCore('server', withFlushDelay(process.execPath, args))
  const child = spawn(...program, { stdio: ['pipe', 'inherit', 'inherit'] })
  child.stdin!.end(JSON.stringify({ ...sample, port, path: routeOf(sample.path) }))
  return waitForServer(child, `http://127.0.0.1:${port}`, '/health')
}

const MICROSECONDS_PER_TICK = 10_000

/** CPU time of all threads of a process in microseconds. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_PER_TICK
}

/** Current and peak memory of a process in MB. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)![1]) / 1024
  return { now: of('VmRSS'), peak: of('VmHWM') }
}
