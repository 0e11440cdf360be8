import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './paxlog.ts'

const PROGRAMS = ['/usr/bin/patroni', '/usr/bin/etcd']
const POSTGRES = '/usr/lib/postgresql'

const missing = [...PROGRAMS, POSTGRES].filter((path) => !existsSync(path))

/** The reason why Patroni tests are skipped, or false. */
export const patroniMissing: string | false = missing.length > 0 && `${missing.join(', ')} is not installed`

/** PostgreSQL does not run as root. */
function account(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {}
  const idOf = (what: '-u' | '-g') => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** Not keywords of PostgreSQL: "first" would be a command in the list of standbys. */
const NAMES = ['alpha', 'beta'] as const

const newest = (versions: readonly string[]) => [...versions].sort((a, b) => Number(b) - Number(a))[0]!

interface Addresses {
  etcd: number
  api: number
  port: number
}

/** A lost leader is replaced after `ttl`. This is the minimum of Patroni. */
const settings = (folder: string, name: string, { etcd, api, port }: Addresses) => ({
  scope: 'paxlog',
  name,
  restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
  etcd3: { host: `127.0.0.1:${etcd}` },
  bootstrap: {
    dcs: {
      ttl: 20,
      loop_wait: 2,
      retry_timeout: 3,
      synchronous_mode: true,
      postgresql: { use_pg_rewind: true, parameters: { max_connections: 40, shared_buffers: '32MB' } },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
  },
  postgresql: {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    data_dir: join(folder, name),
    bin_dir: join(POSTGRES, newest(readdirSync(POSTGRES)), 'bin'),
    authentication: {
      superuser: { username: 'postgres', password: 'postgres' },
      replication: { username: 'replicator', password: 'replicator' },
    },
    pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    parameters: { unix_socket_directories: folder },
  },
})

/**
 * A port below the ephemeral range, so that a killed member finds its port free when it restarts.
 */
async function reservedPort(): Promise<number> {
  for (;;) {
    const probe = createServer().listen(randomInt(15_000, 32_000), '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    const address = probe.address() as AddressInfo | null
    probe.close()
    if (isFree && address) return address.port
  }
}

interface Member {
  name: string
  role: string
  state: string
}

/**
 * Processes with a working directory in a folder. PostgreSQL servers are not children of Patroni, and a pid file may be
 * stale.
 */
const processesIn = (folder: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`)
      } catch {
        // The process has ended, or belongs to another user.
        return false
      }
    })
    .map(Number)

function kill(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has already ended.
    }
  }
}

/** Polls until the condition is met, with a long timeout for busy machines. */
export async function until<Found>(what: string, look: () => Promise<Found | undefined | false>): Promise<Found> {
  for (const end = performance.now() + 120_000; performance.now() < end; await wait(250)) {
    const found = await look().catch(() => undefined)
    if (found) return found
  }
  throw new Error(`Timed out while waiting until ${what}.`)
}

/** Starts a cluster of two members with synchronous replication. */
export async function startPatroni() {
  const folder = temporaryFolder()
  const owner = account()
  const chownToAccount = (path: string) => owner.uid !== undefined && chownSync(path, owner.uid, owner.gid!)
  chownToAccount(folder)
  const children = new Set<ChildProcess>()
  // Repeat, because Patroni restarts PostgreSQL until it has ended itself.
  onTestFinished(() =>
    until('all processes of the cluster have ended', async () => {
      const remaining = processesIn(folder)
      kill(remaining)
      return remaining.length === 0
    }).then(() => undefined),
  )
  const run = (program: string, args: readonly string[]): ChildProcess => {
    const child = spawn(program, args, { ...owner, cwd: folder, stdio: 'ignore', env: { PATH: process.env.PATH } })
    children.add(child)
    child.on('exit', () => children.delete(child))
    return child
  }
  const [etcd, peer] = [await reservedPort(), await reservedPort()]
  const [client, other] = [`http://127.0.0.1:${etcd}`, `http://127.0.0.1:${peer}`]
  mkdirSync(join(folder, 'etcd'), { mode: 0o700 })
  chownToAccount(join(folder, 'etcd'))
  run('/usr/bin/etcd', [
    ...['--data-dir', join(folder, 'etcd'), '--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', other, '--initial-advertise-peer-urls', other, '--initial-cluster', `default=${other}`],
  ])
  await until('etcd answers', async () => (await fetch(`${client}/health`)).ok)

  const addresses = new Map<string, Addresses>()
  for (const name of NAMES) addresses.set(name, { etcd, api: await reservedPort(), port: await reservedPort() })
  const patronis = new Map<string, ChildProcess>()

  function startMember(name: string): void {
    const file = join(folder, `${name}.json`)
    writeFileSync(file, JSON.stringify(settings(folder, name, addresses.get(name)!)))
    patronis.set(name, run('/usr/bin/patroni', [file]))
  }

  async function members(): Promise<Member[]> {
    for (const { api } of addresses.values()) {
      const answer = await fetch(`http://127.0.0.1:${api}/cluster`, { signal: AbortSignal.timeout(2_000) }).catch(
        () => undefined,
      )
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members
    }
    return []
  }

  const isAlive = (name: string) => children.has(patronis.get(name)!)

  const leader = () =>
    until('there is a leader', async () => {
      const found = (await members()).find(({ role, state }) => role === 'leader' && state === 'running')
      return found && isAlive(found.name) ? found.name : undefined
    })

  /** Only then can the leader be killed without data loss. */
  const untilReplicated = () =>
    until('the standby is synchronous', async () =>
      (await members()).some(({ role, state }) => role === 'sync_standby' && /running|streaming/.test(state)),
    )

  /** Kills all processes of a member, like a power loss. */
  function killMember(name: string): void {
    const patroni = patronis.get(name)!
    children.delete(patroni)
    patroni.kill('SIGKILL')
    for (
      let remaining = processesIn(join(folder, name));
      remaining.length > 0;
      remaining = processesIn(join(folder, name))
    )
      kill(remaining)
  }

  startMember(NAMES[0])
  await leader()
  startMember(NAMES[1])
  await untilReplicated()
  /** The URL of all members, or of one. */
  function urlOf(database: string, name?: string): string {
    const hosts = [...addresses]
      .filter(([each]) => name === undefined || each === name)
      .map(([, { port }]) => `127.0.0.1:${port}`)
    return `postgres://postgres@${hosts.join(',')}/${database}${hosts.length > 1 ? '?target_session_attrs=read-write' : ''}`
  }
  return { urlOf, leader, untilReplicated, killMember, startMember }
}
