import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { scopeNames } from '../../src/access/scopes.ts'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { digest, newApiKey } from '../../src/lib/secret.ts'
import { knownDatabaseUrl, loadedDatabaseUrl } from './engine.ts'
import { imageEnvironment } from './image-environment.ts'
import { temporaryFolder } from './paxlog.ts'

export const root = resolve(import.meta.dirname, '../..')
export const dist = (name: string) => join(root, 'dist', name)

export interface Finished {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  env?: Record<string, string>
  /** The content of stdin. */
  input?: string
  /** The program to run instead of Node. */
  program?: string
  cwd?: string
  uid?: number
}

/** A minimal environment without variables of the developer. */
const plainEnvironment = (env: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: join(inject('runFolder'), 'compiled'),
  ...env,
})

const MAX_CONCURRENT = 3

/** Processes items with limited concurrency. */
export async function forEach<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items]
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, worker))
}

function text(child: ChildProcess, name: 'stdout' | 'stderr'): () => string {
  const chunks: Buffer[] = []
  child[name]?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}

/** Starts a program that is killed after the test. */
export function start(args: readonly string[], options: RunOptions = {}): ChildProcess {
  const { env, program = process.execPath, cwd = root, uid } = options
  const settings: SpawnOptions = { env: plainEnvironment(env), cwd, ...(uid !== undefined && { uid, gid: uid }) }
  const child = spawn(program, args, settings)
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  })
  return child
}

export async function run(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const child = start(args, options)
  const [stdout, stderr] = [text(child, 'stdout'), text(child, 'stderr')]
  // A program that exits without reading stdin closes the pipe.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(options.input ?? '')
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal, stdout: stdout(), stderr: stderr() }
}

/** Runs the built command line. */
export const cli = (args: readonly string[], options?: RunOptions) => run([dist('cli.js'), ...args], options)

/** The JSON objects that a command printed, one per line. */
export const objects = ({ stdout }: Finished) =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

export interface ServerProcess {
  child: ChildProcess
  /** The origin of the server, without the path of BASE_URL. */
  origin: string
  port: number
  dataDir: string
  /** The parsed log lines. */
  // biome-ignore lint/suspicious/noExplicitAny: log lines have any properties
  log: () => any[]
  logText: () => string
  /** The content of stderr. */
  errorText: () => string
  /** Waits for a matching log line. */
  logged: (fits: (line: { msg?: string }) => boolean) => Promise<void>
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Starts the built server as npm start does, on a free port, and waits until it listens. */
export async function serve(
  options: RunOptions & {
    dataDir?: string
    /** Arguments before the file name, for another program than Node. */
    before?: readonly string[]
  } = {},
): Promise<ServerProcess> {
  const dataDir = options.dataDir ?? loadedFolder()
  const url = knownDatabaseUrl(dataDir)
  const where = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, ...(url && { DATABASE_URL: url }) }
  const env = { ...imageEnvironment, ...where, ...options.env }
  const child = start([...(options.before ?? []), dist('main.js')], { ...options, env })
  const [stdout, stderr] = [text(child, 'stdout'), text(child, 'stderr')]
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }))
  const log = () =>
    stdout()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  async function logged(fits: (line: { msg?: string }) => boolean): Promise<void> {
    while (!log().some(fits)) {
      const ended = await Promise.race([once(child.stdout!, 'data').then(() => false), exited.then(() => true)])
      if (ended) throw new Error(`The server ended before the expected log line: ${stdout()}${stderr()}`)
    }
  }
  await logged(({ msg }) => msg?.startsWith('Paxlog ') ?? false)
  const port = Number(/:(\d+)$/.exec(log().find(({ address }) => address).address)![1])
  return {
    child,
    origin: `http://127.0.0.1:${port}`,
    port,
    dataDir,
    log,
    logText: stdout,
    errorText: stderr,
    logged,
    exited,
  }
}

/** A data directory with the shipped reference data, copied because loading takes two seconds. */
export function loadedFolder(): string {
  const dataDir = join(temporaryFolder(), 'data')
  mkdirSync(dataDir)
  copyLoaded(dataDir)
  return dataDir
}

/** Copies a database with the shipped reference data into an empty directory. */
export function copyLoaded(dataDir: string): void {
  if (loadedDatabaseUrl(dataDir)) return
  const template = join(inject('runFolder'), 'loaded')
  if (!existsSync(template)) makeTemplate(template)
  copyFileSync(join(template, 'paxlog.db'), join(dataDir, 'paxlog.db'))
}

function makeTemplate(template: string): void {
  const draft = mkdtempSync(`${template}-`)
  spawnSync(process.execPath, [dist('cli.js'), 'reference', 'update', '--data-dir', draft], {
    env: plainEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    renameSync(draft, template)
  } catch {
    // Another test file has created it in the meantime.
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Inserts an owner and returns a key with all scopes. */
export function ownerKey(dataDir: string, databaseUrl = knownDatabaseUrl(dataDir)): string {
  const db = openDatabase(dataDir, databaseUrl)
  const key = newApiKey()
  db.$client.prepare("insert into users values ('owner', 'owner', 'The Owner', '', null, 1, 0, 0)").run()
  db.$client
    .prepare("insert into api_keys (user_id, name, hash, scopes, created_at) values ('owner', 'test', ?, ?, 0)")
    .run(digest(key), JSON.stringify(scopeNames))
  closeDatabase(db)
  return key
}
