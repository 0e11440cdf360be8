import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../src/lib/port.ts'
import { imageEnvironment } from '../support/image-environment.ts'
import { onCore } from './cores.ts'
import { onDisk } from './disk.ts'

const root = join(import.meta.dirname, '../..')

/** A server in a process of its own, so that its CPU time can be told from the driver's. */
export interface Subject {
  pid: number
  origin: string
  /** From the start of the process to its first answer. */
  startMs: number
  stop: () => Promise<void>
}

const PATIENCE_MS = 60_000

async function subject(child: ChildProcess, origin: string, sign: string): Promise<Subject> {
  const start = performance.now()
  for (;;) {
    const ok = await fetch(origin + sign).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) break
    if (performance.now() - start > PATIENCE_MS || child.exitCode !== null)
      throw new Error(`${origin} does not answer.`)
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

interface Place {
  dataDir: string
  port: number
  /** That of `npm start` when absent. */
  logLevel?: string
}

/** The built program over a data directory, with its log in a file. */
export function startPaxlog({ dataDir, port, logLevel = process.env.LOG_LEVEL }: Place): Promise<Subject> {
  const origin = `http://127.0.0.1:${port}`
  const env = {
    ...imageEnvironment,
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    BASE_URL: origin,
    // Limits count by address: a driver that names many stands for many people.
    ADDRESS_HEADER: 'x-bench-address',
    ...(logLevel !== undefined && { LOG_LEVEL: logLevel }),
  }
  const args = [...nodeOptions(), 'dist/main.js']
  const log = openSync(join(dataDir, 'bench.log'), 'a')
  const program = onCore('server', onDisk(process.execPath, args))
  return subject(spawn(...program, { cwd: root, env, stdio: ['ignore', log, 'inherit'] }), origin, '/ready')
}

export interface Sample {
  path: string
  method: string
  status: number
  type: string
  body: string
  /** With every request: sends ready bytes, serializes the record, or does so after a durable commit of a small row. */
  does: 'sends' | 'serializes' | 'commits'
}

/** With a place for every id. */
const routeOf = (path: string) => path.replace(/\?.*$/, '').replace(/\/\d+/g, '/:id')

/** Fastify and nothing else, answering one path with the bytes that Paxlog gave. */
export async function startBare(sample: Sample): Promise<Subject> {
  const port = await freePort('127.0.0.1')
  const args = [...nodeOptions(), join(import.meta.dirname, 'bare.ts')]
  const program = onCore('server', onDisk(process.execPath, args))
  const child = spawn(...program, { stdio: ['pipe', 'inherit', 'inherit'] })
  child.stdin!.end(JSON.stringify({ ...sample, port, path: routeOf(sample.path) }))
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

/** Memory of a process in MB: now, and at most so far. */
export function memoryOf(pid: number): { now: number; most: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)![1]) / 1024
  return { now: of('VmRSS'), most: of('VmHWM') }
}
