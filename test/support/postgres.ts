import { execFile, execFileSync, spawn } from 'node:child_process'
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
import { promisify } from 'node:util'
import { freePort } from '../../src/lib/port.ts'

const INSTALLED = '/usr/lib/postgresql'

/** The reason why PostgreSQL tests are skipped, or false. */
export const postgresMissing: string | false =
  newestPrograms() === undefined &&
  `PostgreSQL is not installed (no initdb in ${INSTALLED}). Install it with "apt-get install postgresql".`

/** The program folder of the newest PostgreSQL of the Debian packages. */
function newestPrograms(): string | undefined {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).filter((name) => /^\d+$/.test(name)) : []
  return versions
    .sort((left, right) => Number(right) - Number(left))
    .map((version) => join(INSTALLED, version, 'bin'))
    .find((programs) => existsSync(join(programs, 'initdb')))
}

/** PostgreSQL and PgBouncer do not run as root, so use the user of their packages. */
export function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** Runs a client program of PostgreSQL and returns its output. */
export async function runProgram(name: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(join(newestPrograms()!, name), args, {
    cwd: tmpdir(),
    ...unprivileged(),
  })
  return stdout
}

/** Creates a folder of the user that runs PostgreSQL, which the caller deletes. */
export function serverFolder(): string {
  const { uid, gid } = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), 'paxlog-postgres-'))
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

export interface PostgresServer {
  /** The URL of a database, which need not exist. */
  url: (database: string) => string
  port: number
  /** Disconnects all clients and deletes the data. */
  stop: () => Promise<void>
  /** Stops the server and moves its data to a folder, as a template for other servers. */
  keepAs: (path: string) => Promise<void>
}

interface ServerOptions {
  /** Whether writes must survive a power cut. */
  durable?: boolean
  settings?: Record<string, string | number>
  /** A folder of `keepAs` to copy; empty by default. */
  from?: string
  /** Contents of files in the data directory. */
  files?: Record<string, string>
  /** The initial superuser. Clients connect as `paxlog`. */
  superuser?: string
}

/** Disables durability and maintenance, which tests do not need. */
const FAST = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  // Containers have little shared memory.
  max_parallel_workers_per_gather: 0,
}

/** Another process may take a free port before it is used. */
const MAX_START_ATTEMPTS = 5
/** Generous, for slow machines. */
const START_TIMEOUT_MS = 120_000

/** Private, because PostgreSQL refuses other TLS keys. */
export function writeServerFile(path: string, content: string): void {
  const { uid, gid } = unprivileged()
  writeFileSync(path, content, { mode: 0o600 })
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

/** Starts a PostgreSQL server on a free port. */
export async function startPostgres(options: ServerOptions = {}) {
  const { durable = false, settings = {}, from, files = {}, superuser = 'paxlog' } = options
  if (postgresMissing) throw new Error(postgresMissing)
  const programs = newestPrograms()!
  const user = unprivileged()
  const folder = serverFolder()
  const data = join(folder, 'data')
  const initOptions = ['-D', data, '-U', superuser, '-E', 'UTF8', '--locale=C.UTF-8', '--auth=trust', '--no-sync']
  if (from === undefined)
    execFileSync(join(programs, 'initdb'), initOptions, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  else execFileSync('cp', ['-a', from, data])
  for (const [name, content] of Object.entries(files)) writeServerFile(join(data, name), content)

  /** Checks postmaster.pid, because another server could listen on the port. */
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
    // The server ends with its parent process, even if that is killed.
    const command = ['--pdeathsig', 'INT', join(programs, 'postgres'), '-D', data]
    const server = spawn('/usr/bin/setpriv', command, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    let output = ''
    server.stderr.on('data', (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-10_000)
    })
    const exited = once(server, 'exit')
    const isOver = () => server.exitCode !== null || server.signalCode !== null
    async function end(): Promise<void> {
      if (!isOver()) server.kill('SIGINT')
      await exited
    }
    for (const last = performance.now() + START_TIMEOUT_MS; !isReady(); await wait(50)) {
      if (!isOver() && performance.now() < last) continue
      await end()
      return { error: output }
    }
    return { end }
  }

  for (let attempt = 1; ; attempt++) {
    const port = await freePort('127.0.0.1')
    const { end, error } = await startOn(port)
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
    if (attempt < MAX_START_ATTEMPTS && error.includes('Address already in use')) continue
    rmSync(folder, { recursive: true, force: true })
    throw new Error(`PostgreSQL did not start: ${error}`)
  }
}
