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

/** The user nobody, which owns no files. */
export const FOREIGN_UID = 65534
const MB = 1024 ** 2
export const MEMORY = 256 * MB
/** Additional memory that docs/hosting.md recommends for commands. */
const COMMAND_MEMORY = 64 * MB
/** Limits the heap on machines without memory groups: 48 % of MEMORY. */
const FALLBACK_HEAP_MB = 123

const JOIN = `
  if [ -n "$GROUP" ]; then echo $$ > "$GROUP/cgroup.procs"; fi
  exec setpriv --reuid ${FOREIGN_UID} --regid ${FOREIGN_UID} --clear-groups --no-new-privs \\
    --bounding-set=-all --inh-caps=-all -- "$@"`

/**
 * Restrictions of a container: only the loopback network, read-only files except DATA_DIR, and an unprivileged user
 * without groups or capabilities.
 */
const CONTAINER = `
  ip link set lo up
  mount --bind "$DATA_DIR" "$DATA_DIR"
  mount -o remount,ro,bind /
  ${JOIN}`

/** Arguments of `unshare` that run a program under these restrictions. It reads DATA_DIR and GROUP from the environment. */
export const isolatedArgs = (program: readonly string[]) => [
  '--net',
  '--mount',
  'sh',
  '-ec',
  CONTAINER,
  'sh',
  ...program,
]

/** Forwards connections from a socket file, which is reachable from every network namespace. */
const RELAY = `
  const { connect, createServer } = require('node:net')
  const [path, port] = process.argv.slice(1)
  createServer((client) => {
    const server = connect(Number(port), '127.0.0.1')
    for (const socket of [client, server]) socket.on('error', () => socket.destroy())
    client.pipe(server).pipe(client)
  }).listen(path)`

/** The reason why processes cannot be isolated on this machine, or false. */
export const isolationMissing: string | false = (() => {
  if (process.getuid?.() !== 0) return 'only root can isolate a process'
  const dry = `${CONTAINER.replace(JOIN, '')} exec setpriv --no-new-privs true`
  const folder = mkdtempSync(join(tmpdir(), 'paxlog-lock-'))
  const env = { ...process.env, DATA_DIR: folder, GROUP: '' }
  const { status, stderr } = spawnSync(UNSHARE, ['--net', '--mount', 'sh', '-ec', dry], { env, encoding: 'utf8' })
  rmdirSync(folder)
  return status === 0 ? false : `processes cannot be isolated here (${stderr?.trim() || 'unshare is missing'})`
})()

/** Creates a control group with a memory limit; undefined if the machine does not allow it. */
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
      // This version of control groups is missing or not writable.
    }
  }
  return undefined
}

interface StartOptions {
  /** Added to the environment of the image. */
  env?: Record<string, string>
  memory?: number
}

/** Starts the program with all restrictions that this machine supports, and returns their names. */
export async function startIsolated(tree: string, port: number, baseUrl: string, options: StartOptions = {}) {
  const memory = options.memory ?? MEMORY
  const dataDir = join(tree, '../data')
  mkdirSync(dataDir)
  const folder = temporaryFolder()
  const { group, limit } = (isolationMissing ? undefined : memoryGroup(memory)) ?? {}
  const image = environment(final)
  const env = {
    ...image,
    ...(!group && { NODE_OPTIONS: `--max-old-space-size=${FALLBACK_HEAP_MB}` }),
    ...{ HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir, BASE_URL: baseUrl },
    ...{ HOME: '/nowhere', TMPDIR: '/nowhere', NODE_COMPILE_CACHE: '', GROUP: group ?? '' },
    ...options.env,
  }
  const [, ...program] = JSON.parse(final.instructions.find(({ name }) => name === 'CMD')!.text) as string[]
  if (!isolationMissing) chownSync(dataDir, FOREIGN_UID, FOREIGN_UID)
  const began = performance.now()
  const child = isolationMissing
    ? start(program, { cwd: tree, env })
    : start(isolatedArgs([process.execPath, ...program]), { program: UNSHARE, cwd: tree, env })
  const exited = once(child, 'exit')
  let log = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (log += chunk))
  while (!log.includes(' listens on ')) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The server ended: ${log}`)
    await wait(20)
  }
  const startMs = performance.now() - began
  child.once('exit', (code, signal) => {
    // Shows the cause in the output of a failed test.
    if (code !== 0 && !child.killed) report(`The server ended with ${signal ?? code}: ${log.slice(-2_000)}`)
  })
  chmodSync(folder, 0o755)
  const socket = join(folder, 'relay')
  const relay = ['-e', RELAY, socket, String(port)]
  if (isolationMissing) start(relay)
  else start([`--net=/proc/${child.pid}/ns/net`, process.execPath, ...relay], { program: 'nsenter' })
  while (!existsSync(socket)) await wait(20)

  let peakBytes = 0
  // Pages mapped from files can be reclaimed at any time, so only anonymous memory counts.
  const memoryTimer = setInterval(() => {
    const status = existsSync(`/proc/${child.pid}/status`) ? readFileSync(`/proc/${child.pid}/status`, 'utf8') : ''
    peakBytes = Math.max(peakBytes, Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024)
  }, 10)
  onTestFinished(async () => {
    clearInterval(memoryTimer)
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await exited
    if (group) rmdirSync(group)
  })
  /** Runs Node next to the server, with the same restrictions. */
  function runInContainer(...args: string[]) {
    if (isolationMissing) return run(args, { cwd: tree, env })
    const namespaces = [`--target=${child.pid}`, '--net', '--mount', `--wd=${tree}`]
    return run([...namespaces, 'sh', '-ec', JOIN, 'sh', process.execPath, ...args], { program: 'nsenter', env })
  }
  function command(...args: string[]) {
    if (limit) writeFileSync(limit, String(memory + COMMAND_MEMORY))
    return runInContainer('dist/cli.js', ...args)
  }
  const conditions = [
    isolationMissing || 'no network, read-only files, unprivileged user, no capabilities',
    group ? 'a memory group of 256 MB' : `a heap of ${FALLBACK_HEAP_MB} MB`,
  ]
  return {
    child,
    exited,
    dataDir,
    socket,
    runInContainer,
    command,
    startMs,
    peakBytes: () => peakBytes,
    conditions,
    log: () => log,
  }
}
