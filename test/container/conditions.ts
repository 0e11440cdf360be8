import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { dockerStages, environment, type Stage } from '../support/dockerfile.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { run, start } from '../support/process.ts'
import { report } from '../support/travel.ts'

const [, final] = dockerStages() as [Stage, Stage]

export const UNSHARE = '/usr/bin/unshare'

/** Somebody who owns nothing on this machine: nobody. */
export const FOREIGN_UID = 65534
const MB = 1024 ** 2
export const MEMORY = 256 * MB
/** What docs/hosting.md asks for beside it when a command runs. */
const FOR_COMMAND = 64 * MB
/** Limits the heap on machines without memory groups: 48 % of MEMORY. */
const FALLBACK_HEAP_MB = 123

const JOIN = `
  if [ -n "$GROUP" ]; then echo $$ > "$GROUP/cgroup.procs"; fi
  exec setpriv --reuid ${FOREIGN_UID} --regid ${FOREIGN_UID} --clear-groups --no-new-privs \\
    --bounding-set=-all --inh-caps=-all -- "$@"`

/**
 * What a container is started with: no network but the own loopback, every file read-only except DATA_DIR, a foreign
 * user without groups, capabilities, or a way to get them back.
 */
const CONTAINER = `
  ip link set lo up
  mount --bind "$DATA_DIR" "$DATA_DIR"
  mount -o remount,ro,bind /
  ${JOIN}`

/** What `unshare` is called with to run a program like that; DATA_DIR and GROUP come by the environment. */
export const locked = (program: readonly string[]) => ['--net', '--mount', 'sh', '-ec', CONTAINER, 'sh', ...program]

/** Passes connections on: a socket file is reached from every network, an address only from its own. */
const RELAY = `
  const { connect, createServer } = require('node:net')
  const [path, port] = process.argv.slice(1)
  createServer((client) => {
    const server = connect(Number(port), '127.0.0.1')
    for (const socket of [client, server]) socket.on('error', () => socket.destroy())
    client.pipe(server).pipe(client)
  }).listen(path)`

/** Says why, where a process cannot be locked up as a container would be. */
export const lockMissing: string | false = (() => {
  if (process.getuid?.() !== 0) return 'only root can lock a process up'
  const dry = `${CONTAINER.replace(JOIN, '')} exec setpriv --no-new-privs true`
  const folder = mkdtempSync(join(tmpdir(), 'paxlog-lock-'))
  const env = { ...process.env, DATA_DIR: folder, GROUP: '' }
  const { status, stderr } = spawnSync(UNSHARE, ['--net', '--mount', 'sh', '-ec', dry], { env, encoding: 'utf8' })
  rmdirSync(folder)
  return status === 0 ? false : `a process cannot be locked up here (${stderr?.trim() || 'unshare is missing'})`
})()

/** A group of processes that may use so much memory together; undefined where such groups cannot be made. */
function memoryGroup(bytes: number): { group: string; limit: string } | undefined {
  const kinds = [
    ['/sys/fs/cgroup', 'memory.max'],
    ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
  ] as const
  for (const [parent, limit] of kinds) {
    const group = join(parent, `paxlog-test-${process.pid}-${Date.now()}`)
    try {
      mkdirSync(group)
      if (existsSync(join(group, limit))) {
        writeFileSync(join(group, limit), String(bytes))
        return { group, limit: join(group, limit) }
      }
      rmdirSync(group)
    } catch {
      // Not this kind of machine, or not ours to rule.
    }
  }
  return undefined
}

interface Given {
  /** Settings beside those of the image. */
  env?: Record<string, string>
  memory?: number
}

/** Starts the program of a tree under the conditions that can be had here, and names them. */
export async function startLocked(tree: string, port: number, baseUrl: string, given: Given = {}) {
  const memory = given.memory ?? MEMORY
  const dataDir = join(tree, '../data')
  mkdirSync(dataDir)
  const folder = temporaryFolder()
  const { group, limit } = (lockMissing ? undefined : memoryGroup(memory)) ?? {}
  const image = environment(final)
  const env = {
    ...image,
    ...(!group && { NODE_OPTIONS: `${image.NODE_OPTIONS} --max-old-space-size=${FALLBACK_HEAP_MB}` }),
    ...{ HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir, BASE_URL: baseUrl },
    ...{ HOME: '/nowhere', TMPDIR: '/nowhere', NODE_COMPILE_CACHE: '', GROUP: group ?? '' },
    ...given.env,
  }
  const [, ...program] = JSON.parse(final.instructions.find(({ name }) => name === 'CMD')!.text) as string[]
  if (!lockMissing) chownSync(dataDir, FOREIGN_UID, FOREIGN_UID)
  const began = performance.now()
  const child = lockMissing
    ? start(program, { cwd: tree, env })
    : start(locked([process.execPath, ...program]), { program: UNSHARE, cwd: tree, env })
  const exited = once(child, 'exit')
  let log = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (log += chunk))
  while (!log.includes(' listens on ')) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The server ended: ${log}`)
    await wait(20)
  }
  const startMs = performance.now() - began
  child.once('exit', (code, signal) => {
    // Whoever looks at a failed test should not have to guess.
    if (code !== 0 && !child.killed) report(`The server ended with ${signal ?? code}: ${log.slice(-2_000)}`)
  })
  chmodSync(folder, 0o755)
  const socket = join(folder, 'relay')
  const relay = ['-e', RELAY, socket, String(port)]
  if (lockMissing) start(relay)
  else start([`--net=/proc/${child.pid}/ns/net`, process.execPath, ...relay], { program: 'nsenter' })
  while (!existsSync(socket)) await wait(20)

  let mostBytes = 0
  // What is mapped from files (half of it the program Node) can be given back at any time, and is not counted.
  const watching = setInterval(() => {
    const status = existsSync(`/proc/${child.pid}/status`) ? readFileSync(`/proc/${child.pid}/status`, 'utf8') : ''
    mostBytes = Math.max(mostBytes, Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024)
  }, 10)
  onTestFinished(async () => {
    clearInterval(watching)
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await exited
    if (group) rmdirSync(group)
  })
  /** Runs Node beside the server, under the same conditions. */
  function beside(...args: string[]) {
    if (lockMissing) return run(args, { cwd: tree, env })
    const place = [`--target=${child.pid}`, '--net', '--mount', `--wd=${tree}`]
    return run([...place, 'sh', '-ec', JOIN, 'sh', process.execPath, ...args], { program: 'nsenter', env })
  }
  function command(...args: string[]) {
    if (limit) writeFileSync(limit, String(memory + FOR_COMMAND))
    return beside('dist/cli.js', ...args)
  }
  const conditions = [
    lockMissing || 'no network, read-only files, foreign user, no capabilities',
    group ? 'a memory group of 256 MB' : `a heap of ${FALLBACK_HEAP_MB} MB`,
  ]
  return {
    child,
    exited,
    dataDir,
    socket,
    beside,
    command,
    startMs,
    mostBytes: () => mostBytes,
    conditions,
    log: () => log,
  }
}
