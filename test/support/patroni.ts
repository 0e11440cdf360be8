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

/** Says why, where the kills of leaders are left out. */
export const patroniMissing: string | false =
  missing.length > 0 && `${missing.join(', ')} is not installed, so no leader of PostgreSQL is killed`

/** PostgreSQL refuses to run as root. */
function account(): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {}
  const idOf = (what: '-u' | '-g') => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** Words that PostgreSQL does not know: a member called "first" would be a command in the list of standbys. */
const NAMES = ['alpha', 'beta'] as const

const newest = (versions: readonly string[]) => [...versions].sort((a, b) => Number(b) - Number(a))[0]!

interface Addresses {
  etcd: number
  api: number
  port: number
}

/** A leader that is gone is missed after `ttl`, the shortest time that Patroni takes. */
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
 * Below those that the system gives to whoever connects: a member that was killed must find its port free when it comes
 * back.
 */
async function ownPort(): Promise<number> {
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
 * Processes that work in a folder. The servers of PostgreSQL are no children of Patroni, and a number that one of them
 * wrote down may be somebody else's by now.
 */
const processesIn = (folder: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`)
      } catch {
        // It has ended, or is not ours.
        return false
      }
    })
    .map(Number)

function kill(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}

/** Until something is so; a machine that is busy may take long. */
export async function until<Found>(what: string, look: () => Promise<Found | undefined | false>): Promise<Found> {
  for (const end = performance.now() + 120_000; performance.now() < end; await wait(250)) {
    const found = await look().catch(() => undefined)
    if (found) return found
  }
  throw new Error(`Waited in vain until ${what}.`)
}

/** Two members of one cluster, of which Patroni makes one the leader; the other has every commit before it is acknowledged. */
export async function startPatroni() {
  const folder = temporaryFolder()
  const owner = account()
  const give = (path: string) => owner.uid !== undefined && chownSync(path, owner.uid, owner.gid!)
  give(folder)
  const children = new Set<ChildProcess>()
  // Again and again, since Patroni starts others until it is gone itself.
  onTestFinished(() =>
    until('nothing of the cluster runs any more', async () => {
      const left = processesIn(folder)
      kill(left)
      return left.length === 0
    }).then(() => undefined),
  )
  const run = (program: string, args: readonly string[]): ChildProcess => {
    const child = spawn(program, args, { ...owner, cwd: folder, stdio: 'ignore', env: { PATH: process.env.PATH } })
    children.add(child)
    child.on('exit', () => children.delete(child))
    return child
  }
  const [etcd, peer] = [await ownPort(), await ownPort()]
  const [client, other] = [`http://127.0.0.1:${etcd}`, `http://127.0.0.1:${peer}`]
  mkdirSync(join(folder, 'etcd'), { mode: 0o700 })
  give(join(folder, 'etcd'))
  run('/usr/bin/etcd', [
    ...['--data-dir', join(folder, 'etcd'), '--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', other, '--initial-advertise-peer-urls', other, '--initial-cluster', `default=${other}`],
  ])
  await until('etcd answers', async () => (await fetch(`${client}/health`)).ok)

  const places = new Map<string, Addresses>()
  for (const name of NAMES) places.set(name, { etcd, api: await ownPort(), port: await ownPort() })
  const patronis = new Map<string, ChildProcess>()

  function startMember(name: string): void {
    const file = join(folder, `${name}.json`)
    writeFileSync(file, JSON.stringify(settings(folder, name, places.get(name)!)))
    patronis.set(name, run('/usr/bin/patroni', [file]))
  }

  async function members(): Promise<Member[]> {
    for (const { api } of places.values()) {
      const answer = await fetch(`http://127.0.0.1:${api}/cluster`, { signal: AbortSignal.timeout(2_000) }).catch(
        () => undefined,
      )
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members
    }
    return []
  }

  const lives = (name: string) => children.has(patronis.get(name)!)

  const leader = () =>
    until('there is a leader', async () => {
      const found = (await members()).find(({ role, state }) => role === 'leader' && state === 'running')
      return found && lives(found.name) ? found.name : undefined
    })

  /** Only then may the leader go without anything being lost. */
  const whole = () =>
    until('the other member has every commit', async () =>
      (await members()).some(({ role, state }) => role === 'sync_standby' && /running|streaming/.test(state)),
    )

  /** As if its machine had lost power. */
  function killMember(name: string): void {
    const patroni = patronis.get(name)!
    children.delete(patroni)
    patroni.kill('SIGKILL')
    for (let left = processesIn(join(folder, name)); left.length > 0; left = processesIn(join(folder, name))) kill(left)
  }

  startMember(NAMES[0])
  await leader()
  startMember(NAMES[1])
  await whole()
  /** Of all members, or of one. */
  function urlOf(database: string, name?: string): string {
    const hosts = [...places]
      .filter(([each]) => name === undefined || each === name)
      .map(([, { port }]) => `127.0.0.1:${port}`)
    return `postgres://postgres@${hosts.join(',')}/${database}${hosts.length > 1 ? '?target_session_attrs=read-write' : ''}`
  }
  return { urlOf, leader, whole, killMember, startMember }
}
