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
import { closeDatabase, type Db, openDatabase } from '../../src/db/open.ts'
import { sqliteOf } from '../../src/db/sqlite/sqlite.ts'
import type { ProviderSettings } from '../../src/domain/identities/contract.ts'
import type { ClientMetadataMode } from '../../src/domain/oauth/contract.ts'
import { digest, newApiKey, newId } from '../../src/lib/secret.ts'
import { foldCase } from '../../src/lib/text.ts'
import { documentThread } from '../../src/workers/document/document-thread.ts'
import { importThread } from '../../src/workers/import/import-thread.ts'
import { longWriteThread } from '../../src/workers/long-write/long-write-thread.ts'
import { trackFileThread } from '../../src/workers/track-file/track-file-thread.ts'
import { fromPool } from './app-pool.ts'
import { responseValidatorOf } from './document.ts'
import { databaseUrl, dropDatabases, requests } from './engine.ts'
import { writeNow } from './write-now.ts'

/** Workers use the bundle, because starting from sources takes seconds. */
const built = (name: string) => join(import.meta.dirname, '../../dist', name)

/** Creates a directory that is deleted after the test. */
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
  /** Permissions of a new role, or the id of an existing role. */
  role?: string | readonly Permission[]
  owner?: true
  /** Scopes of the user's key; defaults to all 35. */
  scopes?: readonly string[]
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: tests check the content
  body: any
  text: string
}

export interface PaxlogOptions {
  baseUrl?: string
  bodyLimit?: number
  legacyObjects?: boolean
  privateSchemes?: readonly string[]
  graceSeconds?: number
  oauthClientMetadata?: ClientMetadataMode
  oidc?: ProviderSettings
  passwordSignIn?: boolean
  setupCode?: string
  deletedFlightsDays?: number
  /** The clock of services and limits; defaults to the real one. */
  now?: () => number
  addressHeader?: string
  xffDepth?: number
  /** Receives log lines. */
  log?: (line: string) => void
  /** Creates a new app instead of one from the pool. Apps with `oidc` or `log` are always new. */
  unused?: true
  /** A shared database. */
  databaseUrl?: string
  /** Called with each connection before services prepare their statements. */
  onOpen?: (db: Db) => void
  /** Replaces the operations of the services. */
  operations?: (services: Services) => Operation[]
}

/** An app with an empty database, and helpers that insert users, roles and keys. */
export async function paxlog(options: PaxlogOptions = {}) {
  const pooled = await fromPool(options, openPaxlog)
  if (pooled) return { ...pooled, ...makers(pooled.db) }
  const opened = await openPaxlog(temporaryFolder(), options)
  onTestFinished(opened.close)
  return opened
}

/** Opens an app with an existing database. */
export async function openAgain(dataDir: string, options: PaxlogOptions = {}) {
  const opened = await openPaxlog(dataDir, options)
  onTestFinished(opened.close)
  return opened
}

/** An app for several tests, which must close it. `prepare` may create a database in its folder. */
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

/** Throws if a response of v1 does not match the OpenAPI document, so that every test also checks the document. */
function documentCheck(app: FastifyInstance, operations: readonly Operation[], basePath: string) {
  const key = operations.map(({ id }) => id).join()
  const root = `${basePath}/api/v1`
  return ({ status, headers, body }: Answer, { method = 'GET', url = '' }: InjectOptions) => {
    const path = String(url)
    if (!path.startsWith(root) || !/^[/?]?$/.test(path.charAt(root.length))) return
    const contentType = String(headers['content-type'] ?? '')
    const exchange = { method, url: path.slice(basePath.length), status, contentType, body }
    const problem = responseValidatorOf(app, key)(exchange)
    if (problem) throw new Error(`The response does not match the document: ${problem}`)
  }
}

const BASE_URL = 'http://localhost:3000'

/** Opens an app with its own database connection, services and caches, like a process without a socket. */
async function openApp(dataDir: string, options: PaxlogOptions, url: string | undefined, limitsNow = options.now) {
  const { baseUrl = BASE_URL, bodyLimit = 20 * 1024 * 1024 } = options
  const db = openDatabase(dataDir, url)
  // Like a server, but without the limits for statements of PostgreSQL, which a busy machine could reach.
  sqliteOf(db)?.pragma('busy_timeout = 0')
  options.onOpen?.(db)
  // These databases need no durability. The tests of durability start separate servers.
  sqliteOf(db)?.pragma('synchronous = off')
  const services = createServices({
    db,
    baseUrl,
    privateSchemes: options.privateSchemes ?? [],
    graceSeconds: options.graceSeconds ?? 0,
    oauthClientMetadata: options.oauthClientMetadata ?? 'on',
    importInWorker: importThread({ dataDir, databaseUrl: url }, built('import-worker.js')),
    longWritesInWorker: longWriteThread({ dataDir, databaseUrl: url }, built('long-write-worker.js')),
    trackFilesInWorker: trackFileThread({ program: built('track-file-worker.js') }),
    documentsInWorker: documentThread({ program: built('document-worker.js') }),
    oidc: options.oidc,
    passwordSignIn: options.passwordSignIn ?? true,
    setupCode: options.setupCode,
    ...(options.deletedFlightsDays !== undefined && { deletedFlightsDays: options.deletedFlightsDays }),
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

/** On PostgreSQL requests alternate between two apps, because clients must not notice a difference. */
async function alternateApps(one: Awaited<ReturnType<typeof openApp>>, open: () => ReturnType<typeof openApp>) {
  const other = await open()
  // Create the signing key before the tables are emptied for the next test, so that both apps cache the same one.
  await one.services.oauth.jwks()
  const injects = [one.app, other.app].map((app) => app.inject.bind(app) as (call: InjectOptions) => Promise<unknown>)
  let turn = 0
  const inject = async (call: InjectOptions) => {
    await nextEvent()
    return injects[requests.alternate ? turn++ % 2 : 0]!(call)
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
  const close = url === undefined ? one.close : await alternateApps(one, open)
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

  /** A client of v1 with the key of a user. Paths are relative to /api/v1. */
  function as(user: TestUser | string | undefined) {
    const key = typeof user === 'object' ? user.key : user
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

/** Inserts users, roles and keys directly into a database. */
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

  /** Inserts an account without a usable password, because hashing takes tens of milliseconds. */
  function user(options: UserOptions = {}): TestUser {
    const id = newId()
    const username = options.username ?? `user${++counter}`
    const roleOption = options.role ?? 'role-user'
    const roleId = options.owner ? null : typeof roleOption === 'string' ? roleOption : role(roleOption)
    const insert = db.$client.prepare(
      'insert into users (id, username, display_name, password_hash, role_id, is_owner, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    const displayName = options.displayName ?? username
    writeNow(db, () => insert.run(id, username, displayName, 'none', roleId, options.owner ? 1 : 0, now, now))
    return { id, username, key: key(id, options.scopes) }
  }

  return { role, key, user }
}
