import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextEvent } from 'node:timers/promises'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import type { Permission } from '../../src/access/permissions.ts'
import { scopeNames } from '../../src/access/scopes.ts'
import { buildApp } from '../../src/app/app.ts'
import { allOperations } from '../../src/app/operations.ts'
import { createServices, type Services } from '../../src/app/services.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { databaseProbe } from '../../src/db/maintenance/probe.ts'
import { closeDatabase, type Db, disableBusyTimeout, openDatabase } from '../../src/db/open.ts'
import { sqliteOf } from '../../src/db/sqlite/sqlite.ts'
import type { ProviderSettings } from '../../src/domain/identities/contract.ts'
import { digest, newApiKey, newId } from '../../src/lib/secret.ts'
import { foldCase } from '../../src/lib/text.ts'
import { importThread } from '../../src/workers/import/import-thread.ts'
import { longWriteThread } from '../../src/workers/long-write/long-write-thread.ts'
import { trackFileThread } from '../../src/workers/track-file/track-file-thread.ts'
import { fromPool } from './app-pool.ts'
import { judgeOf } from './document.ts'
import { databaseUrl, dropDatabases, requests } from './engine.ts'
import { writeNow } from './write-now.ts'

/** Built: from its sources a thread would need seconds to start. */
const built = (name: string) => join(import.meta.dirname, '../../dist', name)

/** A directory of its own for one test, gone when it ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'paxlog-test-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true })
    dropDatabases(folder)
  })
  return folder
}

export interface TestUser {
  id: string
  username: string
  key: string
}

interface UserOptions {
  username?: string
  displayName?: string
  /** A list makes a role of its own with these permissions; a text names an existing role by id. */
  role?: string | readonly Permission[]
  owner?: true
  /** Scopes of the user's key; all 35 when absent. */
  scopes?: readonly string[]
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  // Tests read whatever the answer holds; its shape is what they check.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any
  text: string
}

export interface PaxlogOptions {
  baseUrl?: string
  bodyLimit?: number
  legacyObjects?: boolean
  privateSchemes?: readonly string[]
  graceSeconds?: number
  oidc?: ProviderSettings
  passwordSignIn?: boolean
  setupCode?: string
  /** The time that services and limits see; the real one when absent. */
  now?: () => number
  addressHeader?: string
  xffDepth?: number
  /** Collects log lines. */
  log?: (line: string) => void
  /** An app that no other test has used; one with `oidc` or `log` always is. */
  unused?: true
  /** A database that others use too. */
  databaseUrl?: string
  /** Called with each connection before services prepare their statements. */
  onOpen?: (db: Db) => void
  /** Instead of all operations of the services. */
  operations?: (services: Services) => Operation[]
}

/** A built app over an empty database, with helpers that make users, roles and keys straight in the database. */
export async function paxlog(options: PaxlogOptions = {}) {
  const pooled = await fromPool(options, openPaxlog)
  if (pooled) return { ...pooled, ...makers(pooled.db) }
  const opened = await openPaxlog(temporaryFolder(), options)
  onTestFinished(opened.close)
  return opened
}

/** The same over a folder that holds a database already. */
export async function openAgain(dataDir: string, options: PaxlogOptions = {}) {
  const opened = await openPaxlog(dataDir, options)
  onTestFinished(opened.close)
  return opened
}

/** The same for several tests of a file, which then close it themselves; `prepare` may put a database into its folder. */
export async function sharedPaxlog(options: PaxlogOptions = {}, prepare: (dataDir: string) => void = () => undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'paxlog-test-'))
  prepare(folder)
  const opened = await openPaxlog(folder, options)
  const close = async () => {
    await opened.close()
    rmSync(folder, { recursive: true, force: true })
    dropDatabases(folder)
  }
  return { ...opened, close }
}

/** Throws when an answer of v1 is not what the document says, so that every test is a test of the document too. */
function documentCheck(app: FastifyInstance, operations: readonly Operation[], basePath: string) {
  const key = operations.map(({ id }) => id).join()
  const root = `${basePath}/api/v1`
  return ({ status, headers, body }: Answer, { method = 'GET', url = '' }: InjectOptions) => {
    const path = String(url)
    if (!path.startsWith(root) || !/^[/?]?$/.test(path.charAt(root.length))) return
    const contentType = String(headers['content-type'] ?? '')
    const exchange = { method, url: path.slice(basePath.length), status, contentType, body }
    const fault = judgeOf(app, key)(exchange)
    if (fault) throw new Error(`This answer is not as documented: ${fault}`)
  }
}

const BASE_URL = 'http://localhost:3000'

/** A whole process but for its socket: its connection to the database, its services and what they keep in memory. */
async function openApp(dataDir: string, options: PaxlogOptions, url: string | undefined, limitsNow = options.now) {
  const { baseUrl = BASE_URL, bodyLimit = 20 * 1024 * 1024 } = options
  const db = openDatabase(dataDir, url)
  disableBusyTimeout(db)
  options.onOpen?.(db)
  // Nobody needs these rows after a crash; what survives one is asked of servers in processes of their own.
  sqliteOf(db)?.pragma('synchronous = off')
  const services = createServices({
    db,
    baseUrl,
    privateSchemes: options.privateSchemes ?? [],
    graceSeconds: options.graceSeconds ?? 0,
    importInWorker: importThread({ dataDir, databaseUrl: url }, built('import-worker.js')),
    longWritesInWorker: longWriteThread({ dataDir, databaseUrl: url }, built('long-write-worker.js')),
    trackFilesInWorker: trackFileThread({ program: built('track-file-worker.js') }),
    oidc: options.oidc,
    passwordSignIn: options.passwordSignIn ?? true,
    setupCode: options.setupCode,
    ...(options.now && { clock: options.now }),
  })
  await services.roles.installBuiltIn()
  const logger = options.log ? pino({ level: 'trace' }, { write: options.log }) : pino({ level: 'silent' })
  const operations = (options.operations ?? allOperations)(services)
  const app = await buildApp({
    baseUrl,
    bodyLimit,
    legacyObjects: options.legacyObjects ?? false,
    passwordSignIn: options.passwordSignIn ?? true,
    version: '0.0.0-test',
    logger,
    operations,
    addresses: { addressHeader: options.addressHeader, xffDepth: options.xffDepth ?? 1 },
    services,
    ...(limitsNow && { now: limitsNow }),
    probe: databaseProbe(db),
    isStopping: () => false,
  })
  await app.ready()
  async function close() {
    await app.close()
    await services.credentials.close()
    closeDatabase(db)
  }
  return { app, db, services, operations, close }
}

/** Over PostgreSQL requests go to two apps in turns, each an event of its own: nobody outside may see the difference. */
async function inTurns(one: Awaited<ReturnType<typeof openApp>>, open: () => ReturnType<typeof openApp>) {
  const other = await open()
  // The first key is there before tables are emptied for the next test: the memory of both would know another one.
  await one.services.oauth.jwks()
  const injects = [one.app, other.app].map((app) => app.inject.bind(app) as (call: InjectOptions) => Promise<unknown>)
  let turn = 0
  const inject = async (call: InjectOptions) => {
    await nextEvent()
    return injects[requests.goInTurns ? turn++ % 2 : 0]!(call)
  }
  one.app.inject = inject as FastifyInstance['inject']
  return async () => {
    await other.close()
    await one.close()
  }
}

async function openPaxlog(dataDir: string, options: PaxlogOptions, limitsNow = options.now) {
  const { baseUrl = BASE_URL } = options
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '')
  const url = options.databaseUrl ?? databaseUrl(dataDir)
  const open = () => openApp(dataDir, options, url, limitsNow)
  const one = await open()
  const { app, db, services, operations } = one
  const close = url === undefined ? one.close : await inTurns(one, open)
  const check = documentCheck(app, operations, basePath)

  async function request(call: InjectOptions): Promise<Answer> {
    const response = await app.inject({ ...call, headers: { host: new URL(baseUrl).host, ...call.headers } })
    const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json')
    const answer = {
      status: response.statusCode,
      headers: response.headers as Answer['headers'],
      body: isJson && response.body !== '' ? JSON.parse(response.body) : undefined,
      text: response.body,
    }
    check(answer, call)
    return answer
  }

  /** A caller of v1 with this key; the path is the one below /api/v1. */
  function as(who: TestUser | string | undefined) {
    const key = typeof who === 'object' ? who.key : who
    const send =
      (method: 'GET' | 'POST' | 'PUT' | 'DELETE') =>
      (path: string, payload?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
        request({
          method,
          url: `${basePath}/api/v1${path}`,
          headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
          ...(payload !== undefined && { payload: payload as InjectOptions['payload'] }),
        })
    return { get: send('GET'), post: send('POST'), put: send('PUT'), delete: send('DELETE') }
  }

  return { app, db, services, operations, dataDir, request, as, close, ...makers(db) }
}

export type OpenPaxlog = Awaited<ReturnType<typeof openPaxlog>>
export type Paxlog = Awaited<ReturnType<typeof paxlog>>

/** Users, roles and keys straight in a database. */
export function makers(db: Db) {
  let counter = 0
  const now = Date.now()

  function role(permissions: readonly Permission[], name = `Role ${++counter}`): string {
    const id = newId()
    const insert = db.$client.prepare(
      'insert into roles (id, name, name_key, permissions, is_default, created_at, updated_at) values (?, ?, ?, ?, 0, ?, ?)',
    )
    writeNow(db, () => insert.run(id, name, foldCase(name), JSON.stringify(permissions), now, now))
    return id
  }

  function key(userId: string, scopes: readonly string[] = scopeNames): string {
    const plain = newApiKey()
    const insert = db.$client.prepare(
      'insert into api_keys (user_id, name, hash, scopes, created_at) values (?, ?, ?, ?, ?)',
    )
    writeNow(db, () => insert.run(userId, 'test', digest(plain), JSON.stringify(scopes), now))
    return plain
  }

  /** An account without a usable password: hashing one would cost each test tens of milliseconds. */
  function user(options: UserOptions = {}): TestUser {
    const id = newId()
    const username = options.username ?? `user${++counter}`
    const wanted = options.role ?? 'role-user'
    const roleId = options.owner ? null : typeof wanted === 'string' ? wanted : role(wanted)
    const insert = db.$client.prepare(
      'insert into users (id, username, display_name, password_hash, role_id, is_owner, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    const displayName = options.displayName ?? username
    writeNow(db, () => insert.run(id, username, displayName, 'none', roleId, options.owner ? 1 : 0, now, now))
    return { id, username, key: key(id, options.scopes) }
  }

  return { role, key, user }
}
