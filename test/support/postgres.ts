import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../src/lib/port.ts'

const INSTALLED = '/usr/lib/postgresql'

/** The programs of the newest PostgreSQL that Debian's packages have put here. */
function programs(): string {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).filter((name) => /^\d+$/.test(name)) : []
  const newest = versions.sort((left, right) => Number(left) - Number(right)).at(-1)
  if (!newest) throw new Error('There is no PostgreSQL here: install it with "apt-get install postgresql".')
  return join(INSTALLED, newest, 'bin')
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
  stop: () => Promise<void>
}

interface ServerOptions {
  /** What is written survives a power cut; plain tests need no such thing. */
  durable?: boolean
  settings?: Record<string, string | number>
}

/** A PostgreSQL of its own on a free port of this machine, with nothing in it. */
export async function startPostgres({ durable = false, settings = {} }: ServerOptions = {}): Promise<PostgresServer> {
  const bin = programs()
  const user = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), 'paxlog-postgres-'))
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (user.uid !== undefined && user.gid !== undefined)
    for (const path of [folder, data]) chownSync(path, user.uid, user.gid)
  const options = ['-D', data, '-U', 'paxlog', '-E', 'UTF8', '--locale=C.UTF-8', '--auth=trust', '--no-sync']
  execFileSync(join(bin, 'initdb'), options, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const port = await freePort('127.0.0.1')
  const fast = durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }
  const all = {
    port,
    listen_addresses: "'127.0.0.1'",
    unix_socket_directories: "''",
    max_connections: 200,
    shared_buffers: "'64MB'",
    ...fast,
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  writeFileSync(join(data, 'postgresql.auto.conf'), `${lines.join('\n')}\n`)
  const server = spawn(join(bin, 'postgres'), ['-D', data], {
    ...user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  server.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-10_000)
  })
  const exited = once(server, 'exit')
  const isReady = () => {
    try {
      execFileSync(join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)])
      return true
    } catch {
      return false
    }
  }
  async function stop(): Promise<void> {
    // Whoever is still connected is put out.
    if (server.exitCode === null && server.signalCode === null) server.kill('SIGINT')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  for (const end = performance.now() + 60_000; !isReady(); await wait(50)) {
    if (server.exitCode === null && performance.now() < end) continue
    await stop()
    throw new Error(`PostgreSQL did not start: ${said}`)
  }
  return { url: (database) => `postgres://paxlog@127.0.0.1:${port}/${database}`, port, stop }
}
