import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../src/lib/port.ts'

const INSTALLED = '/usr/lib/postgresql'

/** Says why, where PostgreSQL is not here. */
export const postgresMissing: string | false =
  newestPrograms() === undefined &&
  `There is no PostgreSQL here (no initdb below ${INSTALLED}): "apt-get install postgresql" brings it.`

/** The programs of the newest PostgreSQL that Debian's packages have put here. */
function newestPrograms(): string | undefined {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).filter((name) => /^\d+$/.test(name)) : []
  return versions
    .sort((left, right) => Number(right) - Number(left))
    .map((version) => join(INSTALLED, version, 'bin'))
    .find((programs) => existsSync(join(programs, 'initdb')))
}

/** It refuses to run as root; then it runs as the user that its package has made. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

export interface PostgresServer {
  /** Of one of its databases, which need not be there. */
  url: (database: string) => string
  port: number
  /** Puts out whoever is still connected, and leaves nothing behind. */
  stop: () => Promise<void>
  /** The same, but what it holds becomes a folder, for others to begin with. */
  keepAs: (path: string) => Promise<void>
}

interface ServerOptions {
  /** What is written survives a power cut; plain tests need no such thing. */
  durable?: boolean
  settings?: Record<string, string | number>
  /** A folder that another one has kept, to begin with what is in it; with nothing when absent. */
  from?: string
}

/** Without what only a machine in service needs. Nothing but tests writes then, and nobody waits for the disk. */
const FAST = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  // The shared memory of a container is small.
  max_parallel_workers_per_gather: 0,
}

/** Somebody else may take a port between the look for a free one and its use. */
const MOST_PORTS = 5
/** On a machine that is many times slower than usual. */
const LONGEST_START_MS = 120_000

/** A PostgreSQL of its own on a free port of this machine. */
export async function startPostgres({ durable = false, settings = {}, from }: ServerOptions = {}) {
  if (postgresMissing) throw new Error(postgresMissing)
  const programs = newestPrograms()!
  const user = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), 'paxlog-postgres-'))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const options = ['-D', data, '-U', 'paxlog', '-E', 'UTF8', '--locale=C.UTF-8', '--auth=trust', '--no-sync']
  if (from === undefined)
    execFileSync(join(programs, 'initdb'), options, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  else execFileSync('cp', ['-a', from, data])

  /** The port is the first server's that holds it: ours is ready when its own file says so. */
  function isReady(): boolean {
    const file = join(data, 'postmaster.pid')
    return existsSync(file) && readFileSync(file, 'utf8').split('\n')[7]?.trim() === 'ready'
  }

  async function startOn(port: number) {
    const fixed = {
      port,
      listen_addresses: "'127.0.0.1'",
      unix_socket_directories: "''",
      max_connections: 200,
      shared_buffers: "'64MB'",
    }
    const all = Object.entries({ ...fixed, ...(durable ? {} : FAST), ...settings })
    writeFileSync(join(data, 'postgresql.auto.conf'), all.map(([name, value]) => `${name} = ${value}\n`).join(''))
    // It ends with whoever started it, also where that is killed.
    const command = ['--pdeathsig', 'INT', join(programs, 'postgres'), '-D', data]
    const server = spawn('/usr/bin/setpriv', command, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    server.stderr.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-10_000)
    })
    const exited = once(server, 'exit')
    const isOver = () => server.exitCode !== null || server.signalCode !== null
    async function end(): Promise<void> {
      if (!isOver()) server.kill('SIGINT')
      await exited
    }
    for (const last = performance.now() + LONGEST_START_MS; !isReady(); await wait(50)) {
      if (!isOver() && performance.now() < last) continue
      await end()
      return { fault: said }
    }
    return { end }
  }

  for (let attempt = 1; ; attempt++) {
    const port = await freePort('127.0.0.1')
    const { end, fault } = await startOn(port)
    if (end) {
      const url = (database: string) => `postgres://paxlog@127.0.0.1:${port}/${database}`
      const stop = async () => {
        await end()
        rmSync(folder, { recursive: true, force: true })
      }
      const keepAs = async (path: string) => {
        await end()
        renameSync(data, path)
        await stop()
      }
      return { url, port, stop, keepAs } satisfies PostgresServer
    }
    if (attempt < MOST_PORTS && fault.includes('Address already in use')) continue
    rmSync(folder, { recursive: true, force: true })
    throw new Error(`PostgreSQL did not start: ${fault}`)
  }
}
